import Foundation

/// The instructions of a point program in double precision, straight from their formulas.
struct PointReference {
  typealias Pixel = SIMD3<Double>

  private let steps: [(opcode: PointProgram.Opcode?, payload: [Double])]

  init(instructions: [PointProgram.Instruction]) {
    steps = instructions.map {
      (PointProgram.Opcode(rawValue: $0.opcode), $0.payload.map(Double.init))
    }
  }

  /// One pixel at (`x`, `y`); `samples` are its whole-number samples if the program has a table.
  func pixel(_ pixel: Pixel, x: Int, y: Int, samples: [Int] = []) -> Pixel {
    var value = pixel
    var saved = [Pixel](repeating: .zero, count: 4)
    for (opcode, payload) in steps {
      switch opcode {
      case .table:
        for c in 0..<3 { value[c] = payload[c * payload.count / 3 + samples[c]] }
      case .gain:
        for c in 0..<3 { value[c] = value[c] * payload[c] + payload[3 + c] }
      case .matrix:
        let old = value
        for c in 0..<3 {
          let row = payload[(4 * c)..<(4 * c + 4)].map { $0 }
          value[c] = row[0] * old.x + row[1] * old.y + row[2] * old.z + row[3]
        }
      case .decode: value = Self.map(value, Self.decoded)
      case .encode: value = Self.map(value, Self.encoded)
      case .curve:
        let channels = Int(payload[1])
        for c in 0..<3 {
          let length = Int(payload[2]) + 3
          let start = 4 + (channels == 3 ? c * length : 0)
          value[c] = Self.curve(
            value[c], tMax: payload[0], isOdd: payload[3] == 1,
            channel: Array(payload[start..<start + length]))
        }
      case .cbrt: value = Self.map(value, cbrt)
      case .cube: value = value * value * value
      case .vibrance:
        let chroma = hypot(value.y, value.z)
        let gain = 1 + payload[0] * (1 - min(1, 4 * chroma))
        value.y *= gain
        value.z *= gain
      case .radial:
        let radius = hypot(
          (Double(x) + 0.5 - payload[0]) * payload[2], (Double(y) + 0.5 - payload[1]) * payload[3])
        let s = min(max((radius - payload[4]) / (payload[5] - payload[4]), 0), 1)
        value *= 1 + payload[6] * s * s * (3 - 2 * s)
      case .save: saved[Int(payload[0])] = value
      case .mix:
        let old = saved[Int(payload[0])]
        value = old + payload[1] * (value - old)
      case .lut: value = Self.lookedUp(value, payload)
      case .grain: value += NoiseReference.grain(on: value, payload, x: x, y: y)
      case .dither: value = NoiseReference.dithered(value, payload, x: x, y: y)
      case nil: value = Pixel(repeating: .nan)
      }
    }
    return value
  }

  /// The colour in a cube: from the corner with the lowest numbers along the axis of the largest
  /// part, then of the middle one, then of the smallest.
  private static func lookedUp(_ pixel: Pixel, _ payload: [Double]) -> Pixel {
    let n = Int(payload[0])
    let gain = Pixel(payload[1], payload[2], payload[3])
    let offset = Pixel(payload[4], payload[5], payload[6])
    let unit = (pixel * gain + offset).clamped(lowerBound: .zero, upperBound: .one)
    let scaled: Pixel = unit * Double(n - 1)
    var corner: [Int] = [0, 1, 2].map { min(Int(scaled[$0]), n - 2) }
    let parts: [Double] = [0, 1, 2].map { scaled[$0] - Double(corner[$0]) }
    func point() -> Pixel {
      let row = corner[1] + n * corner[2]
      let start = 7 + 3 * (corner[0] + n * row)
      return Pixel(payload[start], payload[start + 1], payload[start + 2])
    }
    var result = point()
    for axis in [0, 1, 2].sorted(by: { parts[$0] > parts[$1] }) {
      let before = point()
      corner[axis] += 1
      result += parts[axis] * (point() - before)
    }
    return result
  }

  /// The whole raster; a fourth band is left alone.
  ///
  /// `levels` is the number of sample values.
  func raster(_ raster: Raster, levels: Int = 1) -> Raster {
    Raster(raster.width, raster.height, bands: raster.bands) { x, y, band in
      guard band < 3 else { return raster.value(x, y, band) }
      let pixel = Pixel((0..<3).map { raster.value(x, y, $0) })
      let samples = (0..<3).map { Int((pixel[$0] * Double(levels - 1)).rounded()) }
      return self.pixel(pixel, x: x, y: y, samples: samples)[band]
    }
  }

  /// IEC 61966-2-1, mirrored for negative values.
  static func decoded(_ x: Double) -> Double {
    let size = abs(x)
    let light = size <= 0.04045 ? size / 12.92 : pow((size + 0.055) / 1.055, 2.4)
    return x < 0 ? -light : light
  }

  static func encoded(_ x: Double) -> Double {
    let size = abs(x)
    let code = size <= 0.0031308 ? 12.92 * size : 1.055 * pow(size, 1 / 2.4) - 0.055
    return x < 0 ? -code : code
  }

  private static func map(_ pixel: Pixel, _ function: (Double) -> Double) -> Pixel {
    Pixel(function(pixel.x), function(pixel.y), function(pixel.z))
  }

  private static func curve(
    _ x: Double, tMax: Double, isOdd: Bool, channel: [Double]
  ) -> Double {
    if isOdd && x < 0 { return -curve(-x, tMax: tMax, isOdd: false, channel: channel) }
    let knots = channel.dropFirst(2).map { $0 }
    let steps = knots.count - 1
    if x < 0 { return knots[0] + channel[0] * x }
    if x.squareRoot() >= tMax { return knots[steps] + channel[1] * (x - tMax * tMax) }
    let position = x.squareRoot() * Double(steps) / tMax
    let knot = min(Int(position), steps - 1)
    return knots[knot] + (position - Double(knot)) * (knots[knot + 1] - knots[knot])
  }
}
