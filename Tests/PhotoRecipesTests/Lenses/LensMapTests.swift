import Foundation
import Notation
import Testing

@testable import PhotoRecipes

/// The map of a lens: its numbers, and the map of a photo that was cropped or rotated.
@Suite struct LensMapTests {
  typealias Point = LensMap.Point

  private static let map: LensMap = {
    var map = LensMap(centre: [1510, 980], unit: [0.001, 0.001])
    map.distortion = [1.02, 0.004, -0.03, 0.01, 0.002]
    map.red = [1.001, 0.0004, -0.0003]
    map.blue = [0.9992, 0, 0.0006]
    return map
  }()

  private static let points: [Point] = [
    [0, 0], [3000, 0], [1510, 980], [17, 1990], [2300, 644],
  ]

  private static func isNear(_ a: Point, _ b: Point) -> Bool {
    ((a - b) * (a - b)).sum().squareRoot() < 1e-6
  }

  /// Red and blue are moved relative to the position of green.
  @Test func redAndBlueFollowTheirPolynomials() {
    let point = Point(1510 + 600, 980 + 800)
    let s = 1.02 + 0.004 - 0.03 + 0.01 + 0.002
    let green = Self.map(point)
    #expect(Self.isNear(green, [1510 + 600 * s, 980 + 800 * s]))
    let red = s * (1.001 + 0.0004 * s - 0.0003 * s * s)
    #expect(Self.isNear(Self.map(point, .red), [1510 + 600 * red, 980 + 800 * red]))
    #expect(Self.isNear(Self.map([1510, 980], .blue), [1510, 980]))
  }

  @Test func aMapIsRestoredFromItsNumbers() {
    var map = Self.map
    #expect(LensMap(map.numbers) == map && map.numbers.count == 15)
    map.frame = LensMap.Frame(low: [-3, 4], high: [2000, 3000.5])
    #expect(LensMap(map.numbers) == map && map.numbers.count == 19)
    #expect(LensMap([1, 2, 3]) == nil)
  }

  @Test func theMapIsScaledWithAReducedPhoto() {
    let factor = Point(0.25, 0.2505)
    let reduced = Self.map.scaled(by: factor)
    for point in Self.points {
      #expect(Self.isNear(reduced(point * factor, .red), Self.map(point, .red) * factor))
    }
  }

  /// A photo that was cropped, rotated or flipped has the same correction at each pixel.
  @Test(arguments: [
    Homography.translation([300, 120]), .scale(2, 2.002),
    Homography([0, 1, 0], [-1, 0, 2000], [0, 0, 1]),
    Homography([-1, 0, 3000], [0, 1, 0], [0, 0, 1]),
    Homography.translation([40, 9]).after(Homography([0, -2, 3000], [2, 0, 0], [0, 0, 1])),
  ])
  func theMapOfACroppedOrRotatedPhotoCorrectsTheSamePixels(_ place: Homography) throws {
    let part = try #require(Self.map.seen(through: place))
    for point in Self.points {
      let inside = place.inverse(point)
      for channel in LensMap.Channel.allCases {
        #expect(Self.isNear(place(part(inside, channel)), Self.map(point, channel)))
      }
    }
  }

  @Test func aPhotoThatWasWarpedHasNoLensMap() {
    let turn = Homography([0.9, -0.1, 0], [0.1, 0.9, 0], [0, 0, 1])
    #expect(Self.map.seen(through: turn) == nil)
    #expect(Self.map.seen(through: Homography([1, 0, 0], [0, 1, 0], [0, 1e-5, 1])) == nil)
  }

  /// With the automatic magnification, an edge of the result touches the photo's edge, and no
  /// position is outside the photo.
  @Test(arguments: [-0.08, -0.01, 0.012, 0.06])
  func theAutomaticScaleLeavesNoBorder(_ k: Double) {
    let size = Size(3000, 2000)
    var map = LensMap(centre: [1500, 1000], unit: [0.001, 0.001])
    map.distortion = [1 - k, 0, k, 0, 0]
    let scale = map.fillingScale(size)
    var slack = Double.infinity
    for step in 0...300 {
      for x in [0, Double(10 * step), 3000] {
        for y in [0, Double(step) * 20 / 3, 2000] {
          let place = map(map.centre + (Point(x, y) - map.centre) / scale)
          slack = min(slack, place.x, place.y, 3000 - place.x, 2000 - place.y)
        }
      }
    }
    #expect(slack > -0.01 && slack < 0.5, "\(scale): \(slack)")
  }

  @Test(arguments: [
    #"{}"#, #"{"camera": "a", "lens": "b", "crop": 1}"#,
    #"{"camera": "a", "lens": "b", "crop": 0, "measuredCrop": 1, "measuredAspect": 1.5}"#,
    #"{"camera": "a", "lens": "b", "crop": 1, "measuredCrop": 1, "measuredAspect": 1.5, "poly3": [1e9]}"#,
    #"{"camera": "a", "lens": "b", "crop": 1, "measuredCrop": 1, "measuredAspect": 1.5, "red": [9, 0, 0]}"#,
  ])
  func unusableProfilesAreRefused(_ text: String) throws {
    let json = try #require(JSONParser.parse(SourceText(name: "", text: text)).json)
    #expect(LensProfile(json) == nil)
  }
}
