import Foundation
import TestSupport
import Testing

/// Photos, overlays and frames with transparency.
@Suite struct AlphaTests {
  /// An orange disc on a transparent background.
  ///
  /// Transparent pixels are black, as most programs write them.
  private static func disc(maximum: Int) -> Samples {
    var values: [Int] = []
    for y in 0..<80 {
      for x in 0..<80 {
        let distance = hypot(Double(x) - 39.5, Double(y) - 39.5)
        let alpha = min(1, max(0, 30 - distance))
        let colour = alpha > 0 ? [240, 140, 30] : [0, 0, 0]
        values += colour.map { $0 * maximum / 255 } + [Int((alpha * Double(maximum)).rounded())]
      }
    }
    return Samples(width: 80, height: 80, bands: 4, maximum: maximum, values: values)
  }

  @Test(
    arguments: [
      #"[{"filter": "resize", "width": 37}]"#,
      #"[{"filter": "resize", "width": 37, "linear": true}]"#,
      #"[{"filter": "blur", "radius": 4}]"#,
      #"[{"filter": "blur", "radius": 4, "opacity": 0.4}]"#,
      #"[{"filter": "blur", "radius": 4, "mask": {"linear": {"from": [0, 0], "to": [1, 1]}}}]"#,
      #"[{"filter": "resize", "width": 133, "enlarge": true}]"#,
      #"[{"filter": "blur", "radius": 2}, {"filter": "resize", "width": 25, "kernel": "linear"}]"#,
    ], [255, 65_535])
  func edgesOfATransparentPhotoKeepTheirColour(_ filters: String, _ maximum: Int) throws {
    let file = try Studio.develop(Self.disc(maximum: maximum).file(), filters)
    let result = try Samples(file: file)
    try #require(result.bands == 4 && result.maximum == maximum)
    for y in 0..<result.height {
      for x in 0..<result.width {
        let pixel = result[x, y].map { Double($0) / Double(maximum) }
        // A nearly transparent 8-bit pixel does not have enough precision for a comparison of its
        // colour.
        if pixel[3] < 0.1 { continue }
        for (value, wanted) in zip(pixel, [240, 140, 30]) {
          #expect(abs(value - Double(wanted) / 255) < 0.02, "\(x), \(y): \(pixel)")
        }
      }
    }
  }

  /// JPEG has no alpha, in a TIFF file either.
  @Test(arguments: [#""jpeg""#, #""tiff", "compression": "jpeg""#])
  func transparentPartsAreWhiteInFilesWithoutAlpha(_ format: String) throws {
    let file = try Studio.develop(
      Self.disc(maximum: 255).file(), "[]", output: #""format": \#(format)"#)
    let result = try Samples(file: file)
    #expect(result.bands == 3 && result[2, 2].allSatisfy { $0 >= 250 }, "\(result[2, 2])")
  }

  @Test func sharpeningLeavesNoDarkFringe() throws {
    let file = try Studio.develop(
      Self.disc(maximum: 255).file(), #"[{"filter": "sharpen", "amount": 2, "radius": 2}]"#)
    let result = try Samples(file: file)
    let opaque = (0..<80).flatMap { y in (0..<80).map { result[$0, y] } }.filter { $0[3] > 250 }
    #expect(opaque.count > 2000)
    #expect(opaque.allSatisfy { $0[0] >= 235 && $0[1] >= 130 })
  }

  /// A disc of one colour on a transparent background keeps its colour wherever it is not fully
  /// transparent.
  @Test(arguments: [
    #""denoise", "luma": 0.5, "chroma": 0.5"#, #""median", "radius": 3"#,
    #""surfaceBlur", "radius": 4"#, #""tiltShift", "radius": 6, "width": 0, "falloff": 0.1"#,
    #""pixelate", "size": 7"#, #""blur", "kind": "box", "radius": 5"#,
    #""blur", "kind": "motion", "radius": 6"#, #""blur", "kind": "zoom", "radius": 20"#,
    #""censor", "method": "blur", "size": 5"#, #""deconvolve", "halo": 0, "threshold": 0"#,
    #""moire", "radius": 4"#, #""defringe", "contrast": 0, "greenFrom": 0, "greenTo": 360"#,
    #""heal", "spots": [{"at": [0.3, 0.3], "radius": 8}, {"at": [0.85, 0.5], "radius": 5}]"#,
  ])
  func smoothingLeavesNoDarkFringe(_ filter: String) throws {
    let file = try Studio.develop(Self.disc(maximum: 255).file(), #"[{"filter": \#(filter)}]"#)
    let result = try Samples(file: file)
    for y in 0..<result.height {
      for x in 0..<result.width where result[x, y, 3] > 64 {
        for (value, wanted) in zip(result[x, y], [240, 140, 30]) {
          #expect(abs(value - wanted) <= 6, "\(x), \(y): \(result[x, y])")
        }
      }
    }
  }

  @Test(arguments: [("jpeg", [255, 255, 255]), ("png", [0, 0, 0, 0])])
  func transparentPixelsBecomeWhiteInAFormatWithoutAlpha(_ format: String, _ wanted: [Int]) throws {
    let file = try Studio.develop(
      Self.disc(maximum: 255).file(), "[]", output: #""format": "\#(format)""#)
    let corner = try Samples(file: file)[1, 1]
    #expect(zip(corner, wanted).allSatisfy { abs($0 - $1) <= 1 } && corner.count == wanted.count)
  }

  @Test(arguments: [255, 65_535])
  func aTransparentFrameStaysTransparent(_ maximum: Int) throws {
    let photo = try Samples.flat([maximum, 0, maximum], 10, 20, maximum: maximum).file()
    let filters = ##"[{"filter": "pad", "aspect": "1:1", "colour": "#ff880000"}]"##
    let result = try Samples(file: Studio.develop(photo, filters))
    #expect(result.width == 20 && result.bands == 4)
    #expect(result[2, 10, 3] == 0)
    #expect(result[10, 10] == [maximum, 0, maximum, maximum])
  }
}
