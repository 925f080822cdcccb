import FileStructure
import PhotoMetadata
import TestSupport
import Testing
import Vips

@testable import PhotoRecipes
@testable import PhotoRender

/// Files whose colours are premultiplied by alpha look the same as other files when they are used
/// as photos, watermarks and masks.
@Suite struct AlphaMixingTests {
  private static let grey = Samples.flat([90, 90, 90], 32, 16)

  private static func marked(_ mark: [UInt8], on photo: Samples = grey) throws -> Samples {
    try Watermark.applied(
      to: photo, #""image": "m", "scale": 1, "margin": 0, "opacity": 1"#, files: ["m": mark])
  }

  private static func masked(_ mask: [UInt8]) throws -> [Int] {
    try MaskTests.develop(
      .flat([40, 40, 40], 32, 16), #"[{"filter": "invert", "mask": {"image": {"file": "m"}}}]"#,
      files: ["m": mask])[8, 8]
  }

  /// An image of 16 × 8 pixels with linear light 0…1.
  private static func floats(_ light: [Double], alpha: Double) throws -> Image {
    let pixel = light.map { Float($0) } + [Float(alpha)]
    return try Image(
      samples: (0..<16 * 8).flatMap { _ in pixel }, width: 16, height: 8, bands: 4
    ).applying("copy", ["interpretation": .choice("scrgb")])
  }

  @Test func aWatermarkOfPremultipliedFloatsIsCompositedCorrectly() throws {
    let (light, alpha) = ([0.5, 0.2, 0.1], 0.5)
    let mark = try MultipliedFile.tiff(Self.floats(light.map { $0 * alpha }, alpha: alpha))
    let found = try Self.marked(mark)[16, 8]
    let wanted = light.map { 255 * Curve.encode($0) * alpha + 90 * (1 - alpha) }
    #expect(zip(found, wanted).allSatisfy { abs(Double($0) - $1) <= 1.5 }, "\(found)")
  }

  /// If colours in a mask file are premultiplied by alpha, the mask's coverage is their luminance,
  /// not divided by alpha.
  @Test func aMaskOfPremultipliedFloatsUsesTheStoredLuminance() throws {
    let mask = try MultipliedFile.tiff(Self.floats([0.25, 0.25, 0.25], alpha: 0.5))
    let found = try Self.masked(mask)
    #expect(found.allSatisfy { abs(Double($0) - (40 + 175 * 0.25)) <= 1 }, "\(found)")
  }

  /// An alpha of 100.9 of 255 is rounded to 101.
  @Test func floatAlphaIsRoundedToTheNearestLevel() throws {
    let alpha = 100.9 / 255
    let mark = try SyntheticPhoto.bytes(
      Self.floats([0, 0, 0], alpha: alpha), "tiffsave_target")
    let white = Samples.flat([65_535, 65_535, 65_535], 32, 16, maximum: 65_535)
    let found = try Self.marked(mark, on: white)[16, 8][0]
    #expect(abs(Double(found) - 65_535 * (1 - alpha)) <= 65_535 / 255 * 0.55, "\(found)")
  }

  /// A JPEG XL file with premultiplied colours.
  private static func multipliedJXL(_ pixel: [Int]) throws -> [UInt8] {
    let file = try MultipliedFile.jxl(Samples.flat(pixel, 16, 8).image())
    try #require(AlphaTags.isPremultiplied(.bytes(file)))
    return file
  }

  @Test func anOverlayOfAPremultipliedJPEGXLFileIsComposited() throws {
    let colours = [60, 30, 15]
    let found = try Self.marked(Self.multipliedJXL(colours + [128]))[16, 8]
    let wanted = colours.map { Double($0) + 90 * (1 - 128 / 255.0) }
    #expect(zip(found, wanted).allSatisfy { abs(Double($0) - $1) <= 1.5 }, "\(found)")
  }

  @Test func aMaskOfAPremultipliedJPEGXLFileUsesTheStoredLuminance() throws {
    let found = try Self.masked(Self.multipliedJXL([64, 64, 64, 128]))
    #expect(found.allSatisfy { abs(Double($0) - (40 + 175 * 64 / 255.0)) <= 1.5 }, "\(found)")
  }

  @Test func aPremultipliedJPEGXLPhotoIsDividedByAlpha() throws {
    let photo = try Self.multipliedJXL([60, 30, 15, 128])
    let found = try Samples(file: Studio.develop(photo, "[]"))[8, 4]
    #expect(zip(found, [120, 60, 30, 128]).allSatisfy { abs($0 - $1) <= 1 }, "\(found)")
  }
}
