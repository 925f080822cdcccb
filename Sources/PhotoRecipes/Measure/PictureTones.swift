/// The tones of a picture: the quantiles of its channels' values, and the mean strength of its
/// colours.
public struct PictureTones: Sendable, Hashable {
  /// The number of quantiles, at even steps from the darkest to the brightest pixel.
  static let count = 129

  /// The quantiles of the display-encoded values of all three channels together.
  let values: [Double]
  /// The mean distance of a pixel's display-encoded channels from its luma.
  let colour: Double

  /// Measures display-encoded pixels; nil for fewer pixels than quantiles.
  public init?(_ pixels: [SIMD3<Float>]) {
    guard pixels.count > Self.count else { return nil }
    let sorted = Self.sorted(pixels)
    values = (0..<Self.count).map { step in
      Double(sorted[step * (sorted.count - 1) / (Self.count - 1)])
    }
    colour = Self.colour(of: pixels)
  }

  /// The mean distance of the channels of display-encoded pixels from the pixel's luma.
  static func colour(of pixels: [SIMD3<Float>]) -> Double {
    let view = PhotoView(size: Size(1, 1), full: Size(1, 1), pixels: pixels)
    var sum = 0.0
    for (pixel, tone) in zip(pixels, view.unclippedLuma) {
      let difference = pixel - SIMD3(repeating: tone)
      sum += Double((difference * difference).sum().squareRoot())
    }
    return sum / Double(max(1, pixels.count))
  }

  /// The values of all channels in ascending order, by a radix sort, which takes a third of the
  /// time of the library's sort.
  private static func sorted(_ pixels: [SIMD3<Float>]) -> [Float] {
    // The keys, as integers, have the same order as the values.
    func key(_ value: Float) -> UInt32 {
      let bits = value.bitPattern
      return bits >> 31 == 1 ? ~bits : bits | 1 << 31
    }
    func value(_ key: UInt32) -> Float {
      Float(bitPattern: key >> 31 == 1 ? key & ~(1 << 31) : ~key)
    }
    var keys: [UInt32] = []
    keys.reserveCapacity(3 * pixels.count)
    for pixel in pixels { for channel in 0..<3 { keys.append(key(pixel[channel])) } }
    var other = keys
    for shift in [0, 11, 22] as [UInt32] {
      var ends = [Int](repeating: 0, count: 1 << 11)
      for key in keys { ends[Int(key >> shift & 0x7ff)] += 1 }
      for digit in 1..<ends.count { ends[digit] += ends[digit - 1] }
      for key in keys.reversed() {
        let digit = Int(key >> shift & 0x7ff)
        ends[digit] -= 1
        other[ends[digit]] = key
      }
      swap(&keys, &other)
    }
    return keys.map(value)
  }
}
