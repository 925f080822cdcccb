import Foundation
import TestRandom
import Testing
import Vips

/// `phbatch_develop` of X-Trans mosaics that are made of known pictures.
@Suite struct XTransTests {
  /// The colours of the first cell of a sensor whose own cell starts at a column and a row.
  private static func pattern(_ left: Int, _ top: Int) -> [Int] {
    let rows = ["GBGGRG", "RGRBGB", "GBGGRG", "GRGGBG", "BGBRGR", "GRGGBG"].map(Array.init)
    return (0..<36).map { index in
      let (x, y) = ((index % 6 + 6 - left) % 6, (index / 6 + 6 - top) % 6)
      return ["R": 0, "G": 1, "B": 2][rows[y][x]] ?? -1
    }
  }

  private static let usual = pattern(0, 0)

  private static func mosaic(
    _ width: Int, _ height: Int, _ pattern: [Int], _ light: (Int, Int) -> SIMD3<Float>
  ) throws -> Image {
    let samples = (0..<(width * height)).map { index in
      let (x, y) = (index % width, index / width)
      return light(x, y)[pattern[y % 6 * 6 + x % 6]]
    }
    return try Image(samples: samples, width: width, height: height, bands: 1)
  }

  private struct Frame {
    var left = 0
    var top = 0
    var width: Int
    var height: Int
  }

  private static func developed(
    _ mosaic: Image, _ pattern: [Int], _ frame: Frame? = nil, shrink: Int = 1,
    portable: Bool = false, rebuild: Bool = false
  ) throws -> [SIMD3<Float>] {
    let frame = frame ?? Frame(width: mosaic.width, height: mosaic.height)
    let image = try mosaic.applying(
      "phbatch_develop",
      [
        "left": .integer(frame.left), "top": .integer(frame.top), "width": .integer(frame.width),
        "height": .integer(frame.height), "pattern": .integers(pattern),
        "shrink": .integer(shrink), "multipliers": .numbers([1, 1, 1]),
        "matrix": .numbers([1, 0, 0, 0, 1, 0, 0, 0, 1]), "portable": .flag(portable),
        "rebuild": .flag(rebuild), "format": .choice("float"),
      ])
    let samples = try image.samples(as: Float.self)
    return stride(from: 0, to: samples.count, by: 3).map {
      SIMD3(samples[$0], samples[$0 + 1], samples[$0 + 2])
    }
  }

