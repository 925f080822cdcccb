/// Grain and dither as their documentation says, on whole numbers and in double precision.
enum NoiseReference {
  typealias Pixel = SIMD3<Double>

  /// The function lowbias32 of Wellons, 2018.
  static func scattered(_ number: UInt32) -> UInt32 {
    var x = number
    x ^= x >> 16
    x &*= 0x7FEB_352D
    x ^= x >> 15
    x &*= 0x846C_A68B
    return x ^ (x >> 16)
  }

  private static func place(_ x: Int, _ y: Int, _ seed: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: x) &* 0x9E37_79B1 &+ UInt32(truncatingIfNeeded: y) &* 0x85EB_CA77
      &+ seed
  }

  /// The sum of four bytes, less its mean, over its standard deviation.
  private static func normal(_ x: Int, _ y: Int, _ seed: UInt32) -> Double {
    let bits = scattered(place(x, y, seed))
    let sum = [0, 8, 16, 24].map { Double(bits >> $0 & 255) }.reduce(0, +)
    return (sum - 510) / (4 * (256.0 * 256 - 1) / 12).squareRoot()
  }

  static func grain(on pixel: Pixel, _ payload: [Double], x: Int, y: Int) -> Pixel {
    let u = payload[0] + payload[1] * Double(x) + payload[2] * Double(y)
    let v = payload[3] + payload[4] * Double(x) + payload[5] * Double(y)
    let (p, q) = (payload[6] * u - payload[7] * v, payload[7] * u + payload[6] * v)
    let (column, row) = (Int(p.rounded(.down)), Int(q.rounded(.down)))
    func smooth(_ t: Double) -> Double { t * t * (3 - 2 * t) }
    let (s, t) = (smooth(p - Double(column)), smooth(q - Double(row)))
    let seed = scattered(UInt32(payload[9]))
    var (sum, square) = (0.0, 0.0)
    for (dx, a) in [1 - s, s].enumerated() {
      for (dy, b) in [1 - t, t].enumerated() {
        sum += a * b * normal(column + dx, row + dy, seed)
        square += a * a * b * b
      }
    }
    let luma = min(max((Pixel(0.2126, 0.7152, 0.0722) * pixel).sum(), 0), 1)
    let noise = sum / square.squareRoot()
    return Pixel(repeating: payload[8] * 4 * luma * (1 - luma) * noise)
  }

  static func dithered(_ pixel: Pixel, _ payload: [Double], x: Int, y: Int) -> Pixel {
    let seed = scattered(UInt32(payload[1]))
    let here = scattered(place(x, y, seed))
    let next = scattered(place(x + 1, y, seed))
    return Pixel(
      (0..<3).map { c in
        let noise = (Double(here >> (10 * c) & 1023) - Double(next >> (10 * c) & 1023)) / 1024
        let value = min(max(pixel[c], 0), 1) * payload[0]
        return (value + noise * min(1, value, payload[0] - value)) / payload[0]
      })
  }
}
