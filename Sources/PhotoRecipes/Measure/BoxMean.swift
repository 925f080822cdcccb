/// Weighted means over square windows; windows are cut off at the picture's edges.
struct BoxMean {
  private let size: Size
  private let radius: Int
  private let weights: [Float]?
  /// 1 ÷ the total weight of each window; 0 if a window's weight is 0.
  private var parts: [Double] = []

  /// - Parameters:
  ///   - size: The size of the planes.
  ///   - radius: The radius in pixels; a window has 2 × radius + 1 pixels in each direction.
  ///   - weights: One weight for each pixel, 0…1; nil if all are 1.
  init(size: Size, radius: Int, weights: [Float]? = nil) {
    self.size = size
    self.radius = radius
    self.weights = weights
    if let weights {
      parts = sums(weights, scaled: false).map { $0 > 1e-3 ? 1 / Double($0) : 0 }
    } else {
      let across = Self.counts(size.width, radius)
      let down = Self.counts(size.height, radius)
      parts = down.flatMap { rows in across.map { 1 / Double(rows * $0) } }
    }
  }

  func callAsFunction(_ plane: [Float]) -> [Float] {
    guard let weights else { return sums(plane, scaled: true) }
    return sums(zip(plane, weights).map { $0 * $1 }, scaled: true)
  }

  private static func counts(_ length: Int, _ radius: Int) -> [Int] {
    (0..<length).map { min($0 + radius, length - 1) - max($0 - radius, 0) + 1 }
  }

  /// The sum over each window, multiplied by `parts` if `scaled`.
  private func sums(_ plane: [Float], scaled: Bool) -> [Float] {
    let (width, height) = (size.width, size.height)
    var columns = [Double](repeating: 0, count: width)
    var sums = [Float](repeating: 0, count: plane.count)
    func add(row: Int, _ sign: Double) {
      let start = row * width
      for x in 0..<width { columns[x] += sign * Double(plane[start + x]) }
    }
    for row in 0..<min(radius, height) { add(row: row, 1) }
    for y in 0..<height {
      if y + radius < height { add(row: y + radius, 1) }
      if y > radius { add(row: y - radius - 1, -1) }
      var sum = columns.prefix(radius).reduce(0, +)
      for x in 0..<width {
        if x + radius < width { sum += columns[x + radius] }
        if x > radius { sum -= columns[x - radius - 1] }
        let place = y * width + x
        sums[place] = Float(scaled ? sum * parts[place] : sum)
      }
    }
    return sums
  }
}
