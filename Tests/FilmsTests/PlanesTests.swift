import Films
import TestRandom
import Testing

/// Compares the conversions with the equations of ITU-T H.273 in double precision.
@Suite struct PlanesTests {
  /// An encoding of colours, and the constants of its matrix.
  struct Coding: Sendable, CustomStringConvertible {
    let bits: Int
    let matrix: Int
    let kr: Double
    let kb: Double
    let isFull: Bool

    var description: String { "\(bits) bits, matrix \(matrix), \(isFull ? "full" : "limited")" }
    var top: Double { Double(1 << bits - 1) }
    var unit: Double { Double(1 << (bits - 8)) }

    var stated: phbatch_film_coding {
      phbatch_film_coding(
        bits: Int32(bits), matrix: Int32(matrix), primaries: 1, transfer: 1,
        is_full_range: isFull ? 1 : 0, is_centred: 0)
    }

    /// The samples of Y', Cb and Cr before rounding, for R'G'B' values of 0…1.
    func planes(_ rgb: [Double]) -> [Double] {
      let y = kr * rgb[0] + (1 - kr - kb) * rgb[1] + kb * rgb[2]
      let (cb, cr) = ((rgb[2] - y) / (2 * (1 - kb)), (rgb[0] - y) / (2 * (1 - kr)))
      return isFull
        ? [y * top, cb * top + 128 * unit, cr * top + 128 * unit]
        : [(219 * y + 16) * unit, (224 * cb + 128) * unit, (224 * cr + 128) * unit]
    }

    /// The R'G'B' values, 0…1, for samples of Y', Cb and Cr.
    func rgb(_ samples: [Double]) -> [Double] {
      let y = isFull ? samples[0] / top : (samples[0] / unit - 16) / 219
      let chroma = samples[1...].map { isFull ? ($0 - 128 * unit) / top : ($0 / unit - 128) / 224 }
      let (b, r) = (y + 2 * (1 - kb) * chroma[0], y + 2 * (1 - kr) * chroma[1])
      return [r, (y - kr * r - kb * b) / (1 - kr - kb), b].map { min(1, max(0, $0)) }
    }
  }

  static let codings: [Coding] = [8, 10, 12].flatMap { bits in
    [(1, 0.2126, 0.0722), (6, 0.299, 0.114), (9, 0.2627, 0.0593)].flatMap { matrix, kr, kb in
      [true, false].map { Coding(bits: bits, matrix: matrix, kr: kr, kb: kb, isFull: $0) }
    }
  }

  /// Runs `body` with planes that have their own memory.
  private func withPlanes(
    _ data: inout [[UInt8]], _ coding: Coding, width: Int, height: Int, halves: Bool,
    isCentred: Bool = false, _ body: (inout phbatch_planes) -> Int32
  ) -> Int32 {
    let bytes = coding.bits > 8 ? 2 : 1
    var (luma, blue, red) = (data[0], data[1], data[2])
    defer { data = [luma, blue, red] }
    return luma.withUnsafeMutableBufferPointer { luma in
      blue.withUnsafeMutableBufferPointer { blue in
        red.withUnsafeMutableBufferPointer { red in
          var planes = phbatch_planes()
          planes.data = (
            UnsafePointer(luma.baseAddress), UnsafePointer(blue.baseAddress),
            UnsafePointer(red.baseAddress)
          )
          let columns = halves ? (width + 1) / 2 : width
          planes.pitch = (Int64(width * bytes), Int64(columns * bytes), Int64(columns * bytes))
          (planes.width, planes.height) = (Int32(width), Int32(height))
          (planes.halves_columns, planes.halves_rows) = (halves ? 1 : 0, halves ? 1 : 0)
          planes.coding = coding.stated
          planes.coding.is_centred = isCentred ? 1 : 0
          return body(&planes)
        }
      }
    }
  }

