/// Sums over a photo's pixels by place and by guide: the luma, or another number 0…1 for each pixel.
///
/// The grid has 128 cells along the longer edge of the photo. Each cell has a sum for each of 32
/// knots: even steps of the guide over 0…1. All sums are smoothed across the cells by three box
/// sums, which are nearly a Gaussian.
///
/// - Source: J. Chen, S. Paris, F. Durand, "Real-time Edge-aware Image Processing with the
///   Bilateral Grid", ACM TOG 26 (2007).
struct BilateralGrid {
  /// The values of eight knots that follow each other.
  typealias Knots = SIMD8<Float>

  /// The groups of eight knots of each cell.
  static let groups = 4
  static let knots = groups * Knots.scalarCount
  /// The guides of the knots of each group.
  static let guides = (0..<groups).map { group in
    Knots((0..<8).map { Float(8 * group + $0) / Float(knots - 1) })
  }
  private static let longEdge = 128
  /// The number of steps of the guide at which functions are tabulated.
  private static let levels = 512
  /// The number of visible pixels around a cell below which the cell counts as transparent.
  private static let unseen: Float = 1e-3

  /// The number of cells.
  let size: Size
  /// 1 ÷ the smoothed number of visible pixels around each cell; 0 if there are none.
  let parts: [Float]
  private let alpha: [Float]?
  /// The column of the cell of each column of pixels, and the row of the cell of each row.
  private let columns: [Int]
  private let rows: [Int]
  /// The radius in cells of each of the three box sums.
  private let radius: Int

  /// - Parameters:
  ///   - view: The photo.
  ///   - radius: The radius of each of the three box sums, as a fraction of the longer edge.
  init(_ view: PhotoView, radius: Double) {
    let cell = max(1, (Double(view.size.longEdge) / Double(Self.longEdge)).rounded())
    func cells(_ length: Int) -> Int { max(1, Int((Double(length) / cell).rounded())) }
    let size = Size(cells(view.size.width), cells(view.size.height))
    self.size = size
    columns = (0..<view.size.width).map { $0 * size.width / view.size.width }
    rows = (0..<view.size.height).map { $0 * size.height / view.size.height }
    self.radius = max(1, Int((radius * Double(size.longEdge)).rounded()))
    alpha = view.alpha
    let counts = Self.sums(
      view.alpha ?? Array(repeating: 1, count: view.pixels.count), columns, rows, size)
    parts = Self.smoothed(counts, size, self.radius)
      .map { $0 > Self.unseen ? 1 / $0 : 0 }
  }

  /// The smoothed mean of a plane around each cell; 0 where no pixel is visible.
  func means(_ plane: [Float]) -> [Float] {
    let seen = alpha.map { zip(plane, $0).map { $0 * $1 } } ?? plane
    let sums = Self.sums(seen, columns, rows, size)
    return zip(Self.smoothed(sums, size, radius), parts).map { $0 * $1 }
  }

  /// The smoothed mean of a function for each cell and knot, in four groups of knots for each cell;
  /// 0 where no pixel is visible.
  ///
  /// The function depends on the difference between the guide of a pixel and the guide of the knot,
  /// both 0…1, and is multiplied by the pixel's value.
  func means(
    _ guide: [Float], times values: [Float]? = nil, _ function: (Double) -> Double
  ) -> [Knots] {
    let groups = Self.groups
    let table = Self.table(function)
    var sums = [Knots](repeating: .zero, count: size.pixels * groups)
    var pixel = 0
    for row in rows {
      for column in columns {
        let weight = (alpha?[pixel] ?? 1) * (values?[pixel] ?? 1)
        let position = guide[pixel] * Float(Self.levels)
        let level = min(Self.levels - 1, Int(position))
        let part = weight * (position - Float(level))
        let cell = (row * size.width + column) * groups
        for group in 0..<groups {
          let entry = level * groups + group
          sums[cell + group] += (weight - part) * table[entry] + part * table[entry + groups]
        }
        pixel += 1
      }
    }
    return Self.smoothed(sums, size, radius, groups: groups).enumerated().map {
      $1 * parts[$0 / groups]
    }
  }

  /// The values of a function for each level of the guide and each group of knots.
  private static func table(_ function: (Double) -> Double) -> [Knots] {
    (0...levels).flatMap { level in
      guides.map { guides in
        Knots(
          guides.indices.map { knot in
            Float(function(Double(level) / Double(levels) - Double(guides[knot])))
          })
      }
    }
  }

  private static func sums(
    _ plane: [Float], _ columns: [Int], _ rows: [Int], _ size: Size
  ) -> [Float] {
    var sums = [Float](repeating: 0, count: size.pixels)
    var pixel = 0
    for row in rows {
      for column in columns {
        sums[row * size.width + column] += plane[pixel]
        pixel += 1
      }
    }
    return sums
  }

  /// Three box sums across and down over cells with `groups` values each.
  private static func smoothed<Sum: Summable>(
    _ cells: [Sum], _ size: Size, _ radius: Int, groups: Int = 1
  ) -> [Sum] {
    var (cells, next) = (cells, cells)
    let across = size.width * groups
    for _ in 0..<3 {
      for y in 0..<size.height {
        addBoxes(of: cells, to: &next, from: y * across, groups, count: size.width, radius)
      }
      addBoxes(of: next, to: &cells, from: 0, across, count: size.height, radius)
    }
    return cells
  }

  /// Stores the box sums along a line of `count` cells or rows, which have `width` values each.
  private static func addBoxes<Sum: Summable>(
    of values: [Sum], to sums: inout [Sum], from start: Int, _ width: Int, count: Int,
    _ radius: Int
  ) {
    var sum = [Sum](repeating: .zero, count: width)
    for place in 0..<min(radius, count) {
      for k in 0..<width { sum[k] += values[start + place * width + k] }
    }
    for place in 0..<count {
      let (first, last) = (place - radius - 1, place + radius)
      for k in 0..<width {
        if last < count { sum[k] += values[start + last * width + k] }
        if first >= 0 { sum[k] -= values[start + first * width + k] }
        sums[start + place * width + k] = sum[k]
      }
    }
  }
}

/// A value of a cell: a number, or the numbers of a group of knots.
private protocol Summable {
  static var zero: Self { get }
  static func += (left: inout Self, right: Self)
  static func -= (left: inout Self, right: Self)
}

extension Float: Summable {}
extension SIMD8: Summable where Scalar == Float {}

extension MapValues {
  /// A map with one curve of the guide for each cell of a grid, in groups of knots.
  init(_ grid: BilateralGrid, _ curves: [BilateralGrid.Knots]) {
    self.init(
      size: grid.size, bands: BilateralGrid.knots,
      values: curves.flatMap { curve in curve.indices.map { curve[$0] } })
  }
}