  private static func distance(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float {
    let difference = a - b
    return max(abs(difference.x), abs(difference.y), abs(difference.z))
  }

  private static func noise(_ width: Int, _ height: Int) throws -> Image {
    var random = SeededGenerator(seed: 11)
    let samples = (0..<(width * height)).map { _ in Float.random(in: -0.02...1.1, using: &random) }
    return try Image(samples: samples, width: width, height: height, bands: 1)
  }

  /// An even picture stays even, in mosaics of all small sizes and with all places of the cell.
  @Test func evenPicturesStayEven() throws {
    let light = SIMD3<Float>(0.2, 0.5, 0.35)
    for place in 0..<36 {
      let pattern = Self.pattern(place % 6, place / 6)
      let (width, height) = (8 + place, 8 + (7 * place) % 23)
      let found = try Self.developed(Self.mosaic(width, height, pattern) { _, _ in light }, pattern)
      #expect(found.allSatisfy { Self.distance($0, light) < 1e-5 }, "\(width)×\(height)")
    }
  }

  /// A grey slope is exact, except at its borders, and a coloured one nearly: the roots of its samples
  /// are not a plane.
  @Test func slopesAreExact() throws {
    let (width, height) = (120, 90)
    func grey(_ x: Int, _ y: Int) -> SIMD3<Float> {
      SIMD3(repeating: 0.1 + 0.7 * Float(x + y) / 210)
    }
    func coloured(_ x: Int, _ y: Int) -> SIMD3<Float> {
      let (u, v) = (Float(x) / 120, Float(y) / 90)
      return SIMD3(0.1 + 0.6 * u, 0.2 + 0.6 * v, 0.7 - 0.5 * u)
    }
    for place in 0..<36 {
      let pattern = Self.pattern(place % 6, place / 6)
      for (light, limit) in [(grey, 2e-6 as Float), (coloured, 3e-4)] {
        let found = try Self.developed(Self.mosaic(width, height, pattern, light), pattern)
        var (inside, border) = (0 as Float, 0 as Float)
        for y in 0..<height {
          for x in 0..<width {
            let error = Self.distance(found[y * width + x], light(x, y))
            let isInside = x >= 13 && y >= 13 && x < width - 13 && y < height - 13
            if isInside { inside = max(inside, error) } else { border = max(border, error) }
          }
        }
        #expect(inside < limit && border < 0.05, "\(place): \(inside), \(border)")
      }
    }
  }

  /// The same part of a picture has the same pixels, wherever strips, tiles and the cell start.
  @Test func partsEqualTheWhole() throws {
    let (width, height) = (301, 203)
    let mosaic = try Self.noise(width, height)
    let whole = try Self.developed(mosaic, Self.usual)
    for frame in [
      Frame(left: 3, top: 1, width: 297, height: 200),
      Frame(left: 17, top: 70, width: 100, height: 1),
      Frame(left: 250, top: 130, width: 51, height: 73),
      Frame(left: 300, top: 202, width: 1, height: 1),
    ] {
      let part = try Self.developed(mosaic, Self.usual, frame)
      let wanted = (0..<(frame.width * frame.height)).map {
        whole[(frame.top + $0 / frame.width) * width + frame.left + $0 % frame.width]
      }
      #expect(part == wanted)
    }
  }

  @Test func placesOfTheCellGiveTheSamePicture() throws {
    func light(_ x: Int, _ y: Int) -> SIMD3<Float> {
      let ring = 0.5 + 0.4 * cos(Float((x - 60) * (x - 60) + (y - 50) * (y - 50)) / 150)
      return SIMD3(ring, 0.9 * ring + 0.05, 0.3 + 0.5 * ring)
    }
    let (width, height) = (90, 80)
    let whole = try Self.developed(Self.mosaic(120, 110, Self.usual, light), Self.usual)
    for place in 0..<36 {
      let (left, top) = (place % 6, place / 6)
      let pattern = Self.pattern((6 - left) % 6, (6 - top) % 6)
      let part = try Self.developed(
        Self.mosaic(width, height, pattern) { light($0 + left, $1 + top) }, pattern)
      let isSame = (13..<(height - 13)).allSatisfy { y in
        (13..<(width - 13)).allSatisfy { x in
          part[y * width + x] == whole[(y + top) * 120 + x + left]
        }
      }
      #expect(isSame, "\(place)")
    }
  }

  @Test(arguments: [1, 3])
  func allInstructionSetsGiveTheSamePicture(_ shrink: Int) throws {
    let mosaic = try Self.noise(301, 203)
    let frame = Frame(left: 3, top: 1, width: 297, height: 200)
    let fast = try Self.developed(mosaic, Self.usual, frame, shrink: shrink)
    let portable = try Self.developed(mosaic, Self.usual, frame, shrink: shrink, portable: true)
    #expect(fast == portable)
    #expect(fast.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite })
  }

  /// Fine rings: the error is that of a good demosaic, and far below that of linear interpolation.
  @Test func ringsAreResolved() throws {
    func light(_ x: Int, _ y: Int) -> SIMD3<Float> {
      let (u, v) = (Float(x) - 128, Float(y) - 128)
      let ring = 0.5 + 0.4 * cos((u * u + v * v) / 260)
      return SIMD3(ring, 0.9 * ring + 0.05, 0.3 + 0.5 * ring)
    }
    let found = try Self.developed(Self.mosaic(256, 256, Self.usual, light), Self.usual)
    var sum = 0.0
    for y in 32..<224 {
      for x in 32..<224 {
        let error = SIMD3<Double>(found[y * 256 + x] - light(x, y))
        sum += (error * error).sum()
      }
    }
    let ratio = -10 * log10(sum / Double(3 * 192 * 192))
    #expect(ratio > 39, "\(ratio) dB")
  }

  /// A reduced pixel is the mean of each colour in its blocks of 3 × 3 pixels.
  @Test(arguments: [3, 6, 12])
  func reducedPixelsAreMeansOfBlocks(_ shrink: Int) throws {
    let (width, height) = (72, 60)
    let mosaic = try Self.noise(width, height)
    let samples = try mosaic.samples(as: Float.self)
    let found = try Self.developed(mosaic, Self.usual, shrink: shrink)
    for (index, pixel) in found.enumerated() {
      var (sums, counts) = ([0.0, 0, 0], [0.0, 0, 0])
      for place in 0..<(shrink * shrink) {
        let x = index % (width / shrink) * shrink + place % shrink
        let y = index / (width / shrink) * shrink + place / shrink
        let colour = Self.usual[y % 6 * 6 + x % 6]
        sums[colour] += Double(samples[y * width + x])
        counts[colour] += 1
      }
      // Colours above white are mixed with grey.
      let means = (0..<3).map { sums[$0] / counts[$0] }
      if means.max() ?? 1 >= 0.9 { continue }
      for colour in 0..<3 { #expect(abs(Double(pixel[colour]) - max(0, means[colour])) < 1e-5) }
    }
  }

  /// All colours of a reduced pixel have their centre in its middle, wherever the cell starts and
  /// whatever part of the mosaic is shown.
  @Test(arguments: [3, 6, 12])
  func coloursOfReducedPixelsHaveOneCentre(_ shrink: Int) throws {
    let frame = Frame(left: 5, top: 4, width: 207, height: 140)
    func light(_ x: Double, _ y: Double) -> SIMD3<Float> {
      SIMD3<Float>(SIMD3(0.1 + 0.6 * x / 223, 0.2 + 0.6 * y / 151, 0.7 - 0.5 * x / 223))
    }
    for place in 0..<36 {
      let pattern = Self.pattern(place % 6, place / 6)
      let mosaic = try Self.mosaic(223, 151, pattern) { light(Double($0), Double($1)) }
      let found = try Self.developed(mosaic, pattern, frame, shrink: shrink)
      let (width, height) = (frame.width / shrink, frame.height / shrink)
      for (index, pixel) in found.enumerated() {
        let across = Double(frame.width) / Double(width)
        let down = Double(frame.height) / Double(height)
        let x = Double(frame.left) + (Double(index % width) + 0.5) * across - 0.5
        let y = Double(frame.top) + (Double(index / width) + 0.5) * down - 0.5
        let isInside = index % width > 0 && index / width > 0 && index % width < width - 1
        let limit: Float = isInside && index / width < height - 1 ? 4e-4 : 8e-3
        #expect(Self.distance(pixel, light(x, y)) < limit, "\(place), \(index)")
      }
    }
  }

  /// Red is clipped in a bright square; its true value is rebuilt from the other colours.
  @Test(arguments: [1, 3])
  func clippedRedIsRebuilt(_ shrink: Int) throws {
    func light(_ x: Int, _ y: Int) -> SIMD3<Float> {
      let isBright = (48..<96).contains(x) && (48..<96).contains(y)
      return SIMD3<Float>(1.6, 0.8, 0.64) * (isBright ? 1 : 0.5)
    }
    let mosaic = try Self.mosaic(144, 144, Self.usual) { x, y in
      light(x, y).clamped(lowerBound: .zero, upperBound: .one)
    }
    let found = try Self.developed(mosaic, Self.usual, shrink: shrink, rebuild: true)
    let middle = found[72 / shrink * (144 / shrink) + 72 / shrink]
    #expect(Self.distance(middle, light(72, 72)) < 0.03, "\(middle)")
  }

  @Test func otherPatternsAndTinyMosaicsAreRefused() throws {
    var other = Self.usual
    other[7] = 0
    let mosaic = try Self.noise(60, 60)
    for pattern in [other, [0, 1, 2], [0, 0, 1, 2], []] {
      #expect(throws: VipsError.self) { try Self.developed(mosaic, pattern) }
    }
    let tiny = try Self.noise(7, 8)
    #expect(throws: VipsError.self) { try Self.developed(tiny, Self.usual) }
  }
}
