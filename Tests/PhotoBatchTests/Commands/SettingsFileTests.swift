import PhotoBatch
import PhotoImport
import PhotoRecipes
import TestSupport
import Testing

/// The photo that is beside another program's settings.
@Suite struct SettingsFileTests {
  /// A JPEG file whose EXIF states a size.
  private func jpeg(_ size: Size, stating stated: Size? = nil) throws -> [UInt8] {
    let photo = try SyntheticPhoto.jpeg(width: size.width, height: size.height)
    guard let stated else { return photo }
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }
    func field(_ tag: Int, _ value: Int) -> [UInt8] {
      [UInt8(tag & 255), UInt8(tag >> 8), 4, 0] + number(1) + number(value)
    }
    let directory = [2, 0] + field(0xA002, stated.width) + field(0xA003, stated.height) + number(0)
    let content =
      Array("Exif\0\0II*\0".utf8) + number(8) + [1, 0] + field(0x8769, 26) + number(0) + directory
    let length = content.count + 2
    return photo[..<2] + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + content
      + photo[2...]
  }

  private func photo(_ bytes: [UInt8], _ name: String) throws -> SettingsPhoto {
    let folder = try TemporaryFolder()
    try folder.write(bytes, to: name)
    try folder.write("[Exposure]\nCompensation=1", to: "\(name).pp3")
    return try SettingsFile(folder["\(name).pp3"]).photo
  }

  /// A program that makes a photo smaller may leave its EXIF as it was.
  @Test func theSizeOfThePhotoIsThatOfItsPixels() throws {
    let reduced = try photo(jpeg(Size(120, 90), stating: Size(480, 320)), "a.jpg")
    #expect(reduced.size == Size(120, 90) && reduced.aspect == 120 / 90.0)
    let plain = try photo(jpeg(Size(60, 60)), "a.jpg")
    #expect(plain.size == Size(60, 60) && plain.aspect == 1)
    let png = try photo(SyntheticPhoto.png(width: 50, height: 20), "a.png")
    #expect(png.size == Size(50, 20))
    let tiff = try SyntheticPhoto.bytes(
      SyntheticPhoto.image(width: 50, height: 20), "tiffsave_target")
    #expect(try photo(tiff, "a.tif").size == Size(50, 20))
  }

  @Test func theSizeOfAPhotoWithSettingsInItIsThatOfItsPixels() throws {
    let folder = try TemporaryFolder()
    try folder.write(jpeg(Size(120, 90), stating: Size(480, 320)), to: "a.jpg")
    #expect(try SettingsFile(folder["a.jpg"]).photo.size == Size(120, 90))
  }
}
