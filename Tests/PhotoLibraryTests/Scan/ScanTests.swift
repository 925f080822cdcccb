import Notation
import PhotoRecipes
import SystemPackage
import Testing

@testable import PhotoLibrary

@Suite struct ScanTests {
  let library: TemporaryLibrary

  init() throws { library = try TemporaryLibrary() }

  private func scan() throws -> [ScannedFolder] {
    try Scan(library.files).map { try $0.get() }
  }

  private func files(_ folder: ScannedFolder) -> [String] { folder.files.map { "\($0.name)" } }

  @Test func theScanOfAnEmptyLibraryReturnsOneEmptyFolder() throws {
    let folders = try scan()
    #expect(folders.count == 1)
    #expect(folders.first?.path == "")
    #expect(folders.first?.files.isEmpty == true)
  }

  @Test func aScanReturnsFoldersInTheOrderOfTheirPaths() throws {
    for path in ["a/b/1.jpg", "a-b/2.jpg", "a/3.jpg", "4.jpg", "B/5.jpg", "a/b.c/6.jpg"] {
      try library.write(FilePath(path))
    }
    let folders = try scan()
    #expect(folders.map { $0.path.string } == ["", "B", "a", "a/b", "a/b.c", "a-b"])
    let keys = folders.map { $0.path.bytes.map { $0 == UInt8(ascii: "/") ? 0 : $0 } }
    #expect(keys == keys.sorted { $0.lexicographicallyPrecedes($1) })
  }

  @Test func aScanReturnsFilesInTheByteOrderOfTheirNames() throws {
    let names: [[UInt8]] = [
      Array("IMG_0001 with a long name b.jpg".utf8), Array("IMG_0001 with a long name a.jpg".utf8),
      Array("IMG_0001 with a l".utf8), Array("IMG_0001 with a ".utf8), Array("b".utf8),
      Array("a\n.jpg".utf8), [0xFF, 0x61], [0xC3, 0xA9], Array("a".utf8),
      [UInt8](repeating: 0x7A, count: 255), [UInt8](repeating: 0x7A, count: 254),
    ]
    for name in names { try library.write(FilePath(name: name)) }
    let found = try scan()[0].files.map { Array($0.name.bytes) }
    #expect(found == names.sorted { $0.lexicographicallyPrecedes($1) })
  }

