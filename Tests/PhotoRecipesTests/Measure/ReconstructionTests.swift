import TestRandom
import Testing

@testable import PhotoRecipes

@Suite struct ReconstructionTests {
  /// Dilates by one pixel and cuts to the limit, until nothing changes.
  private static func slowly(_ plane: [Float], below limit: [Float], _ size: Size) -> [Float] {
    var found = zip(plane, limit).map { min($0, $1) }
    while true {
      var next = found
      for y in 0..<size.height {
        for x in 0..<size.width {
          let at = y * size.width + x
          for (a, b) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
          where a >= 0 && a < size.width && b >= 0 && b < size.height {
            next[at] = max(next[at], min(found[b * size.width + a], limit[at]))
          }
        }
      }
      if next == found { return found }
      found = next
    }
  }

  @Test func valuesAreThoseOfRepeatedDilation() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      func length() -> Int { Int.random(in: 1...12, using: &random) }
      let size = Size(length(), length())
      func plane(_ levels: ClosedRange<Int>) -> [Float] {
        (0..<size.pixels).map { _ in Float(Int.random(in: levels, using: &random)) / 8 }
      }
      let (start, limit) = (plane(-6...8), plane(0...8))
      #expect(
        Reconstruction(size: size)(start, below: limit)
          == Self.slowly(start, below: limit, size))
    }
  }

  /// A path in a spiral, which the two passes do not follow to its end.
  @Test func aValueFollowsASpiral() {
    let rows = [
      "#######",
      "      #",
      "##### #",
      "#   # #",
      "# ### #",
      "#     #",
      "#######",
    ]
    let limit = rows.flatMap { $0.map { $0 == "#" ? Float(1) : 0 } }
    var start = [Float](repeating: 0, count: limit.count)
    start[0] = 1
    #expect(Reconstruction(size: Size(7, 7))(start, below: limit) == limit)
  }
}
