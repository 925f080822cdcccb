import PhotoBatch
import PhotoImport
import PhotoRecipes
import TestSupport
import Testing

/// The photo that is beside another program's settings.
@Suite struct SettingsFileTests {
  /// A JPEG file whose EXIF states a size, or an exposure bias as a fraction.
  private func jpeg(
    _ size: Size, stating stated: Size? = nil, bias: (Int, Int)? = nil
  ) throws -> [UInt8] {
    let photo = try SyntheticPhoto.jpeg(width: size.width, height: size.height)
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }
    func field(_ tag: Int, _ value: Int) -> [UInt8] {
      [UInt8(tag & 255), UInt8(tag >> 8), 4, 0] + number(1) + number(value)
    }
    var fields = stated.map { field(0xA002, $0.width) + field(0xA003, $0.height) } ?? []
    if let bias {
      // A signed fraction, which follows the directory.
      fields = [0x04, 0x92, 10, 0] + number(1) + number(44) + number(0) + number(bias.0)
      fields += number(bias.1)
    }
    if fields.isEmpty { return photo }
    let directory = [UInt8(bias == nil ? 2 : 1), 0] + fields + number(0)
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

  /// A raw file may state its size only in the directory of its samples.
  @Test func theSizeOfARawPhotoIsThatOfItsDefaultCrop() throws {
    var file = SyntheticDNG(width: 60, height: 40) { _, _, _ in 0.2 }
    let whole = try photo(file.bytes, "a.dng")
    #expect(whole.size == Size(60, 40) && whole.aspect == 1.5 && whole.isRaw == true)
    file.crop = [2, 4, 40, 32]
    let cropped = try photo(file.bytes, "a.dng")
    #expect(cropped.size == Size(40, 32) && cropped.aspect == 1.25)
    #expect(try photo(jpeg(Size(60, 60)), "a.jpg").isRaw == false)
  }

  @Test func theExposureBiasOfThePhotoIsRead() throws {
    #expect(try photo(jpeg(Size(60, 60), bias: (-4, 2)), "a.jpg").exposureBias == -2)
    #expect(try photo(jpeg(Size(60, 60)), "a.jpg").exposureBias == 0)
    let folder = try TemporaryFolder()
    try folder.write("[Exposure]\nCompensation=1", to: "a.jpg.pp3")
    let alone = try SettingsFile(folder["a.jpg.pp3"]).photo
    #expect(alone.exposureBias == nil && alone.isRaw == nil)
  }

  @Test func theSizeOfAPhotoWithSettingsInItIsThatOfItsPixels() throws {
    let folder = try TemporaryFolder()
    try folder.write(jpeg(Size(120, 90), stating: Size(480, 320)), to: "a.jpg")
    #expect(try SettingsFile(folder["a.jpg"]).photo.size == Size(120, 90))
  }
}