  @Test func aScanGivesAReasonForEachSkippedEntry() throws {
    try library.write("a.jpg")
    try library.write(".hidden.jpg")
    try library.write(".git/config")
    try library.write("@eaDir/a.jpg")
    try library.write("folder.jpg/b.jpg")
    try library.makeFIFO("fifo.jpg")
    try library.link("link.jpg", to: "a.jpg")
    try library.link("loop", to: ".")
    try library.link("dangling.jpg", to: "none.jpg")
    try library.write(".phbatch/run.lock")
    try library.write(".phbatch-12-3.tmp")
    let folders = try scan()
    #expect(folders.map { $0.path.string } == ["", "folder.jpg"])
    #expect(files(folders[0]) == ["a.jpg"])
    #expect(files(folders[1]) == ["b.jpg"])
    #expect(folders[0].leftovers == [FileName(".phbatch-12-3.tmp")])
    let reasons = Dictionary(
      uniqueKeysWithValues: folders[0].skipped.map { ("\($0.name)", $0.reason) })
    #expect(
      reasons == [
        ".hidden.jpg": .hidden, ".git": .hidden, "@eaDir": .thumbnails,
        "folder.jpg": .folderNamedLikePhoto, "fifo.jpg": .notFile, "link.jpg": .symbolicLink,
        "loop": .symbolicLink, "dangling.jpg": .symbolicLink,
      ])
  }

  @Test func aScanDoesNotEnterOtherLibraries() throws {
    try library.write("mine.jpg")
    try library.write("web/.phbatch/library", "/photos\n")
    try library.write("web/deep/theirs.jpg")
    try library.write("file/.phbatch")
    try library.write("file/a.jpg")
    let folders = try scan()
    #expect(folders.map { $0.path.string } == ["", "file", "web"])
    #expect(files(folders[1]) == ["a.jpg"])
    #expect(folders[2].files.isEmpty)
    #expect(folders[2].skipped.map(\.reason) == [.anotherLibrary])
  }

  @Test func ignoreRulesApplyToFoldersAndFiles() throws {
    try library.write(".phbatchignore", "drafts/\n*.tif\n")
    try library.write("a.tif")
    try library.write("a.jpg")
    try library.write("x/drafts/b.jpg")
    try library.write("x/.phbatchignore", "!keep.tif\n")
    try library.write("x/keep.tif")
    let folders = try scan()
    #expect(folders.map { $0.path.string } == ["", "x"])
    #expect(files(folders[0]) == ["a.jpg"])
    #expect(folders[0].skipped == [SkippedEntry(name: FileName("a.tif"), reason: .ignored)])
    #expect(files(folders[1]) == ["keep.tif"])
    #expect(folders[1].skipped == [SkippedEntry(name: FileName("drafts"), reason: .ignored)])
    let scan = Scan(library.files)
    #expect(try scan.excludes("x/drafts/deep"))
    #expect(try scan.excludes("x/.cache"))
    #expect(try !scan.excludes("x/other"))
  }

  @Test func aFolderWithInvalidIgnoreRulesIsReported() throws {
    try library.write("a/.phbatchignore", "[")
    try library.write("a/b/c.jpg")
    try library.write("z/d.jpg")
    let results = Array(Scan(library.files))
    #expect(results.count == 3)
    let place = IgnoreRulesError.Place(folder: "a", line: 1)
    #expect(throws: ScanError.rules(.pattern(.unclosed("[", position: 1), place), folder: "a")) {
      try results[1].get()
    }
    #expect(try results[2].get().path == "z")
  }

  @Test func aFolderThatCannotBeOpenedDoesNotStopTheScan() throws {
    // A path of more than 4,095 bytes can only be created step by step, and cannot be opened in one
    // call.
    let name = [UInt8](repeating: UInt8(ascii: "d"), count: 250)
    var folder = library.files
    for _ in 0..<17 {
      try folder.createFolder(FilePath(name: name))
      folder = try folder.root.withDescriptor { parent in
        let open = FilePath("/proc/self/fd/\(parent.rawValue)")
        return try RealFileSystem(root: open.appending(FilePath(name: name).components))
      }
    }
    try library.write("z/a.jpg")
    let results = Array(Scan(library.files))
    let failures = results.compactMap { result -> ScanError? in
      guard case .failure(let error) = result else { return nil }
      return error
    }
    #expect(failures.count == 1)
    guard case .folder(let error) = failures.first else {
      Issue.record("no folder failed")
      return
    }
    #expect(error.errno == .fileNameTooLong)
    #expect(try results.last?.get().path == "z")
  }

  @Test func anErrorAffectsPathsInFoldersThatWereNotScanned() {
    let folder = ScanError.folder(FileSystemError(.list, "a", .permissionDenied))
    let rules = ScanError.folder(FileSystemError(.open, "a/.phbatchignore", .permissionDenied))
    let file = ScanError.folder(FileSystemError(.describe, "a/b.jpg", .permissionDenied))
    for error in [folder, rules, file] {
      for path in ["", "a", "a/b.jpg", "a/c.jpg"] as [FilePath] { #expect(error.affects(path)) }
      for path in ["b", "b.jpg", "ab/c.jpg"] as [FilePath] { #expect(!error.affects(path)) }
      // The folders beside a file were scanned.
      #expect(error.affects("a/d/e.jpg") == (error != file))
    }
  }

  @Test func aScanAssignsSidecarsAndCompanionsToOriginals() throws {
    for name in [
      "IMG_1.JPG", "IMG_1.JPG.phbatch.json", "IMG_1.AAE", "IMG_O1.AAE", "IMG_E1.JPG", "IMG_1.MOV",
      "IMG_2.MOV", "IMG_E3.JPG", "X.CR2", "X.CR2.xmp", "X.JPG", "X.xmp", "X.JPG.pp3", "notes.txt",
      "IMG_1.jpg.xmp", "IMG_E.JPG",
    ] {
      try library.write(FilePath(name))
    }
    let folder = try scan()[0]
    #expect(
      files(folder) == [
        "IMG_1.JPG", "IMG_2.MOV", "IMG_E.JPG", "IMG_E3.JPG", "X.CR2", "X.JPG", "notes.txt",
      ])
    #expect(folder.sidecars.map { "\($0.name)" } == ["IMG_1.JPG.phbatch.json"])
    func companions(_ name: String) -> [String] {
      folder.companions(of: FileName(name)).map { "\($0.file.name) \($0.kind)" }
    }
    #expect(
      companions("IMG_1.JPG") == [
        "IMG_1.AAE aae", "IMG_1.MOV film", "IMG_1.jpg.xmp xmp", "IMG_E1.JPG edited",
        "IMG_O1.AAE originalAAE",
      ])
    #expect(companions("X.CR2") == ["X.CR2.xmp xmp", "X.xmp xmp"])
    #expect(companions("X.JPG") == ["X.JPG.pp3 pp3", "X.xmp xmp"])
    #expect(companions("IMG_2.MOV").isEmpty)
  }

  @Test func aScannedFileHasTheStatusOfTheFileOnDisk() throws {
    try library.write("a.jpg", "12345")
    let file = try scan()[0].files[0]
    #expect(file.status == (try library.files.status(at: "a.jpg")))
    #expect(file.status.identity.size == 5)
    #expect(file.claim == .photo(.jpeg))
  }

  @Test func aFolderWithManyEntriesIsListedCompletely() throws {
    for number in 0..<2_000 {
      let name = FilePath("a file with a rather long name to fill buffers \(number).jpg")
      _ = try library.files.create(name)
    }
    let folder = try #require(try scan().first)
    let names = folder.files.map(\.name)
    #expect(names.count == 2_000)
    #expect(Set(names).count == 2_000)
    #expect(names == names.sorted())
  }
}
