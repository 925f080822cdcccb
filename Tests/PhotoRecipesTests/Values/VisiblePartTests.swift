import PhotoRecipes
import Testing

/// Tests which part of a frame shows the photo, and not a border or other surroundings.
@Suite struct VisiblePartTests {
  /// Steps, the size of their frame, and the columns and rows of the frame that show the photo, whose
  /// upright size is 400 × 200.
  struct Case: Sendable {
    let steps: String
    let frame: Size
    let columns: Range<Int>
    let rows: Range<Int>

    init(_ steps: String, _ frame: Size, _ columns: Range<Int>, _ rows: Range<Int>) {
      (self.steps, self.frame, self.columns, self.rows) = (steps, frame, columns, rows)
    }
  }

  private static let crop =
    #"{"filter": "crop", "left": 50, "top": 10, "width": 200, "height": 100}"#

  private static func border(_ width: Int) -> String {
    #"{"id": "b\#(width)", "filter": "border", "width": \#(width)}"#
  }

  private static let cases = [
    Case("", Size(400, 200), 0..<400, 0..<200),
    Case(crop, Size(200, 100), 0..<200, 0..<100),
    Case(border(100), Size(600, 400), 100..<500, 100..<300),
    Case("\(crop), \(border(20))", Size(240, 140), 20..<220, 20..<120),
    Case("\(crop), \(border(1))", Size(202, 102), 1..<201, 1..<101),
    Case("\(border(20)), \(border(10))", Size(460, 260), 30..<430, 30..<230),
    Case(
      #"\#(border(20)), {"filter": "crop", "left": 10, "top": 30, "width": 100, "height": 90}"#,
      Size(100, 90), 10..<100, 0..<90),
    Case(
      #"\#(border(20)), {"filter": "crop", "left": 100, "right": 100}, \#(border(10))"#,
      Size(260, 260), 10..<250, 30..<230),
    Case(
      #"\#(border(20)), {"filter": "crop", "left": 0, "width": 20}"#, Size(20, 240), 0..<0, 0..<0),
    Case(
      #"\#(crop), \#(border(20)), {"filter": "rotate", "angle": 90}"#, Size(140, 240), 20..<120,
      20..<220),
    Case(
      #"\#(crop), {"filter": "flip"}, {"filter": "pad", "width": 300, "gravity": "west"}"#,
      Size(300, 100), 0..<200, 0..<100),
    Case(
      #"\#(crop), \#(border(20)), {"filter": "resize", "width": 120}"#, Size(120, 70), 10..<110,
      10..<60),
    Case(
      #"{"filter": "resize", "width": 100, "height": 100, "fit": "cover"}, \#(border(10))"#,
      Size(120, 120), 10..<110, 10..<110),
    Case(
      #"{"filter": "resize", "width": 50}, {"filter": "crop", "left": 10}, \#(border(5))"#,
      Size(50, 35), 5..<45, 5..<30),
  ]

  private static func part(
    _ steps: String, _ orientation: Orientation = .upright,
    _ rendering: RenderingMode = .balanced
  ) throws -> (part: VisiblePart, frame: Size) {
    let upright = Size(400, 200)
    let stored = orientation.swapsEdges ? upright.turned : upright
    let graph = try GoldenGraphTests.plan(
      "[\(steps)]", stored.width, stored.height, orientation: orientation, rendering: rendering)
    let shape = PhotoShape(stored: stored, orientation: orientation, shrinks: [1, 2, 4, 8])
    let part = try #require(graph.visibleParts(for: shape)["o"])
    return (part, graph.sizes(for: shape)[graph.outputs[0].node])
  }

  @Test(arguments: cases, Orientation.allCases) func onlyWhatCropsLeftIsVisible(
    _ wanted: Case, _ orientation: Orientation
  ) throws {
    for rendering in [RenderingMode.balanced, .exact] {
      let (part, frame) = try Self.part(wanted.steps, orientation, rendering)
      #expect(frame == wanted.frame, "\(wanted.steps)")
      #expect(part.fillsFrame == (wanted.columns.count * wanted.rows.count == frame.pixels))
      for y in 0..<frame.height {
        for x in 0..<frame.width {
          let isVisible = part.isVisible(at: Self.position(Double(x) + 0.5, Double(y) + 0.5, frame))
          let isWanted = wanted.columns.contains(x) && wanted.rows.contains(y)
          if isVisible != isWanted { Issue.record("\(wanted.steps) \(rendering): \(x), \(y)") }
        }
      }
    }
  }

  private static func position(_ x: Double, _ y: Double, _ frame: Size) -> Homography.Point {
    [x / Double(frame.width), y / Double(frame.height)]
  }

  @Test func aBorderAroundATurnedPhotoIsStraight() throws {
    let turn = #"{"filter": "straighten", "angle": 10}"#
    #expect(try Self.part(turn).part.fillsFrame)
    let (part, frame) = try Self.part("\(turn), \(Self.border(10))")
    let (width, height) = (Double(frame.width), Double(frame.height))
    for (x, y) in [(9.5, 60.0), (width - 9.5, 60), (60, 9.5), (60, height - 9.5)] {
      #expect(!part.isVisible(at: Self.position(x, y, frame)), "\(x), \(y)")
    }
    for (x, y) in [(10.5, 60.0), (width - 10.5, 60), (60, 10.5), (60, height - 10.5)] {
      #expect(part.isVisible(at: Self.position(x, y, frame)), "\(x), \(y)")
    }
  }

  /// The corners of a frame that keeps a turned photo as a whole show nothing of it.
  @Test func aTurnedCropHasCorners() throws {
    let (part, _) = try Self.part(
      #"\#(Self.crop), {"filter": "straighten", "angle": 10, "keep": "all"}"#)
    for place in [[0.5, 0.5], [0.12, 0.22], [0.88, 0.78], [0.2, 0.7], [0.8, 0.3]] {
      #expect(part.isVisible(at: [place[0], place[1]]), "\(place)")
    }
    for place in [[0.02, 0.02], [0.98, 0.02], [0.98, 0.98], [0.02, 0.98], [0.5, 0.02]] {
      #expect(!part.isVisible(at: [place[0], place[1]]), "\(place)")
    }
  }
}
