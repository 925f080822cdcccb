/// The curves that equalize the luma of each tile of a photo.
struct TileHistograms {
  static let steps = 256
  /// The range of luma of the pixels that are counted, with room for rounding errors.
  private static let counted: ClosedRange<Float> = -0.002...1.002

  private let size: Size
  /// One curve for each tile, row by row from the top.
  private let curves: [[Double]]

  /// Creates the curves of `across` × `down` tiles.
  ///
  /// Each tile has at least one pixel. `clipLimit` is the upper limit of each step of a tile's
  /// histogram, as a multiple of the step's count in a flat histogram; nil for no limit.
  init(_ view: PhotoView, across: Int, down: Int, clipLimit: Double?) {
    size = Size(min(across, view.size.width), min(down, view.size.height))
    let luma = view.unclippedLuma
    var curves: [[Double]] = []
    for row in 0..<size.height {
      let rows = Self.span(row, of: size.height, view.size.height)
      for column in 0..<size.width {
        let columns = Self.span(column, of: size.width, view.size.width)
        let places = rows.flatMap { y in columns.map { y * view.size.width + $0 } }
        // Pixels brighter than white are ignored. They would be counted as white, and many of them
        // would make the curve very steep just below white.
        let seen = places.filter {
          (view.alpha?[$0] ?? 1) >= 0.5 && Self.counted.contains(luma[$0])
        }
        let counts = ToneCounts(seen.lazy.map { luma[$0] })
        curves.append(counts.rise(steps: Self.steps, limit: clipLimit))
      }
    }
    self.curves = curves
  }

  private static func span(_ index: Int, of count: Int, _ length: Int) -> Range<Int> {
    index * length / count..<(index + 1) * length / count
  }

  /// The curves, each mixed with the identity by `strength`.
  func map(_ strength: Double) -> MapValues {
    let values = curves.flatMap { curve in
      curve.enumerated().map { index, value in
        let plain = Double(index) / Double(Self.steps)
        return Float(plain + strength * (value - plain))
      }
    }
    return MapValues(size: size, bands: Self.steps + 1, values: values)
  }
}
