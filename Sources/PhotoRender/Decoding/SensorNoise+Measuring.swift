import PhotoRecipes
import Vips

extension RawDevelopment {
  /// The number of measured tiles in each direction, and the edge of a tile in pixels.
  private static let tiles = 8
  private static let edge = 146

  /// The noise of a mosaic's samples; nil if the file is not a mosaic, or is too small or too
  /// uniform for a measurement.
  func noise(of photo: PhotoFile, _ samples: RawSamples) throws(VipsError) -> SensorNoise? {
    guard case .mosaic(let way) = way else { return nil }
    let mosaic = try samples.image(of: photo, loading)
    let (width, height) = (mosaic.width, mosaic.height)
    let cell = way.isXTrans ? 6 : 2
    if width < 2 * Self.edge || height < 2 * Self.edge { return nil }
    var blocks: [SensorNoise.Block] = []
    for tile in 0..<(Self.tiles * Self.tiles) {
      func place(_ index: Int, _ length: Int) -> Argument {
        // Tiles start at the first pixel of a cell.
        .integer(index * (length - Self.edge) / (Self.tiles - 1) / cell * cell)
      }
      let part = try mosaic.applying(
        "crop",
        [
          "left": place(tile % Self.tiles, width), "top": place(tile / Self.tiles, height),
          "width": .integer(Self.edge), "height": .integer(Self.edge),
        ])
      let values = try part.samples(as: Float.self)
      if way.isXTrans {
        blocks += Self.greenBlocks(values, way.pattern)
      } else {
        blocks += Self.blocks(values)
      }
    }
    return SensorNoise(blocks)
  }

  /// The blocks of 8 × 8 samples of one colour in a tile.
  ///
  /// The difference `(a − b − c + d) ÷ 2` of four neighbours of one colour has the variance of a
  /// sample, and no gradient changes it. Blocks with a clipped sample are left out.
  private static func blocks(_ tile: [Float]) -> [SensorNoise.Block] {
    (0..<4).flatMap { colour in
      blocks(tile, from: colour / 2 * edge + colour % 2, distance: 2, step: 2)
    }
  }

  /// The blocks of 8 × 8 green samples in a tile of an X-Trans mosaic.
  ///
  /// Four blocks of 3 × 3 pixels meet in a square of 2 × 2 green pixels.
  private static func greenBlocks(_ tile: [Float], _ pattern: [Int]) -> [SensorNoise.Block] {
    func isGreen(_ x: Int, _ y: Int) -> Bool { pattern[y % 6 * 6 + x % 6] == 1 }
    let corner = (0..<9).first { index in
      let (x, y) = (index % 3, index / 3)
      return isGreen(x, y) && isGreen(x + 1, y) && isGreen(x, y + 1) && isGreen(x + 1, y + 1)
    }
    return corner.map { blocks(tile, from: $0 / 3 * edge + $0 % 3, distance: 1, step: 3) } ?? []
  }

  /// The blocks of 8 × 8 samples in a tile.
  ///
  /// The first sample is at `start`. Samples are `step` pixels apart, and their neighbours of the same
  /// colour are at a `distance`.
  private static func blocks(
    _ tile: [Float], from start: Int, distance: Int, step: Int
  ) -> [SensorNoise.Block] {
    let pitch = edge
    let count = (pitch / step - 1) / 8
    let samples = tile.span
    return (0..<(count * count)).compactMap { block in
      let corner = start + (block / count * pitch + block % count) * 8 * step
      var (sum, squares, most) = (0.0, 0.0, 0 as Float)
      for row in 0..<8 {
        var at = corner + row * step * pitch
        for _ in 0..<8 {
          let below = at + distance * pitch
          let (a, b) = (samples[at], samples[at + distance])
          let (c, d) = (samples[below], samples[below + distance])
          let difference = Double(a - b - c + d) / 2
          sum += Double(a)
          squares += difference * difference
          if a > most { most = a }
          at += step
        }
      }
      return most < 0.98 ? SensorNoise.Block(mean: sum / 64, variance: squares / 64) : nil
    }
  }
}

extension DNGFile {
  /// The noise of the tag NoiseProfile, averaged over the colours; nil if the file has none.
  var noise: SensorNoise? {
    guard let numbers = numbers(51_041), numbers.count >= 2, numbers.count.isMultiple(of: 2),
      numbers.allSatisfy({ $0.isFinite && $0 >= 0 && $0 < 1 })
    else { return nil }
    func mean(_ first: Int) -> Double {
      let values = stride(from: first, to: numbers.count, by: 2).map { numbers[$0] }
      return values.reduce(0, +) / Double(values.count)
    }
    return SensorNoise(slope: mean(0), floor: mean(1))
  }
}
