import TestRandom
import Testing

@testable import PhotoRecipes

/// Tests the placement of an image in its frame after crops, turns and flips.
@Suite struct PlacementTests {
  private static func isClose(_ a: Placement, _ b: Placement) -> Bool {
    func isClose(_ p: Placement.Point, _ q: Placement.Point) -> Bool {
      max(abs(p.x - q.x), abs(p.y - q.y)) < 1e-9
    }
    return isClose(a.origin, b.origin) && isClose(a.across, b.across) && isClose(a.down, b.down)
  }

  private static let start = Placement(
    origin: .init(0.2, 0.3), across: .init(0.5, 0), down: .init(0, 0.4))

  @Test func rotationsAndFlipsCombineCorrectly() {
    let start = Self.start
    #expect(Self.isClose(start.turned(4), start))
    #expect(Self.isClose(start.turned(1).turned(3), start))
    #expect(Self.isClose(start.turned(1).turned(1), start.turned(2)))
    for axis in Operation.Axis.allCases {
      #expect(Self.isClose(start.flipped(axis).flipped(axis), start))
    }
    #expect(Self.isClose(start.flipped(.horizontal).flipped(.vertical), start.turned(2)))
    #expect(
      Self.isClose(start.turned(1).flipped(.horizontal), start.flipped(.vertical).turned(1)))
  }

  @Test func aCropWithinACropEqualsOneCrop() {
    let outer = Rectangle(left: 10, top: 20, size: Size(50, 40))
    let inner = Rectangle(left: 5, top: 7, size: Size(20, 30))
    let both = Rectangle(left: 15, top: 27, size: Size(20, 30))
    #expect(
      Self.isClose(
        Placement.whole.cropped(to: outer, of: Size(100, 80)).cropped(to: inner, of: outer.size),
        Placement.whole.cropped(to: both, of: Size(100, 80))))
  }

  /// After random crops, turns and flips of a picture, the placement gives the original position of
  /// each pixel.
  ///
  /// The value of each pixel in the test is its original position.
  @Test func thePlacementAfterRandomChangesGivesOriginalPositions() {
    var generator = SeededGenerator(seed: 13)
    for _ in 0..<300 {
      let frame = Size(
        Int.random(in: 1...9, using: &generator), Int.random(in: 1...9, using: &generator))
      var rows = (0..<frame.height).map { y in (0..<frame.width).map { ($0, y) } }
      var placement = Placement.whole
      for _ in 0..<6 {
        let size = Size(rows[0].count, rows.count)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          let (left, top) = (
            Int.random(in: 0..<size.width, using: &generator),
            Int.random(in: 0..<size.height, using: &generator)
          )
          let cut = Size(
            Int.random(in: 1...size.width - left, using: &generator),
            Int.random(in: 1...size.height - top, using: &generator))
          rows = rows[top..<top + cut.height].map { Array($0[left..<left + cut.width]) }
          placement = placement.cropped(
            to: Rectangle(left: left, top: top, size: cut), of: size)
        case 1:
          // Clockwise turn: the left column, read from the bottom, becomes the first row.
          rows = (0..<size.width).map { x in rows.reversed().map { $0[x] } }
          placement = placement.turned(1)
        case 2:
          rows = rows.map { $0.reversed() }
          placement = placement.flipped(.horizontal)
        default:
          rows.reverse()
          placement = placement.flipped(.vertical)
        }
      }
      let size = Size(rows[0].count, rows.count)
      for (y, row) in rows.enumerated() {
        for (x, (column, line)) in row.enumerated() {
          let found = placement(
            .init((Double(x) + 0.5) / Double(size.width), (Double(y) + 0.5) / Double(size.height)))
          let wanted = Placement.Point(
            (Double(column) + 0.5) / Double(frame.width),
            (Double(line) + 0.5) / Double(frame.height))
          #expect(abs(found.x - wanted.x) < 1e-9 && abs(found.y - wanted.y) < 1e-9)
        }
      }
    }
  }
}
