import Notation
import PhotoImport
import PhotoRecipes
import SystemPackage
import Testing

@testable import PhotoLibrary

@Suite struct ForeignFileTests {
  let library: TemporaryLibrary

  init() throws { library = try TemporaryLibrary() }

  private func find(_ photo: FilePath) throws -> [ForeignFile] {
    let folders = try Scan(library.files).map { try $0.get() }
    let folder = try #require(folders.first { $0.path == photo.removingLastComponent() })
    let name = try #require(photo.lastComponent)
    return ForeignFile.find(for: FileName(name), in: folder, files: library.files)
  }

  private func aae(_ identifier: String = "com.apple.photo", _ version: String = "1.5") -> String {
    """
    <plist version="1.0"><dict><key>adjustmentData</key><data>e30=</data>
    <key>adjustmentFormatIdentifier</key><string>\(identifier)</string>
    <key>adjustmentFormatVersion</key><string>\(version)</string></dict></plist>
    """
  }

  private func xmp(_ attributes: String, _ elements: String = "") -> String {
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
     xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
     xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
     xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
     xmlns:darktable="http://darktable.sf.net/" \(attributes)>\(elements)</rdf:Description>
    </rdf:RDF></x:xmpmeta>
    """
  }

  private var settings: String { "crs:HasSettings=\"True\" crs:ProcessVersion=\"15.4\"" }

  @Test func anEditByApplePhotosIsFoundWithItsRenderedImage() throws {
    for name in ["IMG_1.HEIC", "IMG_E1.JPG", "IMG_E1.HEIC", "IMG_E1.MOV"] {
      try library.write(FilePath("trip/\(name)"))
    }
    try library.write("trip/IMG_1.AAE", aae())
    try library.write("trip/IMG_O1.AAE", aae("com.apple.camera"))
    let found = try find("trip/IMG_1.HEIC")
    let edit = ForeignEdit(
      kind: .aae, file: "trip/IMG_1.AAE", digest: Digest(of: Array(aae().utf8)),
      formatIdentifier: "com.apple.photo", formatVersion: "1.5", current: "trip/IMG_E1.HEIC")
    #expect(found == [.edit(edit), .companion("trip/IMG_O1.AAE", .camera)])
  }

  @Test func anEditByAnotherProgramIsRecordedByFileNamesAndDigests() throws {
    for name in ["IMG_1.HEIC", "IMG_E1.JPG"] { try library.write(FilePath("trip/\(name)"), name) }
    try library.write("trip/IMG_1.AAE", aae())
    guard case .edit(let edit)? = try find("trip/IMG_1.HEIC").first else {
      Issue.record("no edit")
      return
    }
    let date = "2026-01-31T10:00:00Z"
    let digest = Digest(of: Array("IMG_E1.JPG".utf8))
    let adjustment = edit.adjustment(besides: "trip/IMG_1.HEIC", current: digest, date: date)
    let record = try #require(adjustment.foreign)
    #expect(record.kind == "aae")
    #expect(record.file.path(besides: "trip/IMG_1.HEIC") == "trip/IMG_1.AAE")
    #expect(record.sha256 == "\(edit.digest)")
    #expect(record.current?.file.path(besides: "trip/IMG_1.HEIC") == "trip/IMG_E1.JPG")
    #expect(record.current?.sha256 == "\(digest)")
    #expect(adjustment.formatIdentifier == "com.apple.photo")
    let alone = edit.adjustment(besides: "trip/IMG_1.HEIC", current: nil, date: date)
    #expect(alone.currentBase == nil)
  }

  @Test func anAdjustmentFileWithoutARenderedImageIsStillAnEdit() throws {
    try library.write("a.jpg")
    try library.write("a.aae", aae("com.example.editor", "any version"))
    guard case .edit(let edit)? = try find("a.jpg").first else {
      Issue.record("no edit")
      return
    }
    #expect(edit.current == nil)
    #expect(edit.formatIdentifier == "com.example.editor")
    #expect(edit.formatVersion == "any version")
  }

  @Test func aRenderedImageWithoutAnAdjustmentFileIsReported() throws {
    try library.write("IMG_1.JPG")
    try library.write("IMG_E1.JPG")
    #expect(try find("IMG_1.JPG") == [.companion("IMG_E1.JPG", .editedWithoutAdjustment)])
  }

  @Test func anEditOfAFilmIsNotAppliedToThePhotoOfTheSameName() throws {
    try library.write("IMG_1.HEIC")
    try library.write("IMG_1.AAE", aae("com.apple.video.slomo"))
    #expect(try find("IMG_1.HEIC") == [.companion("IMG_1.AAE", .film)])
  }

  @Test func cameraRawSettingsInAnXMPFileAreAnEdit() throws {
    try library.write("a.jpg")
    try library.write("a.xmp", xmp(settings))
    try library.write("a.jpg.xmp", xmp("xmp:Rating=\"3\""))
    let found = try find("a.jpg")
    #expect(found.first == .companion("a.jpg.xmp", .description))
    guard case .edit(let edit)? = found.last else {
      Issue.record("no edit")
      return
    }
    #expect(edit.kind == .cameraRaw)
    #expect(edit.formatVersion == "15.4")
    #expect(edit.file == "a.xmp")
  }

  @Test func cameraRawSettingsThatAreAppliedOrAPresetAreNotAnEdit() throws {
    try library.write("a.jpg")
    try library.write("a.xmp", xmp(settings + " crs:AlreadyApplied=\"True\""))
    #expect(try find("a.jpg") == [.companion("a.xmp", .alreadyApplied)])
    try library.write("b.jpg")
    try library.write("b.xmp", xmp(settings + " crs:PresetType=\"Normal\""))
    #expect(try find("b.jpg") == [.companion("b.xmp", .preset)])
  }

  @Test func anXMPFileNamedAfterTheStemBelongsToTheRawFile() throws {
    for name in ["a.CR2", "a.JPG", "b.CR2", "b.JPG", "c.JPG", "c.png"] {
      try library.write(FilePath(name))
    }
    try library.write("a.xmp", xmp(settings))
    try library.write("b.xmp", xmp(settings + " photoshop:SidecarForExtension=\"jpg\""))
    try library.write("c.xmp", xmp(settings))
    #expect(try find("a.JPG") == [.companion("a.xmp", .ofAnother(FileName("a.CR2")))])
    #expect(try isEdit("a.CR2"))
    #expect(try isEdit("b.JPG"))
    #expect(try find("b.CR2") == [.companion("b.xmp", .ofAnother(FileName("b.JPG")))])
    #expect(try isEdit("c.JPG"))
    #expect(try isEdit("c.png"))
  }

  private func isEdit(_ photo: FilePath) throws -> Bool {
    if case .edit? = try find(photo).first { true } else { false }
  }

  @Test func aHistoryOfDarktableAndEachOfItsDuplicatesIsAnEdit() throws {
    let step = "<rdf:li darktable:operation=\"exposure\"/>"
    func history(_ steps: String) -> String {
      xmp(
        "darktable:xmp_version=\"5\"",
        "<darktable:history><rdf:Seq>\(steps)</rdf:Seq></darktable:history>")
    }
    try library.write("a.jpg")
    try library.write("a.jpg.xmp", history(""))
    try library.write("a_01.jpg.xmp", history(step))
    let found = try find("a.jpg")
    #expect(found.first == .companion("a.jpg.xmp", .description))
    guard case .edit(let edit)? = found.last else {
      Issue.record("no edit")
      return
    }
    #expect(edit.kind == .darktable)
    #expect(edit.formatVersion == "5")
    #expect(edit.file == "a_01.jpg.xmp")
  }

  @Test func aRawTherapeeProfileNamedAfterTheWholeFileNameIsAnEdit() throws {
    try library.write("a.jpg")
    try library.write("a.jpg.pp3", "[Version]\nAppVersion=5.9\n[Exposure]\nCompensation=1\n")
    try library.write("a.pp3", "[Exposure]\nCompensation=1\n")
    try library.write("b.jpg")
    try library.write("b.jpg.pp3", "[Version]\nAppVersion=5.9\n[General]\nRank=4\n")
    let found = try find("a.jpg")
    guard case .edit(let edit)? = found.first else {
      Issue.record("no edit")
      return
    }
    #expect(edit.kind == .rawTherapee)
    #expect(edit.formatVersion == "5.9")
    #expect(found.last == .companion("a.pp3", .preset))
    #expect(try find("b.jpg") == [.companion("b.jpg.pp3", .description)])
  }

  @Test func anUnreadableCompanionIsReportedWithTheReason() throws {
    for photo in ["a", "b", "c", "d"] { try library.write(FilePath("\(photo).jpg")) }
    try library.write("a.aae", "<plist><dict>")
    try library.write("b.xmp", "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>")
    try library.write("c.jpg.pp3", "nothing")
    try library.write("d.xmp", String(repeating: " ", count: (1 << 20) + 1))
    func reason(_ photo: FilePath) throws -> ForeignReadError? {
      guard case .unreadable(_, let error)? = try find(photo).first else { return nil }
      return error
    }
    #expect(
      try reason("a.jpg") == .content(.markup(.unexpectedEnd, line: 1, column: 14)))
    #expect(
      try reason("b.jpg") == .content(.markup(.typeDeclaration, line: 1, column: 13)))
    #expect(try reason("c.jpg") == .content(.profile(line: 1)))
    #expect(try reason("d.jpg") == .content(.tooLarge(limit: 1 << 20)))
  }

  /// A companion that was removed after its folder was listed is reported as unreadable, with the
  /// error of the system call.
  @Test func aCompanionRemovedAfterTheScanIsReportedWithTheReason() throws {
    try library.write("a.jpg")
    try library.write("a.xmp", xmp(settings))
    let folder = try #require(try Scan(library.files).map { try $0.get() }.first)
    try library.files.remove("a.xmp")
    let found = ForeignFile.find(for: FileName("a.jpg"), in: folder, files: library.files)
    let error = FileSystemError(.open, "a.xmp", .noSuchFileOrDirectory)
    #expect(found == [.unreadable("a.xmp", .file(error))])
  }

  @Test func aPhotoWithoutCompanionsHasNoEditByAnotherProgram() throws {
    try library.write("a.jpg")
    try library.write("b.jpg")
    try library.write("b.xmp", xmp(settings))
    #expect(try find("a.jpg").isEmpty)
  }
}
