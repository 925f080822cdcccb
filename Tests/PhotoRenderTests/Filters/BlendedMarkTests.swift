import TestSupport
import Testing

@testable import PhotoRecipes

/// A blend mode of a watermark or a text blends the mark with the photo below it, and nothing else.
@Suite struct BlendedMarkTests {
  private static let modes = BlendMode.allCases.filter { $0 != .normal && !$0.isComposition }

  private static func marked(
    _ photo: Samples, _ mark: Samples, _ settings: String
  ) throws -> Samples {
    try Watermark.applied(
      to: photo,
      #""image": "m.png", "scale": 0.2, "margin": 0.1, "gravity": "northwest", "#
        + settings,
      files: ["m.png": mark.file()])
  }

  /// Compares a random photo and a random mark with the formula in double precision.
  @Test(arguments: modes, [(3, 255), (4, 255), (3, 65_535), (4, 65_535)])
  func aWatermarkIsBlendedByTheFormula(
    _ mode: BlendMode, _ samples: (bands: Int, maximum: Int)
  ) throws {
    let photo = Samples.noise(100, 60, bands: samples.bands, maximum: samples.maximum)
    let mark = Samples.noise(20, 10, bands: 4)
    var wanted = photo
    let full = Double(photo.maximum)
    for y in 0..<mark.height {
      for x in 0..<mark.width {
        let pixel = Self.blended(
          mark[x, y].map { Double($0) / 255 }, mode,
          over: photo[x + 6, y + 6].map { Double($0) / full })
        let start = ((y + 6) * photo.width + x + 6) * photo.bands
        for (band, value) in pixel.enumerated() {
          wanted.values[start + band] = Int((value * full).rounded())
        }
      }
    }
    let found = try Self.marked(photo, mark, #""blend": "\#(mode.rawValue)""#)
    let difference = found.difference(from: wanted)
    #expect(difference <= (photo.maximum == 255 ? 1 : 4), "\(difference)")
  }

  /// The expected pixel: the blended colour of the mark, composited over the photo.
  ///
  /// Where the photo is less opaque than the mark, a part of the mark keeps its own colour.
  private static func blended(
    _ top: [Double], _ mode: BlendMode, over base: [Double]
  ) -> [Double] {
    let (above, below) = (top[3], base.count == 4 ? base[3] : 1)
    let (source, backdrop) = (
      BlendMode.Vector(top[0], top[1], top[2]), BlendMode.Vector(base[0], base[1], base[2])
    )
    let alone = below < above ? 1 - below / above : 0
    let colour = alone * source + (1 - alone) * mode(source, on: backdrop)
    let alpha = above + below * (1 - above)
    let mixed =
      alpha == 0
      ? backdrop : (above * colour + below * (1 - above) * backdrop) / alpha
    return [mixed.x, mixed.y, mixed.z] + (base.count == 4 ? [alpha] : [])
  }

  /// The opacity and the mask limit the blended mark, and not the photo.
  @Test func theOpacityAndTheMaskOfAStepApplyToTheBlendedMark() throws {
    let photo = Samples.flat([90, 120, 240], 100, 60)
    let mark = Samples.flat([200, 100, 0, 255], 20, 10)
    let half = try Self.marked(photo, mark, #""blend": "multiply", "opacity": 0.5"#)
    #expect(half[10, 10] == [81, 84, 120])
    #expect(half.ink(on: [90, 120, 240])?.size == Size(20, 10))
    let masked = try Self.marked(
      photo, mark,
      #""blend": "multiply", "mask": {"linear": {"from": [0.12, 0], "to": [0.13, 0]}}"#)
    #expect(masked[8, 10] == [90, 120, 240])
    #expect(masked[20, 10] == [71, 47, 0])
  }

  @Test func aCompositionTakesThePhotoWithTheMark() throws {
    let photo = Samples.noise(100, 60)
    let mark = Samples.noise(20, 10, bands: 4)
    let normal = try Self.marked(photo, mark, #""blend": "normal""#)
    #expect(try Self.marked(photo, mark, #""blend": "over""#) == normal)
  }

  @Test func aTextIsBlendedWithThePhotoBelow() throws {
    let photo = Samples.noise(300, 200)
    let settings = ##""content": "██", "size": 0.3, "colour": "#80ff40", "gravity": "center""##
    let found = try TextFilter.applied(to: photo, settings + #", "blend": "multiply""#)
    let plain = try TextFilter.applied(to: .flat([90, 90, 90], 300, 200), settings)
    let text = try #require(plain.ink(on: [90, 90, 90]))
    for y in 0..<photo.height {
      for x in 0..<photo.width where !text.contains(x, y) {
        #expect(found[x, y] == photo[x, y])
      }
    }
    let wanted = zip(photo[150, 100], [128, 255, 64]).map { Double($0 * $1) / 255 }
    #expect(zip(found[150, 100], wanted).allSatisfy { abs(Double($0) - $1) <= 1 })
  }
}

extension Rectangle {
  fileprivate func contains(_ x: Int, _ y: Int) -> Bool {
    (left..<left + size.width).contains(x) && (top..<top + size.height).contains(y)
  }
}