  private func bytes(_ samples: [Int], _ coding: Coding) -> [UInt8] {
    coding.bits > 8
      ? samples.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } : samples.map { UInt8($0) }
  }

  private func numbers(_ bytes: [UInt8], _ coding: Coding) -> [Int] {
    coding.bits > 8
      ? stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
      : bytes.map { Int($0) }
  }

  @Test(arguments: codings) func samplesAreConvertedToTheColoursOfTheEquations(
    _ coding: Coding
  ) throws {
    var random = SeededGenerator(seed: UInt64(coding.bits * 100 + coding.matrix))
    let (width, height) = (19, 7)
    let samples = (0..<3).map { _ in
      (0..<(width * height)).map { _ in Int.random(in: 0...Int(coding.top), using: &random) }
    }
    var data = samples.map { bytes($0, coding) }
    var made = [UInt8](repeating: 0, count: width * height * 3 * (coding.bits > 8 ? 2 : 1))
    let result = withPlanes(&data, coding, width: width, height: height, halves: false) { planes in
      made.withUnsafeMutableBytes { phbatch_planes_to_rgb(&planes, $0.baseAddress) }
    }
    #expect(result == 0)
    let found = numbers(made, coding)
    let top = coding.bits > 8 ? 65535.0 : 255
    var worst = 0.0
    for pixel in 0..<(width * height) {
      let wanted = coding.rgb(samples.map { Double($0[pixel]) })
      for band in 0..<3 {
        worst = max(worst, abs(Double(found[3 * pixel + band]) - wanted[band] * top))
      }
    }
    #expect(worst <= (coding.bits > 8 ? 0.6 : 0.501))
  }

  @Test(arguments: codings) func coloursAreConvertedToTheSamplesOfTheEquations(
    _ coding: Coding
  ) throws {
    var random = SeededGenerator(seed: UInt64(coding.bits * 100 + coding.matrix))
    let (width, height) = (9, 5)
    let top = coding.bits > 8 ? 65535 : 255
    let colour = (0..<3).map { _ in Int.random(in: 0...top, using: &random) }
    let rgb = bytes((0..<(width * height)).flatMap { _ in colour }, coding)
    let chroma = (width + 1) / 2 * ((height + 1) / 2)
    let size = coding.bits > 8 ? 2 : 1
    var data = [width * height, chroma, chroma].map { [UInt8](repeating: 0, count: $0 * size) }
    let result = withPlanes(&data, coding, width: width, height: height, halves: true) { planes in
      rgb.withUnsafeBytes { phbatch_rgb_to_planes($0.baseAddress, &planes) }
    }
    #expect(result == 0)
    let wanted = coding.planes(colour.map { Double($0) / Double(top) })
    for plane in 0..<3 {
      let found = numbers(data[plane], coding)
      #expect(found.allSatisfy { abs(Double($0) - wanted[plane]) <= 0.51 })
    }
  }

  @Test(arguments: [false, true]) func chromaIsInterpolatedLinearly(_ isCentred: Bool) throws {
    // A ramp of chroma: values between two chroma samples are on a straight line.
    let coding = Coding(bits: 8, matrix: 6, kr: 0.299, kb: 0.114, isFull: true)
    let (width, height) = (16, 8)
    let (columns, rows) = (8, 4)
    let luma = [Int](repeating: 128, count: width * height)
    let blue = (0..<rows).flatMap { row in (0..<columns).map { 100 + 4 * $0 + 4 * row } }
    let red = [Int](repeating: 128, count: columns * rows)
    var data = [luma, blue, red].map { bytes($0, coding) }
    var made = [UInt8](repeating: 0, count: width * height * 3)
    _ = withPlanes(
      &data, coding, width: width, height: height, halves: true, isCentred: isCentred
    ) { planes in
      made.withUnsafeMutableBytes { phbatch_planes_to_rgb(&planes, $0.baseAddress) }
    }
    // Values outside the outermost samples repeat these samples.
    for y in 1..<(height - 1) {
      for x in 1..<(width - 2) {
        let column = isCentred ? Double(x) / 2 - 0.25 : Double(x) / 2
        let value = 100 + 4 * column + 4 * (Double(y) / 2 - 0.25)
        let wanted = coding.rgb([128, value, 128])
        for band in 0..<3 {
          let found = Double(made[3 * (y * width + x) + band])
          #expect(abs(found - wanted[band] * 255) <= 0.51)
        }
      }
    }
  }

  /// A picture of random samples, and its conversion with the instruction sets up to `level`.
  private func converted(
    _ random: inout SeededGenerator, _ coding: Coding, toRGB: Bool, halves: Bool, isCentred: Bool,
    level: Int32
  ) -> [[UInt8]] {
    phbatch_planes_keep_to(level)
    defer { phbatch_planes_keep_to(4) }
    let (width, height) = (Self.oddSize.width, Self.oddSize.height)
    let chroma = halves ? (width + 1) / 2 * ((height + 1) / 2) : width * height
    let top = toRGB ? Int(coding.top) : coding.bits > 8 ? 65535 : 255
    func samples(_ count: Int) -> [UInt8] {
      bytes((0..<count).map { _ in Int.random(in: 0...top, using: &random) }, coding)
    }
    var data = [width * height, chroma, chroma].map(samples)
    var rgb = samples(width * height * 3)
    let result = withPlanes(
      &data, coding, width: width, height: height, halves: halves, isCentred: isCentred
    ) { planes in
      toRGB
        ? rgb.withUnsafeMutableBytes { phbatch_planes_to_rgb(&planes, $0.baseAddress) }
        : rgb.withUnsafeBytes { phbatch_rgb_to_planes($0.baseAddress, &planes) }
    }
    #expect(result == 0)
    return data + [rgb]
  }

  private static let oddSize = (width: 151, height: 7)

  @Test(arguments: codings) func allInstructionSetsGiveTheSameBits(_ coding: Coding) {
    for isCentred in [false, true] {
      for (toRGB, halves) in [(true, true), (true, false), (false, true)] {
        let all = [Int32(1), 3, 4].map { level in
          var random = SeededGenerator(seed: UInt64(coding.bits * 100 + coding.matrix))
          return converted(
            &random, coding, toRGB: toRGB, halves: halves, isCentred: isCentred, level: level)
        }
        #expect(all[1] == all[0] && all[2] == all[0])
      }
    }
  }

  @Test(arguments: [8, 10], [false, true]) func chromaIsAveraged(_ bits: Int, _ isCentred: Bool) {
    let coding = Coding(bits: bits, matrix: 1, kr: 0.2126, kb: 0.0722, isFull: false)
    let (width, height) = (Self.oddSize.width, Self.oddSize.height)
    var random = SeededGenerator(seed: 5)
    let data = converted(
      &random, coding, toRGB: false, halves: true, isCentred: isCentred, level: 4
    ).map { numbers($0, coding) }
    let top = bits > 8 ? 65535.0 : 255
    func colour(_ x: Int, _ y: Int) -> [Double] {
      let pixel = min(y, height - 1) * width + min(max(x, 0), width - 1)
      return (0..<3).map { Double(data[3][3 * pixel + $0]) / top }
    }
    let columns = (width + 1) / 2
    let weights = isCentred ? [0: 0.25, 1: 0.25] : [-1: 0.125, 0: 0.25, 1: 0.125]
    for row in 0..<((height + 1) / 2) {
      for column in 0..<columns {
        let mean = (0..<3).map { band in
          weights.reduce(0) { sum, weight in
            let x = 2 * column + weight.key
            return sum + weight.value
              * (colour(x, 2 * row)[band] + colour(x, 2 * row + 1)[band])
          }
        }
        let wanted = coding.planes(mean)
        for plane in 1...2 {
          #expect(abs(Double(data[plane][row * columns + column]) - wanted[plane]) <= 0.51)
        }
      }
    }
    for (pixel, luma) in data[0].enumerated() {
      let wanted = coding.planes(colour(pixel % width, pixel / width))
      #expect(abs(Double(luma) - wanted[0]) <= 0.51)
    }
  }

  @Test func anUnknownMatrixIsRefused() {
    let coding = Coding(bits: 8, matrix: 14, kr: 0, kb: 0, isFull: true)
    var data = [[UInt8]](repeating: [UInt8](repeating: 0, count: 4), count: 3)
    var made = [UInt8](repeating: 0, count: 12)
    let result = withPlanes(&data, coding, width: 2, height: 2, halves: false) { planes in
      made.withUnsafeMutableBytes { phbatch_planes_to_rgb(&planes, $0.baseAddress) }
    }
    #expect(result == -1)
  }
}
