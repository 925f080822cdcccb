/// The minimum or the maximum in the square around each pixel; squares are cut off at the picture's
/// edges.
///
/// - Source: M. van Herk, "A fast algorithm for local minimum and maximum filters on rectangular
///   and octagonal kernels", Pattern Recognition Letters 13 (1992): three comparisons per pixel in
///   each direction, for any radius.
struct SquareExtreme {
  let size: Size
  /// The radius in pixels; squares have 2 × radius + 1 pixels in each direction.
  let radius: Int

  func least(_ plane: [Float]) -> [Float] {
    both(plane, outside: .greatestFiniteMagnitude) { min($0, $1) }
  }

  func greatest(_ plane: [Float]) -> [Float] {
    both(plane, outside: -.greatestFiniteMagnitude) { max($0, $1) }
  }

  private func both(
    _ plane: [Float], outside: Float, _ pick: (Float, Float) -> Float
  ) -> [Float] {
    var result = plane
    for y in 0..<size.height {
      line(&result, from: y * size.width, step: 1, size.width, outside, pick)
    }
    for x in 0..<size.width { line(&result, from: x, step: size.width, size.height, outside, pick) }
    return result
  }

  /// Filters one line.
  ///
  /// The line is divided into runs as long as a window. The extreme of a window combines the last
  /// values of one run with the first values of the next.
  private func line(
    _ plane: inout [Float], from start: Int, step: Int, _ count: Int, _ outside: Float,
    _ pick: (Float, Float) -> Float
  ) {
    let window = 2 * radius + 1
    var ahead = [Float](repeating: outside, count: count + 2 * radius)
    for i in 0..<count { ahead[radius + i] = plane[start + i * step] }
    var behind = ahead
    for i in ahead.indices.dropFirst() where i % window != 0 {
      behind[i] = pick(behind[i], behind[i - 1])
    }
    for i in ahead.indices.dropLast().reversed() where (i + 1) % window != 0 {
      ahead[i] = pick(ahead[i], ahead[i + 1])
    }
    for i in 0..<count { plane[start + i * step] = pick(ahead[i], behind[i + 2 * radius]) }
  }
}
