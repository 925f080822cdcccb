import Glibc
import PhotoRecipes

/// A hue map in the form that the kernel reads.
///
/// The table consists of the map's changes at even steps around the diamond |a| + |b| = 1, and of
/// the set of the 32 equal arcs that contain changes.
struct HueTable {
  private static let arcs = 32

  private struct Change {
    var cosine, sine, growth, light: Double
  }

  /// The changes at the steps 0 to n, where n is the number of steps around the diamond.
  private let changes: [Change]

  /// Samples the changes at `steps`, a power of 2 in 32…65536.
  ///
  /// Many steps are needed. For example, the blue channel of a pure yellow is a small difference of
  /// large values, so that any error of lightness is visible in it.
  init(_ map: HueMap, steps: Int) {
    changes = (0...steps).map { index in
      let angle = 4 * Double(index) / Double(steps)
      let a = angle <= 2 ? 1 - angle : angle - 3
      let b = angle <= 1 ? angle : angle <= 3 ? 2 - angle : angle - 4
      let change = map[atan2(b, a) * 180 / .pi]
      let turn = change.shift * .pi / 180
      return Change(
        cosine: cos(turn), sine: sin(turn), growth: change.chroma - 1, light: change.lightness)
    }
  }

  var payload: [Double] {
    [Double(changes.count - 1)] + arcs { $0.cosine != 1 || $0.sine != 0 }
      + arcs { $0.growth != 0 } + arcs { $0.growth > 0 } + arcs { $0.light != 0 }
      + changes.flatMap { [$0.cosine, $0.sine] } + changes.flatMap { [$0.growth, $0.light] }
  }

  /// The arcs of the hue circle, including both ends of each, that contain a change for which
  /// `isAsked` is true.
  ///
  /// Returns two sets of 16 bits: the first sixteen arcs, and the last sixteen.
  private func arcs(_ isAsked: (Change) -> Bool) -> [Double] {
    let length = (changes.count - 1) / Self.arcs
    let bits = (0..<Self.arcs).reduce(UInt32(0)) { bits, arc in
      let steps = changes[arc * length...(arc + 1) * length]
      return steps.contains(where: isAsked) ? bits | 1 << UInt32(arc) : bits
    }
    return [Double(bits & 0xFFFF), Double(bits >> 16)]
  }
}
