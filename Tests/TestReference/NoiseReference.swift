/// The noise of the grain filter and of dithering, computed as documented, with integers and in
/// double precision.
package enum NoiseReference {
  package typealias Pixel = SIMD3<Double>

  /// The hash function lowbias32 by Wellons, 2018.
  package static func scattered(_ number: UInt32) -> UInt32 {
    var x = number
    x ^= x >> 16
    x &*= 0x7FEB_352D
    x ^= x >> 15
    x &*= 0x846C_A68B
    return x ^ (x >> 16)
  }

  private static func place(_ x: Int, _ y: Int, _ seed: UInt32) -> UInt32 {
    let across = UInt32(truncatingIfNeeded: x) &* 0x9E37_79B1
    let down = UInt32(truncatingIfNeeded: y) &* 0x85EB_CA77
    return across &+ down &+ seed
  }

  /// An approximately normal number: the sum of the four bytes of the hash of `x`, `y` and `seed`,
  /// minus its mean, divided by its standard deviation.
  private static func normal(_ x: Int, _ y: Int, _ seed: UInt32) -> Double {
    let bits = scattered(place(x, y, seed))
    let bytes: [UInt32] = [bits & 255, bits >> 8 & 255, bits >> 16 & 255, bits >> 24]
    let sum = Double(bytes.reduce(0, +))
    let variance = 4 * (256.0 * 256.0 - 1) / 12
    return (sum - 510) / variance.squareRoot()
  }

  package static func grain(on pixel: Pixel, _ payload: [Double], x: Int, y: Int) -> Pixel {
    let (across, down) = (Double(x), Double(y))
    let u: Double = payload[0] + payload[1] * across + payload[2] * down
    let v: Double = payload[3] + payload[4] * across + payload[5] * down
    let p: Double = payload[6] * u - payload[7] * v
    let q: Double = payload[7] * u + payload[6] * v
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

  package static func dithered(_ pixel: Pixel, _ payload: [Double], x: Int, y: Int) -> Pixel {
    let seed = scattered(UInt32(payload[1]))
    let here = scattered(place(x, y, seed))
    let next = scattered(place(x + 1, y, seed))
    let levels = payload[0]
    var result = pixel
    for c in 0..<3 {
      let first = Double(here >> UInt32(10 * c) & 1023)
      let second = Double(next >> UInt32(10 * c) & 1023)
      let noise = (first - second) / 1024
      let value = min(max(pixel[c], 0), 1) * levels
      let room = min(1, value, levels - value)
      result[c] = (value + noise * room) / levels
    }
    return result
  }
}
