import Foundation
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// The primaries and the alpha of OpenEXR files.
@Suite struct OpenEXRTests {
  private static let srgb: [Float] = [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329]
  private static let p3: [Float] = [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.3127, 0.329]
  private static let rec2020: [Float] = [0.708, 0.292, 0.17, 0.797, 0.131, 0.046, 0.3127, 0.329]
  /// The primaries of SMPTE ST 2065-1 (ACES); its blue is an imaginary colour.
  private static let aces: [Float] = [0.7347, 0.2653, 0, 1, 0.0001, -0.077, 0.32168, 0.33767]
  private static let xyz: [Float] = [1, 0, 0, 1, 0, 0, 1.0 / 3, 1.0 / 3]

  /// A linear sRGB colour that is stored with other primaries is read as the same sRGB colour.
  ///
  /// The test converts the colour to the other primaries by way of XYZ.
  @Test(arguments: [srgb, rec2020, aces, xyz]) func coloursWithOtherPrimariesAreConverted(
    _ numbers: [Float]
  ) throws {
    let points = stride(from: 0, to: 8, by: 2).map {
      SIMD2(Double(numbers[$0]), Double(numbers[$0 + 1]))
    }
    let space = Primaries(red: points[0], green: points[1], blue: points[2], white: points[3])
    let own = StandardProfile(description: "", primaries: space, tone: [1])
    let toOwn = try #require(own.xyz50FromRGB.inverse).after(StandardProfile.srgb.xyz50FromRGB)
    for colour in [[0.5, 0.2, 0.1], [0.1, 0.4, 0.7], [0.9, 0.9, 0.9]] {
      let value = toOwn(.init(colour[0], colour[1], colour[2]))
      let file = ScienceFiles.exr(8, 6, chromaticities: numbers) { _, _ in
        [Float(value.x), Float(value.y), Float(value.z)]
      }
      let pixel = try ScienceFiles.render(file, #"{"formats": ["exr"]}"#).picture[3, 3]
      for (found, light) in zip(pixel, colour) {
        // The expected 16-bit value, encoded with the sRGB curve.
        let wanted = 65_535 * (1.055 * pow(light, 1 / 2.4) - 0.055)
        #expect(abs(Double(found) - wanted) < 100, "\(numbers): \(pixel)")
      }
    }
  }

  /// A red outside sRGB is written to a JPEG XL file unchanged, with lossy and lossless
  /// compression.
  @Test(arguments: [p3, rec2020], [true, false])
  func coloursOutsideSRGBAreWrittenToJPEGXLUnchanged(_ numbers: [Float], _ isLossless: Bool) throws
  {
    let file = ScienceFiles.exr(64, 48, chromaticities: numbers) { _, _ in [0.9, 0.05, 0.1] }
    let recipe = try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0", "inputs": {"formats": ["exr"]},
         "outputs": [{"name": "out", "format": "jxl", "profile": "preserve",
          "lossless": \(isLossless)}]}
        """)
    let made = try #require(try Studio.render(file, recipe).files["out"])
    let (image, samples) = try (Image.recognised(made), Samples(file: made))
    guard case .blob(let bytes) = image.field("icc-profile-data"),
      case .matrix(let red, let green, let blue, let toSRGB) = ICCProfile(bytes),
      case .matrix(_, _, _, let wanted) = ICCProfile(
        try #require(Renderer.header(of: .bytes(file), recipe.inputs).profile))
    else {
      Issue.record("no profile of curves and a matrix")
      return
    }
    let pixel = samples[30, 20].map { Double($0) / 65_535 }
    let light = toSRGB(.init(red(pixel[0]), green(pixel[1]), blue(pixel[2])))
    let difference = light - wanted(.init(0.9, 0.05, 0.1))
    #expect(difference.max() < 0.02 && difference.min() > -0.02, "\(light)")
  }

  @Test func filesWithSRGBPrimariesGetNoProfile() throws {
    func profile(_ chromaticities: [Float]?) throws -> [UInt8]? {
      let file = ScienceFiles.exr(8, 6, chromaticities: chromaticities) { _, _ in [0.2, 0.4, 0.6] }
      let inputs = try Studio.recipe(
        text: """
          {"identifier": "org.example.test", "version": "1.0.0", "inputs": {"formats": ["exr"]},
           "outputs": [{"name": "out", "format": "png"}]}
          """
      ).inputs
      return try Renderer.header(of: .bytes(file), inputs).profile
    }
    #expect(try profile(nil) == nil && profile(Self.srgb) == nil)
    #expect(try profile(Self.rec2020) != nil)
    // Chromaticities that do not define a colour space are ignored.
    #expect(try profile([0, 0, 0, 0, 0, 0, 0, 0]) == nil)
    #expect(try profile([.nan, 0, 0, 1, 0, 0, 1, 1]) == nil)
  }

  /// The alpha of an OpenEXR file is kept, and the colours, which the file stores premultiplied by
  /// alpha, are divided by alpha.
  @Test func theAlphaOfAnOpenEXRFileIsKept() throws {
    let (light, alphas) = ([0.5, 0.2, 0.1], [0.25, 0.5, 1])
    let file = ScienceFiles.exr(3, 4, hasAlpha: true) { x, _ in
      light.map { Float($0 * alphas[x]) } + [Float(alphas[x])]
    }
    let picture = try ScienceFiles.render(file, #"{"formats": ["exr"]}"#).picture
    for (x, alpha) in alphas.enumerated() {
      let wanted = light.map { 1.055 * pow($0, 1 / 2.4) - 0.055 } + [alpha]
      let pixel = picture[x, 2].map { Double($0) / 65_535 }
      #expect(pixel.count == 4)
      #expect(zip(pixel, wanted).allSatisfy { abs($0 - $1) < 0.003 }, "\(pixel)")
    }
  }

  /// A file without alpha stays without alpha, although libvips would add an alpha channel.
  @Test func filesWithoutAlphaStayWithoutAlpha() throws {
    let file = ScienceFiles.exr(3, 4) { _, _ in [0.5, 0.2, 0.1] }
    #expect(try ScienceFiles.render(file, #"{"formats": ["exr"]}"#).picture.bands == 3)
  }
}
