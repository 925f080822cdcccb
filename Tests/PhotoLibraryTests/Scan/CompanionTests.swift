import PhotoRecipes
import SystemPackage
import Testing

@testable import PhotoLibrary

/// Assigns files to photos by their names alone.
@Suite struct CompanionTests {
  let library: TemporaryLibrary

  init() throws { library = try TemporaryLibrary() }

  private func folder(_ names: String...) throws -> ScannedFolder {
    for name in names { try library.write(FilePath(name)) }
    return try #require(try Scan(library.files).map { try $0.get() }.first)
  }

  private func companions(_ folder: ScannedFolder, _ photo: String) -> [String] {
    folder.companions(of: FileName(photo)).map { "\($0.file.name)" }
  }

  private func files(_ folder: ScannedFolder) -> [String] { folder.files.map { "\($0.name)" } }

  @Test func theFilesExportedByApplePhotosAreOnePhoto() throws {
    let folder = try folder(
      "IMG_1234.HEIC", "IMG_1234.MOV", "IMG_1234.AAE", "IMG_E1234.HEIC", "IMG_E1234.MOV",
      "IMG_O1234.AAE")
    #expect(files(folder) == ["IMG_1234.HEIC"])
    #expect(
      companions(folder, "IMG_1234.HEIC") == [
        "IMG_1234.AAE", "IMG_1234.MOV", "IMG_E1234.HEIC", "IMG_E1234.MOV", "IMG_O1234.AAE",
      ])
    let kinds = folder.companions.map(\.kind)
    #expect(kinds == [.aae, .film, .edited, .edited, .originalAAE])
  }

  /// If an operating system added a number to the name of a copied photo, its companions are the
  /// files with the same number.
  @Test(arguments: ["", " 2", "(1)", " (12)"])
  func aNumberedCopyOfAPhotoGetsTheCompanionsWithTheSameNumber(_ copy: String) throws {
    let folder = try folder(
      "IMG_1234.JPG", "IMG_1234\(copy).JPG", "IMG_E1234\(copy).JPG", "IMG_1234\(copy).AAE",
      "IMG_O1234\(copy).AAE")
    #expect(
      companions(folder, "IMG_1234\(copy).JPG") == [
        "IMG_1234\(copy).AAE", "IMG_E1234\(copy).JPG", "IMG_O1234\(copy).AAE",
      ])
    if !copy.isEmpty { #expect(companions(folder, "IMG_1234.JPG").isEmpty) }
  }

  @Test func companionNamesIgnoreCaseUnlessANameMatchesExactly() throws {
    let folder = try folder(
      "img_1.heic", "IMG_1.aae", "img_e1.jpg", "Img_O1.Aae", "A.JPG", "a.jpg", "A.JPG.xmp",
      "a.jpg.XMP", "b.JPG", "B.jpg.xmp", "B.xmp")
    #expect(
      companions(folder, "img_1.heic") == ["IMG_1.aae", "Img_O1.Aae", "img_e1.jpg"])
    #expect(companions(folder, "A.JPG") == ["A.JPG.xmp"])
    #expect(companions(folder, "a.jpg") == ["a.jpg.XMP"])
    #expect(companions(folder, "b.JPG") == ["B.jpg.xmp", "B.xmp"])
  }

  @Test(arguments: [
    "IMG_E.JPG", "IMG_EDIT.JPG", "IMG_E12a.JPG", "IMG_E12 .JPG", "IMG_E12 (.JPG", "IMG_E12().JPG",
    "IMG_E12-1.JPG", "IMG_E13.JPG", "IMGE12.JPG", "DSC_E12.JPG",
  ])
  func filesWhoseNamesOnlyResembleAnEditedImageAreSeparatePhotos(_ name: String) throws {
    let folder = try folder("IMG_12.JPG", "DSC_12.JPG", "IMG_.JPG", name)
    #expect(files(folder).contains(name))
    #expect(folder.companions.isEmpty)
  }

  @Test func theEditedImageOfAFilmIsNotACompanion() throws {
    let folder = try folder("IMG_1.MOV", "IMG_E1.JPG", "IMG_E1.MOV", "IMG_2.CR2", "IMG_E2.JPG")
    #expect(files(folder) == ["IMG_1.MOV", "IMG_2.CR2", "IMG_E1.JPG"])
    #expect(companions(folder, "IMG_1.MOV") == ["IMG_E1.MOV"])
    #expect(companions(folder, "IMG_2.CR2") == ["IMG_E2.JPG"])
  }

  @Test func aCamerasAdjustmentFileIsRecognizedForAnyPhotoName() throws {
    let folder = try folder("Family.heic", "Family_O.AAE", "X_O.jpg", "X_O.AAE", "X.jpg")
    #expect(folder.companions(of: FileName("Family.heic")).map(\.kind) == [.originalAAE])
    #expect(folder.companions(of: FileName("X_O.jpg")).map(\.kind) == [.aae])
    #expect(companions(folder, "X.jpg").isEmpty)
  }

  @Test func duplicateSidecarsOfDarktableBelongToTheirPhoto() throws {
    let folder = try folder(
      "a.NEF", "a.NEF.xmp", "a_01.NEF.xmp", "a_12.NEF.xmp", "b.JPG", "b_01.JPG", "b_01.JPG.xmp",
      "c.JPG", "c_1.JPG.xmp")
    #expect(companions(folder, "a.NEF") == ["a.NEF.xmp", "a_01.NEF.xmp", "a_12.NEF.xmp"])
    #expect(companions(folder, "b.JPG").isEmpty)
    #expect(companions(folder, "b_01.JPG") == ["b_01.JPG.xmp"])
    #expect(companions(folder, "c.JPG").isEmpty)
  }

  @Test func companionsOfPhotosWithNonUTF8NamesAreFound() throws {
    try library.write(FilePath(name: [0xFF, 0x2E, 0x6A, 0x70, 0x67]))
    try library.write(FilePath(name: [0xFF, 0x2E, 0x78, 0x6D, 0x70]))
    let folder = try folder()
    #expect(folder.companions(of: FileName(bytes: [0xFF, 0x2E, 0x6A, 0x70, 0x67])).count == 1)
  }
}
