import Foundation
import PhotoRecipes
import PhotoRender
import TestRandom
import TestSupport
import Testing
import Vips

/// Photos resampled through projective maps, compared with cubic convolution in double precision.
@Suite struct WarpTests {
  private static func noise(
    _ width: Int, _ height: Int, bands: Int, maximum: Int
  ) -> Samples {
    var random = SeededGenerator(seed: 11)
    let values = (0..<width * height * bands).map { index in
      index % bands == 3 ? maximum : Int.random(in: 0...maximum, using: &random)
    }
    return Samples(width: width, height: height, bands: bands, maximum: maximum, values: values)
  }

  /// Keys' kernel with a = −1/2, in the form of his paper.
  private static func keys(_ distance: Double) -> Double {
    let s = abs(distance)
    if s < 1 { return 1.5 * s * s * s - 2.5 * s * s + 1 }
    return s < 2 ? -0.5 * s * s * s + 2.5 * s * s - 4 * s + 2 : 0
  }

  private static func value(_ photo: Samples, _ u: Double, _ v: Double, _ band: Int) -> Double {
    var sum = 0.0
    for y in Int(floor(v - 0.5)) - 1...Int(floor(v - 0.5)) + 2 {
      for x in Int(floor(u - 0.5)) - 1...Int(floor(u - 0.5)) + 2 {
        let column = min(max(x, 0), photo.width - 1)
        let row = min(max(y, 0), photo.height - 1)
        let sample = photo.values[(row * photo.width + column) * photo.bands + band]
        sum += Double(sample) * keys(u - 0.5 - Double(x)) * keys(v - 0.5 - Double(y))
      }
    }
    return min(max(sum, 0), Double(photo.maximum))
  }

  @Test(
    arguments: [255, 65_535],
    [
      #"{"filter": "straighten", "angle": 7}"#, #"{"filter": "straighten", "angle": -45}"#,
      #"{"filter": "straighten", "angle": 31, "keep": "most"}"#,
      #"{"filter": "perspective", "pitch": 14, "yaw": -9}"#,
      #"{"filter": "perspective", "corners": [[0.1,0.2],[0.85,0.05],[0.95,0.9],[0.05,0.8]]}"#,
    ])
  func warpedPixelsMatchTheFormula(_ maximum: Int, _ filter: String) throws {
    let photo = Self.noise(83, 61, bands: 3, maximum: maximum)
    let recipe = try Studio.recipe("[\(filter)]")
    let (map, size) = try #require(
      recipe.graph.nodes.compactMap { node -> (map: Homography, size: Size)? in
        guard case .warp(let warp) = node.operation else { return nil }
        return warp.resolved(for: Size(83, 61))
      }.first)
    let result = try Samples(file: Studio.develop(photo.file(), "[\(filter)]"))
    #expect(result.width == size.width && result.height == size.height)
    #expect(result.maximum == maximum)
    var largest = 0.0
    for y in 0..<size.height {
      for x in 0..<size.width {
        let place = map([Double(x) + 0.5, Double(y) + 0.5])
        for band in 0..<3 {
          let wanted = Self.value(photo, place.x, place.y, band)
          largest = max(largest, abs(Double(result[x, y][band]) - wanted))
        }
      }
    }
    #expect(largest <= (maximum == 255 ? 0.51 : 4))
  }

  /// The colours of transparent pixels are not mixed into their neighbours.
  @Test func transparentPixelsDoNotChangeTheirNeighboursInAWarp() throws {
    var photo = Samples.flat([255, 0, 0, 255], 60, 40)
    for index in stride(from: 0, to: photo.values.count / 2, by: 4) {
      photo.values.replaceSubrange(index..<index + 4, with: [0, 255, 0, 0])
    }
    let result = try Samples(
      file: Studio.develop(photo.file(), #"[{"filter": "straighten", "angle": 20}]"#))
    for index in stride(from: 0, to: result.values.count, by: 4)
    where result.values[index + 3] > 0 {
      #expect(result.values[index] >= 254 && result.values[index + 1] <= 1)
    }
  }

  /// With `balanced` rendering a reduction is moved before the warp; the picture is nearly the same
  /// as with `exact`.
  @Test func balancedWarpsAreCloseToExactWarps() throws {
    let photo = Self.smooth
    let filters =
      #"[{"filter": "straighten", "angle": 4}, {"filter": "resize", "width": 100}]"#
    let fast = try Samples(file: Studio.develop(photo.file(), filters))
    let exact = try Samples(file: Studio.develop(photo.file(), filters, rendering: "exact"))
    #expect(fast.difference(from: exact) <= 3)
  }

  private static let smooth: Samples = {
    var values: [Int] = []
    for y in 0..<600 {
      for x in 0..<800 {
        let wave = sin(Double(x) / 40) * cos(Double(y) / 30)
        values += [Int(127 + 120 * wave), Int(127 - 120 * wave), x * 255 / 800]
      }
    }
    return Samples(width: 800, height: 600, bands: 3, maximum: 255, values: values)
  }()
}
