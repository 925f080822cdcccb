import Foundation

/// The instructions of a point program in double precision, implemented directly from their
/// formulas.
package struct PointReference {
  package typealias Pixel = SIMD3<Double>

  private let steps: [(opcode: PointProgram.Opcode?, payload: [Double])]
  package var layers: [Raster] = []
  package var maps: [Raster] = []

  package init(instructions: [PointProgram.Instruction]) {
    steps = instructions.map {
      (PointProgram.Opcode(rawValue: $0.opcode), $0.payload.map(Double.init))
    }
  }

  /// Computes one pixel at (`x`, `y`); `samples` are its integer samples, with which a `table`
  /// instruction looks up values.
  package func pixel(_ pixel: Pixel, x: Int, y: Int, samples: [Int] = []) -> Pixel {
    var value = pixel
    var saved = InlineArray<6, Pixel>(repeating: .zero)
    var covers = InlineArray<8, Double>(repeating: .nan)
    for (opcode, payload) in steps {
      switch opcode {
      case .table:
        for c in 0..<3 { value[c] = payload[c * payload.count / 3 + samples[c]] }
      case .gain:
        for c in 0..<3 { value[c] = value[c] * payload[c] + payload[3 + c] }
      case .matrix:
        let old = value
        for row in 0..<3 {
          value[row] = payload[4 * row + 3]
          for column in 0..<3 { value[row] += payload[4 * row + column] * old[column] }
        }
      case .decode: value = Self.map(value, Self.decoded)
      case .encode: value = Self.map(value, Self.encoded)
      case .decodeNearly: value = Self.map(value, Self.decoded)
      case .close: value = Self.map(value) { Self.closed($0, payload) }
      case .curve:
        for c in 0..<3 where Int(payload[0]) >> c & 1 == 1 {
          value[c] = Self.curve(value[c], payload)
        }
      case .tone:
        let (high, low) = (value.max(), value.min())
        let (top, bottom) = (Self.curve(high, payload), Self.curve(low, payload))
        value =
          high > low
          ? bottom + (top - bottom) * (value - low) / (high - low) : Pixel(repeating: bottom)
      case .adapt: value = Self.adapted(value, payload)
      case .cbrt: value = Self.map(value, cbrt)
      case .cube: value = value * value * value
      case .vibrance:
        let chroma = hypot(value.y, value.z)
        var growth = payload[0] * (1 - min(1, 4 * chroma))
        if growth > 0 {
          let (first, last) = (cos(28 * Double.pi / 180), cos(10 * Double.pi / 180))
          let apart = cos(atan2(value.z, value.y) - 50 * .pi / 180)
          growth *= 1 - 0.7 * CoverReference.smoothstep((apart - first) / (last - first))
        }
        value *= Self.growing(payload[0] > 0 ? Self.held(value, growth, payload[1...]) : growth)
      case .saturate: value *= Self.growing(Self.held(value, payload[0], payload[1...]))
      case .hold:
        let before = saved[Int(payload[0])]
        let (from, to) = (
          max(0, Self.light(before, Self.sRGB).max()), max(0, Self.light(value, Self.sRGB).max())
        )
        let (rise, room) = (sqrt(to) - sqrt(from), max(0, 1 - sqrt(from)))
        if rise > 0 {
          let grey = min(1, max(0, pow(before.x, 3) / max(from, 1e-4)))
          value = before + (1 - (1 - grey) * rise / (rise + room + 1e-6)) * (value - before)
        }
        let (old, new) = (Self.purity(before, Self.sRGB), Self.purity(value, Self.sRGB))
        let growth = (new + 0.001) / (old + 0.001) - 1
        let factor =
          growth > 0 ? min(1 / (1 + growth * pow(min(1, old), 2)), max(1, old) / new) : 1
        value *= Pixel(1, factor, factor)
      case .gamut:
        let isEncoded = payload[0] == 1
        let light = isEncoded ? Self.map(value, Self.decoded) : value
        let result = Self.mapped(light, Array(payload.dropFirst()))
        if result != light { value = isEncoded ? Self.map(result, Self.encoded) : result }
      case .rolloff:
        let isEncoded = payload[0] == 1
        let light = isEncoded ? Self.map(value, Self.decoded) : value
        let channels = [3, 6, 9].map { row in
          let weights = Pixel(payload[row], payload[row + 1], payload[row + 2])
          return (weights * light).sum()
        }
        let (most, knee) = (channels.max() ?? 0, payload[1])
        if most > knee {
          let above = most - knee
          let limited = min(1, knee + above / (1 + payload[2] * above))
          value = light * limited / most
          if isEncoded { value = Self.map(value, Self.encoded) }
        }
      case .radial:
        let radius = hypot(
          (Double(x) + 0.5 - payload[0]) * payload[2], (Double(y) + 0.5 - payload[1]) * payload[3])
        let s = min(max((radius - payload[4]) / (payload[5] - payload[4]), 0), 1)
        value *= 1 + payload[6] * s * s * (3 - 2 * s)
      case .falloff:
        let radius = hypot(
          (Double(x) + 0.5 - payload[0]) * payload[2], (Double(y) + 0.5 - payload[1]) * payload[3])
        let square = radius * radius
        let light = ((payload[6] * square + payload[5]) * square + payload[4]) * square + 1
        value /= max(light, payload[7])
      case .save: saved[Int(payload[0])] = value
      case .multiply: value *= saved[Int(payload[0])]
      case .mix:
        let old = saved[Int(payload[0])]
        let cover = payload[2] < 0 ? 1 : covers[Int(payload[2])]
        value = old + payload[1] * cover * (value - old)
      case .compose:
        let old = saved[Int(payload[0])]
        let cover = payload[2] < 0 ? 1 : covers[Int(payload[2])]
        let result = CompositionReference.composed(
          Int(payload[3]), SIMD4(old, 1), SIMD4(value, payload[1] * cover))
        value = result.w > 0 ? Pixel(result.x, result.y, result.z) : old
      case .hues:
        let (way, n) = (Self.way(value.y, value.z), payload[0])
        value = Self.changed(
          value,
          by: Self.sample(payload, from: 9, steps: n, width: 2, at: way)
            + Self.sample(payload, from: 11 + 2 * Int(n), steps: n, width: 2, at: way),
          payload.suffix(6))
      case .grade:
        let t = min(max((Pixel(payload[0], payload[1], payload[2]) * value).sum(), 0), 1)
        let gain = Self.sample(payload, head: 4, width: 4, at: t)
        let offset = Self.sample(payload, head: 4, table: 1, width: 4, at: t)
        for c in 0..<3 { value[c] = gain[c] * value[c] + offset[c] }
      case .steps:
        let n = payload[0]
        value = Self.map(value) { min((n * min(max($0, 0), 1)).rounded(.down), n - 1) / (n - 1) }
      case .layer:
        let layer = layers[Int(payload[0])]
        value = Pixel((0..<3).map { layer.value(x, y, $0) })
      case .blend:
        let old = saved[Int(payload[0])].clamped(lowerBound: .zero, upperBound: .one)
        value = BlendReference.blended(
          Int(payload[1]), old, value.clamped(lowerBound: .zero, upperBound: .one))
      case .coverLinear, .coverRadial, .coverPolygon, .coverRange, .coverDisc, .coverMap:
        covers[Int(payload[0])] = cover(opcode, payload, value, x, y)
      case .combine:
        let (a, b) = (covers[Int(payload[0])], covers[Int(payload[1])])
        covers[Int(payload[0])] = [1 - (1 - a) * (1 - b), a * (1 - b), a * b][Int(payload[2])]
      case .fade:
        covers[Int(payload[0])] = min(
          max(covers[Int(payload[0])] * payload[1] + payload[2], 0), 1)
      case .lut: value = Self.lookedUp(value, payload)
      case .grain: value += NoiseReference.grain(on: value, payload, x: x, y: y)
      case .dither: value = NoiseReference.dithered(value, payload, x: x, y: y)
      case .key:
        let along = value.y * payload[6] + value.z * payload[7]
        let across = abs(value.z * payload[6] - value.y * payload[7])
        let spill = payload[8] * max(0, along - 3.squareRoot() * across)
        value -= spill * Pixel(0, payload[6], payload[7])
      case nil, .local, .dehaze, .tiles: value = Pixel(repeating: .nan)
      }
    }
    return value
  }

  /// Reduces the chroma of a colour to the greatest chroma up to which the target colour space is
  /// not left, or to more for hues near blue.
  private static func mapped(_ light: Pixel, _ payload: [Double]) -> Pixel {
    func product(_ start: Int, _ value: Pixel) -> Pixel {
      var result = Pixel.zero
      for row in 0..<3 {
        for column in 0..<3 { result[row] += payload[start + 3 * row + column] * value[column] }
      }
      return result
    }
    func isInside(_ value: Pixel) -> Bool { value.min() >= 0 && value.max() <= 1 }
    // Rounding puts colours at the edge of the space outside it.
    if light.min() >= -1e-5 && light.max() <= 1 + 1e-5 { return light }
    let roots = map(product(0, light), cbrt)
    let lightness = 0.2104542553 * roots.x + 0.7936177850 * roots.y - 0.0040720468 * roots.z
    let grey = min(1, max(0, lightness))
    func colour(_ part: Double) -> Pixel {
      product(9, map(grey + part * (roots - lightness)) { $0 * $0 * $0 })
    }
    // The first eighth of the chroma that is outside, and in the eighth before it the greatest part
    // inside, by hundredths of the previous round's steps.
    var part = 1.0
    if let eighth = (1...8).first(where: { !isInside(colour(Double($0) / 8)) }) {
      part = Double(eighth - 1) / 8
      var step = 0.00125
      for _ in 0..<3 {
        let steps = (0..<101).prefix { isInside(colour(part + Double($0) * step)) }
        part += Double(max(0, steps.count - 1)) * step
        step /= 100
      }
    }
    let hue = atan2(
      0.0259040371 * roots.x + 0.7827717662 * roots.y - 0.8086757660 * roots.z,
      1.9779984951 * roots.x - 2.4285922050 * roots.y + 0.4505937099 * roots.z)
    let (far, near) = (cos(25 * Double.pi / 180), cos(8 * Double.pi / 180))
    let apart = cos(hue - atan2(payload[19], payload[18]))
    let pale = CoverReference.smoothstep((grey - 0.6) / 0.2)
    let weight = CoverReference.smoothstep((apart - far) / (near - far)) * (1 - pale)
    guard weight > 0 else { return colour(part) }
    func inside(_ value: Pixel) -> Double {
      let beyond = max(-value.min() / max(grey * grey * grey, 1e-6), value.max() - 1)
      return min(1, max(0, 1 - beyond / (0.1 * weight)))
    }
    let parts = (0..<8).map { part + (1 - part) * (Double($0) + 0.5) / 8 }
    let most = part + (1 - part) * parts.map { inside(colour($0)) }.reduce(0, +) / 8
    return map(colour(most + (1 - most) * inside(light))) { min(1, max(0, $0)) }
  }

  private func cover(
    _ opcode: PointProgram.Opcode?, _ payload: [Double], _ value: Pixel, _ x: Int, _ y: Int
  ) -> Double {
    switch opcode {
    case .coverLinear:
      return CoverReference.smoothstep(
        payload[1] + payload[2] * Double(x) + payload[3] * Double(y))
    case .coverRadial:
      let p = CoverReference.plane(Array(payload[1..<7]), x, y)
      return CoverReference.smoothstep((1 - hypot(p.x, p.y)) / (1 - payload[7]))
    case .coverPolygon:
      let numbers = Array(payload[9...])
      let corners = stride(from: 0, to: numbers.count, by: 2).map {
        SIMD2(numbers[$0], numbers[$0 + 1])
      }
      let p = CoverReference.plane(Array(payload[1..<7]), x, y)
      return CoverReference.polygon(corners, feather: payload[7], at: p)
    case .coverRange:
      let light = min(max(value.x, 0), 1)
      let beyond = max(payload[1] - light, light - payload[2], 0)
      return CoverReference.smoothstep(1 - beyond / payload[3])
    case .coverDisc:
      let beyond = max(hypot(value.y - payload[1], value.z - payload[2]) - payload[3], 0)
      return CoverReference.smoothstep(1 - beyond / payload[4])
    default:
      let p = CoverReference.plane(Array(payload[2...]), x, y)
      return CoverReference.map(maps[Int(payload[1])], at: p)
    }
  }

  /// The values of a table at `t`, 0…1, interpolated linearly between the table's steps.
  ///
  /// `table` selects one of the tables after the head; the last float of the head is the number of
  /// steps.
  private static func sample(
    _ payload: [Double], head: Int, table: Int = 0, width: Int, at t: Double
  ) -> [Double] {
    let n = payload[head - 1]
    return sample(
      payload, from: head + width * table * (Int(n) + 1), steps: n, width: width, at: t)
  }

  private static func sample(
    _ payload: [Double], from first: Int, steps n: Double, width: Int, at t: Double
  ) -> [Double] {
    let knot = min((t * n).rounded(.down), n - 1)
    let start = first + width * Int(knot)
    return (0..<width).map { index in
      let low = payload[start + index]
      let high = payload[start + width + index]
      return low + (t * n - knot) * (high - low)
    }
  }

  /// The position of (a, b), 0…1, along the diamond |a| + |b| = 1, which starts at (1, 0) and goes
  /// through (0, 1).
  private static func way(_ a: Double, _ b: Double) -> Double {
    if a == 0 && b == 0 { return 0 }
    let part = abs(b) / (abs(a) + abs(b))
    let quarters =
      switch (a >= 0, b >= 0) {
      case (true, true): part
      case (false, true): 2 - part
      case (false, false): 2 + part
      case (true, false): 4 - part
      }
    return quarters / 4
  }

  /// Looks a colour up in a cube by tetrahedral interpolation.
  ///
  /// The interpolation starts at the cell's lowest corner and follows the axis with the largest
  /// fraction, then the middle one, then the smallest.
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

  /// Runs the program over the whole raster; a fourth band stays unchanged.
  ///
  /// `levels` is the number of sample values.
  package func raster(_ raster: Raster, levels: Int = 1) -> Raster {
    var result = raster
    for y in 0..<raster.height {
      for x in 0..<raster.width {
        let pixel = Pixel(raster.value(x, y, 0), raster.value(x, y, 1), raster.value(x, y, 2))
        let samples =
          levels > 1 ? (0..<3).map { Int((pixel[$0] * Double(levels - 1)).rounded()) } : []
        let changed = self.pixel(pixel, x: x, y: y, samples: samples)
        let start = (y * raster.width + x) * raster.bands
        for band in 0..<3 { result.values[start + band] = changed[band] }
      }
    }
    return result
  }

  /// Decodes sRGB by IEC 61966-2-1, mirrored for negative values.
  package static func decoded(_ x: Double) -> Double {
    let size = abs(x)
    let light = size <= 0.04045 ? size / 12.92 : pow((size + 0.055) / 1.055, 2.4)
    return x < 0 ? -light : light
  }

  /// The factors by which a growth of chroma multiplies an OKLab colour's L, a and b.
  private static func growing(_ growth: Double) -> Pixel {
    Pixel(1, 1 + growth, 1 + growth)
  }

  /// The growth of chroma that is applied when `growth` is requested: less as the OKLab colour
  /// approaches the edge of the gamut.
  private static func held(_ lab: Pixel, _ growth: Double, _ gamut: ArraySlice<Double>) -> Double {
    let square = pow(min(1, purity(lab, gamut)), 2)
    return growth * (1 - square) / (1 + growth * square)
  }

  /// The distance of an OKLab colour from the grey of the same lightness, as a fraction of the
  /// grey's distance from the edge of the gamut.
  private static func purity(_ lab: Pixel, _ gamut: ArraySlice<Double>) -> Double {
    let light = light(lab, gamut)
    let grey = lab.x * lab.x * lab.x
    let up = (light.max() - grey) / max(1 - grey, 1e-4)
    let down = (grey - light.min()) / max(grey, 1e-4)
    return max(0, up, down)
  }

  private static let sRGB = GamutPayload.sRGB.map(Double.init)[...]

  /// The linear light of an OKLab colour in the space of a gamut's payload.
  private static func light(_ lab: Pixel, _ gamut: ArraySlice<Double>) -> Pixel {
    func cube(_ a: Double, _ b: Double) -> Double {
      let root = lab.x + a * lab.y + b * lab.z
      return root * root * root
    }
    let l = cube(0.3963377774, 0.2158037573)
    let m = cube(-0.1055613458, -0.0638541728)
    let s = cube(-0.0894841775, -1.2914855480)
    let rows = Array(gamut)
    return Pixel(
      m + rows[0] * (l - m) + rows[1] * (s - m), m + rows[2] * (l - m) + rows[3] * (s - m),
      m + rows[4] * (l - m) + rows[5] * (s - m))
  }

  package static func encoded(_ x: Double) -> Double {
    let size = abs(x)
    let code = size <= 0.0031308 ? 12.92 * size : 1.055 * pow(size, 1 / 2.4) - 0.055
    return x < 0 ? -code : code
  }

  private static func closed(_ x: Double, _ payload: [Double]) -> Double {
    if x < payload[1] { return payload[2] * x }
    let root = pow(min(x, payload[3]), payload[0] == 1 ? 0.25 : 0.5)
    return payload.dropFirst(4).reversed().reduce(0) { $0 * root + $1 }
  }

  /// The light of a pixel under another white; clipped channels do not fall below the others.
  private static func adapted(_ x: Pixel, _ payload: [Double]) -> Pixel {
    var y = Pixel.zero
    var part = Pixel.zero
    for c in 0..<3 {
      y[c] = (0..<3).reduce(0) { $0 + payload[3 * c + $1] * x[$1] }
      part[c] = min(1, max(0, (x[c] - payload[9]) / (payload[10] - payload[9])))
    }
    let open = 3 - part.sum()
    let mean = open > 0 ? ((1 - part) * y).sum() / open : y.max()
    let least = mean + part.min() * (y.max() - mean)
    for c in 0..<3 where y[c] < least { y[c] += part[c] * (least - y[c]) }
    return y
  }

  private static func map(_ pixel: Pixel, _ function: (Double) -> Double) -> Pixel {
    Pixel(function(pixel.x), function(pixel.y), function(pixel.z))
  }

  private static func curve(_ x: Double, _ payload: [Double]) -> Double {
    let (tMin, tMax) = (payload[2], payload[3])
    let knots = payload.dropFirst(7).map { $0 }
    let steps = knots.count - 1
    let isRoot = payload[1] == 1
    func place(_ t: Double) -> Double { isRoot ? t * abs(t) : t }
    let t = isRoot ? (x < 0 ? -(-x).squareRoot() : x.squareRoot()) : x
    if t < tMin { return knots[0] + payload[5] * (x - place(tMin)) }
    if t >= tMax { return knots[steps] + payload[6] * (x - place(tMax)) }
    let position = (t - tMin) * Double(steps) / (tMax - tMin)
    let knot = min(Int(position), steps - 1)
    return knots[knot] + (position - Double(knot)) * (knots[knot + 1] - knots[knot])
  }

  /// The OKLab colour `lab` changed by one row of a hue map: rotation, growth of chroma, and change
  /// of lightness.
  private static func changed(
    _ lab: Pixel, by change: [Double], _ gamut: ArraySlice<Double>
  ) -> Pixel {
    let step = change[3] * hypot(lab.y, lab.z)
    let room = max(0, step > 0 ? 1 - lab.x : lab.x)
    let turned = Pixel(
      step == 0 ? lab.x : lab.x + step * room / (abs(step) + room),
      change[0] * lab.y - change[1] * lab.z, change[1] * lab.y + change[0] * lab.z)
    let (old, new) = (purity(lab, gamut), purity(turned, gamut))
    let wanted = 1 + change[2]
    let growth = wanted * (new + 0.001) / (old + 0.001) - 1
    let hold =
      growth > 0
      ? max(1 + growth * min(1, old) * min(1, old), wanted * new / max(1, old)) : 1
    return turned * Pixel(1, wanted / hold, wanted / hold)
  }
}
