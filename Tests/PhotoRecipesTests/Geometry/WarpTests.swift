import Foundation
import Testing

@testable import PhotoRecipes

/// Tests projective maps, and the part of a frame that they keep.
@Suite struct WarpTests {
  typealias Point = Homography.Point

  private static let sizes = [Size(4000, 3000), Size(3000, 4000), Size(997, 991), Size(50, 2000)]

  private static func distance(_ a: Point, _ b: Point) -> Double {
    ((a - b) * (a - b)).sum().squareRoot()
  }

  @Test func aMapFollowedByItsInverseGivesTheSamePoint() {
    let map = Homography.square(to: [[3, 2], [40, -3], [50, 44], [-5, 30]])
    for point: Point in [[0, 0], [1, 0], [1, 1], [0, 1], [0.3, 0.8]] {
      #expect(Self.distance(map.inverse(map(point)), point) < 1e-12)
    }
    #expect(Self.distance(map([0, 0]), [3, 2]) < 1e-12)
    #expect(Self.distance(map([1, 0]), [40, -3]) < 1e-12)
    #expect(Self.distance(map([1, 1]), [50, 44]) < 1e-12)
    #expect(Self.distance(map([0, 1]), [-5, 30]) < 1e-12)
  }

  /// Compares the result with the formula for the largest rectangle with the photo's aspect ratio
  /// inside the rotated photo.
  @Test(arguments: sizes, [-45.0, -30, -3.2, 0.5, 7, 44.9])
  func straighteningKeepsTheLargestRectangle(_ size: Size, _ degrees: Double) {
    let angle = abs(degrees) * .pi / 180
    let (w, h) = (Double(size.width), Double(size.height))
    let factor = min(
      w / (w * cos(angle) + h * sin(angle)), h / (w * sin(angle) + h * cos(angle)))
    let result = Warp(.turn(degrees)).resolved(for: size)
    #expect(abs(Double(result.size.width) - w * factor) <= 1)
    #expect(abs(Double(result.size.height) - h * factor) <= 1)
    // The result is completely inside the photo, and has the same centre.
    for corner: Point in [[0, 0], [1, 0], [0, 1], [1, 1]] {
      let size = Point(Double(result.size.width), Double(result.size.height))
      let place = result.map(corner * size)
      #expect(place.x > -1e-6 && place.x < w + 1e-6 && place.y > -1e-6 && place.y < h + 1e-6)
      #expect(Self.distance(result.map(size / 2), [w / 2, h / 2]) < 1e-6)
    }
  }

  /// Compares the largest box of any aspect ratio with a search over centred boxes.
  @Test(arguments: sizes, [-45.0, -12, 2, 30])
  func keepingMostGivesTheLargestBox(_ size: Size, _ degrees: Double) {
    var warp = Warp(.turn(degrees))
    warp.keeping = .most
    let result = warp.resolved(for: size).size
    let angle = abs(degrees) * .pi / 180
    let (w, h) = (Double(size.width), Double(size.height))
    var best = 0.0
    for step in 0...40_000 {
      let width = (w * cos(angle) + h * sin(angle)) * Double(step) / 40_000
      let height = min(
        (w - width * cos(angle)) / sin(angle), (h - width * sin(angle)) / cos(angle))
      best = max(best, width * height)
    }
    #expect(Double((result.width + 1) * (result.height + 1)) >= best * 0.999)
    #expect(Double(result.width * result.height) <= best * 1.001)
  }

