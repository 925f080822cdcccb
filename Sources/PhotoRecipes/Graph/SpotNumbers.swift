/// The numbers that describe spots to the kernel `phbatch_heal`, six for each spot.
///
/// The numbers of a spot are the centre as fractions of the frame, the radius as a fraction of the
/// longer edge, the feather as a fraction of the radius, and the centre of the source, or −1 twice
/// to search the source. They are valid for a frame of any size.
public enum SpotNumbers {
  private static let count = 6

  /// The distance in rows from a pixel up to which the kernel reads the image.
  ///
  /// The kernel searches a source up to three radii above and below a spot.
  public static func reach(of numbers: [Double], in size: Size) -> Int {
    spots(numbers, size).map { spot in
      let way = spot.source.map { abs($0 - spot.y) } ?? 3 * spot.outer
      return Int((way + 3 * spot.outer).rounded(.up)) + 17
    }.max() ?? 0
  }

  /// The bytes in which the kernel keeps and computes the pixels of the spots.
  ///
  /// The new colours of a pixel are three floats. While a spot is computed, each of its pixels
  /// takes up to 16 floats: the spot and its source with a ring around them, and the grids of the
  /// membrane.
  public static func bytes(of numbers: [Double], in size: Size) -> Int {
    let squares = spots(numbers, size).map { spot in
      let side = min(2 * spot.outer + 3, Double(size.longEdge))
      return side * min(side, Double(size.shortEdge))
    }
    return Int(12 * squares.reduce(0, +) + 64 * 1.6 * (squares.max() ?? 0))
  }

  /// A spot in pixels: the row of its centre, the radius with the feather, and the row of its
  /// source.
  private struct Spot {
    var y: Double
    var outer: Double
    var source: Double?
  }

  private static func spots(_ numbers: [Double], _ size: Size) -> [Spot] {
    stride(from: 0, to: numbers.count - numbers.count % count, by: count).map { at in
      Spot(
        y: numbers[at + 1] * Double(size.height),
        outer: numbers[at + 2] * Double(size.longEdge) * (1 + numbers[at + 3]),
        source: numbers[at + 5] < 0 ? nil : numbers[at + 5] * Double(size.height))
    }
  }
}

extension Spots {
  /// The numbers of these spots for the kernel, for a frame of this size.
  func numbers(in size: Size) -> [Double] {
    spots.flatMap { spot in
      let edge = size.longEdge
      let radius = spot.radius.pixels(of: edge, in: Self.radii) / Double(edge)
      let source = spot.source ?? Placement.Point(-1, -1)
      return [spot.centre.x, spot.centre.y, radius, spot.feather, source.x, source.y]
    }
  }
}
