import PhotoLibrary
import Testing

/// Recognizes by their names the files that belong to the same photo, so that the photo waits until
/// all of them are stable.
@Suite struct GroupNamesTests {
  @Test(arguments: [
    ("IMG_1.HEIC", "IMG_1.AAE"), ("IMG_1.HEIC", "IMG_E1.JPG"), ("IMG_1.HEIC", "IMG_O1.AAE"),
    ("IMG_1.HEIC", "img_1.mov"), ("DSC1.JPG", "DSC1.ARW"), ("DSC1.JPG", "DSC1.JPG.xmp"),
    ("DSC1.JPG", "DSC1_01.JPG.xmp"), ("a.jpg", "a.jpg.phbatch.json"), ("a.jpg", "a.web.jpg"),
    ("a.web.jpg", "a.jpg.phbatch.json"), ("a.jpg", "a.jpg"), ("plain", "plain.xmp"),
    ("2024.01.02.jpg", "2024.01.02.xmp"),
  ])
  func filesThatBelongToOnePhotoWaitForEachOther(_ photo: String, _ other: String) {
    var names = GroupNames()
    names.insert(FileName(other))
    #expect(names.concern(FileName(photo)))
    var back = GroupNames()
    back.insert(FileName(photo))
    #expect(back.concern(FileName(other)))
  }

  @Test(arguments: [
    ("IMG_1.HEIC", "IMG_10.AAE"), ("IMG_10.HEIC", "IMG_1.AAE"), ("a.jpg", "ab.jpg"),
    ("2024.01.a.jpg", "2024.01.b.jpg"), ("a.jpg", "b.a.jpg"), ("one", "two"),
  ])
  func filesOfDifferentPhotosDoNotWaitForEachOther(_ photo: String, _ other: String) {
    var names = GroupNames()
    names.insert(FileName(other))
    #expect(!names.concern(FileName(photo)))
  }

  @Test func noPhotoWaitsForAnEmptySetOfNames() {
    #expect(!GroupNames().concern(FileName("a.jpg")))
  }
}