  @Test func keepingAllGivesTheBoundingBox() {
    var warp = Warp(.turn(30))
    warp.keeping = .all
    let result = warp.resolved(for: Size(400, 300))
    let (c, s) = (cos(Double.pi / 6), sin(Double.pi / 6))
    #expect(
      result.size
        == Size(Int((400 * c + 300 * s).rounded(.up)), Int((400 * s + 300 * c).rounded(.up))))
  }

  /// A positive angle rotates the photo clockwise, so its right side moves down.
  @Test func positiveAnglesTurnClockwise() {
    let map = Warp(.turn(10)).resolved(for: Size(1000, 1000)).map.inverse
    #expect(map([900, 500]).y > map([500, 500]).y)
  }

  @Test(arguments: sizes, [(30.0, 30.0), (-30, 0), (0, 21), (12, -7)])
  func theFrameOfATiltedPhotoStaysInsideThePhoto(_ size: Size, _ angles: (Double, Double)) {
    for keeping in [Warp.Keeping.shape, .most] {
      var warp = Warp(.tilt(pitch: angles.0, yaw: angles.1, focalLength: 28))
      warp.keeping = keeping
      let (map, result) = warp.resolved(for: size)
      for corner: Point in [[0, 0], [1, 0], [0, 1], [1, 1]] {
        let point = corner * Point(Double(result.width), Double(result.height))
        #expect(map.depth(at: point) > 0)
        let place = map(point)
        #expect(place.x > -1e-3 && place.x < Double(size.width) + 1e-3)
        #expect(place.y > -1e-3 && place.y < Double(size.height) + 1e-3)
      }
    }
  }

  /// A positive pitch enlarges the upper part of the photo, and a positive yaw the left part: two
  /// points there become farther apart.
  @Test func pitchWidensTheTopAndYawTheLeft() {
    let size = Size(1000, 1000)
    let pitched = Warp(.tilt(pitch: 10, yaw: 0, focalLength: 28)).resolved(for: size).map.inverse
    #expect(pitched([600, 200]).x - pitched([400, 200]).x > 205)
    #expect(pitched([600, 800]).x - pitched([400, 800]).x < 195)
    let yawed = Warp(.tilt(pitch: 0, yaw: 10, focalLength: 28)).resolved(for: size).map.inverse
    #expect(yawed([200, 600]).y - yawed([200, 400]).y > 205)
    #expect(yawed([800, 600]).y - yawed([800, 400]).y < 195)
  }

  @Test func theGivenCornersBecomeTheCornersOfTheFrame() {
    let corners: [Point] = [[0.1, 0.2], [0.85, 0.05], [0.95, 0.9], [0.05, 0.8]]
    let (map, size) = Warp(.corners(corners, aspect: nil)).resolved(for: Size(2000, 1000))
    let ends: [Point] = [[0, 0], [1, 0], [1, 1], [0, 1]]
    for (corner, end) in zip(corners, ends) {
      let place = map(end * Point(Double(size.width), Double(size.height)))
      #expect(Self.distance(place, corner * Point(2000, 1000)) < 1e-6)
    }
  }

  @Test func aReductionBeforeAWarpLeavesTwiceTheTargetSize() throws {
    let graph = try GoldenGraphTests.plan(
      #"[{"filter": "straighten", "angle": 3}, {"filter": "resize", "width": 400}]"#)
    let names = graph.nodes.map(\.operation.name)
    #expect(names == ["original", "resize", "warp", "resize"])
    let shape = PhotoShape(stored: Size(4000, 3000), orientation: .upright, shrinks: [1, 2, 4, 8])
    let sizes = graph.sizes(for: shape)
    #expect(sizes[2] == Size(800, 600) && sizes[3] == Size(400, 300))
    #expect(graph.nodes[0].operation == .original(shrink: 2))
    let exact = try GoldenGraphTests.plan(
      #"[{"filter": "straighten", "angle": 3}, {"filter": "resize", "width": 400}]"#,
      rendering: .exact)
    #expect(exact.nodes.map(\.operation.name) == ["original", "warp", "resize"])
  }

  @Test func aCropAfterAWarpBecomesPartOfTheWarp() throws {
    let graph = try GoldenGraphTests.plan(
      #"[{"filter": "straighten", "angle": 3}, {"filter": "crop", "width": 400, "height": 300}]"#)
    #expect(graph.nodes.map(\.operation.name) == ["original", "warp"])
  }

  /// A photo rotated by a small angle is read row by row; for a large angle, the whole photo is
  /// materialized.
  @Test(arguments: [(2.0, true), (-6, true), (20, false), (45, false)])
  func onlyLargeRotationsNeedRandomAccess(_ angle: Double, _ streams: Bool) throws {
    let graph = try GoldenGraphTests.plan(#"[{"filter": "straighten", "angle": \#(angle)}]"#)
    #expect(graph.heldNodes.isEmpty == streams)
  }

  @Test(arguments: [
    #"{"filter": "perspective", "corners": [[0,0],[1,0],[1,1]]}"#,
    #"{"filter": "perspective", "corners": [[0,0],[0,1],[1,1],[1,0]]}"#,
    #"{"filter": "perspective", "corners": [[0,0],[1,0],[0.2,0.2],[0,1]]}"#,
    #"{"filter": "perspective", "corners": [[0,0],[1,0],[1,1],[0,1]], "pitch": 3}"#,
    #"{"filter": "perspective", "aspect": "3:2"}"#,
    #"{"filter": "straighten", "angle": 46}"#,
    #"{"filter": "smartCrop"}"#,
    #"{"filter": "smartCrop", "aspect": "1:1", "focus": [0.5, 0.5]}"#,
    #"{"filter": "text"}"#, #"{"filter": "text", "content": "{what}"}"#,
    #"{"filter": "text", "content": "{stem"}"#, #"{"filter": "text", "content": "a } b"}"#,
    #"{"filter": "text", "content": "{date:yyyyQ}"}"#,
    #"{"filter": "text", "content": "a", "font": "A", "fontFile": "f.ttf"}"#,
    #"{"filter": "text", "content": "a", "font": "A, B"}"#,
    #"{"filter": "watermark", "image": "a.png", "angle": 200}"#,
    #"{"filter": "shadow", "opacity": 0.5}"#, #"{"filter": "product", "opacity": 0.5}"#,
  ])
  func anInvalidSettingGivesExactlyOneError(_ filter: String) {
    var text = RecipeText()
    text.filters = "[\(filter)]"
    #expect(diagnostics(text).count == 1)
  }
}
