import PhotoRecipes
import Vips

extension RawDevelopment {
  /// The number of measured tiles in each direction, and the edge of a tile in pixels.
  private static let tiles = 8
  private static let edge = 146

  /// The noise of a mosaic's samples; nil if the file is not a mosaic, or is too small or too
  /// uniform for a measurement.
  func noise(of photo: PhotoFile, _ samples: RawSamples) throws(VipsError) -> SensorNoise? {
    guard case .mosaic = way else { return nil }
    let mosaic = try samples.image(of: photo, loading)
    let (width, height) = (mosaic.width, mosaic.height)
    if width < 2 * Self.edge || height < 2 * Self.edge { return nil }
    var blocks: [SensorNoise.Block] = []
    for tile in 0..<(Self.tiles * Self.tiles) {
      func place(_ index: Int, _ length: Int) -> Argument {
        .integer(index * (length - Self.edge) / (Self.tiles - 1) / 2 * 2)
      }
      let part = try mosaic.applying(
        "crop",
        [
          "left": place(tile % Self.tiles, width), "top": place(tile / Self.tiles, height),
          "width": .integer(Self.edge), "height": .integer(Self.edge),
        ])
      blocks += Self.blocks(try part.samples(as: Float.self))
    }
    return SensorNoise(blocks)
  }

  /// The blocks of 8 × 8 samples of one colour in a tile.
  ///
  /// The difference `(a − b − c + d) ÷ 2` of four neighbours of one colour has the variance of a
  /// sample, and no gradient changes it. Blocks with a clipped sample are left out.
  private static func blocks(_ tile: [Float]) -> [SensorNoise.Block] {
    var blocks: [SensorNoise.Block] = []
    let count = (edge / 2 - 1) / 8
    for colour in 0..<4 {
      let start = colour / 2 * edge + colour % 2
      for block in 0..<(count * count) {
        let corner = start + block / count * 16 * edge + block % count * 16
        var (sum, squares, most) = (0.0, 0.0, 0 as Float)
        for index in 0..<64 {
          let at = corner + index / 8 * 2 * edge + index % 8 * 2
          let (a, b, c, d) = (tile[at], tile[at + 2], tile[at + 2 * edge], tile[at + 2 * edge + 2])
          let difference = Double(a - b - c + d) / 2
          sum += Double(a)
          squares += difference * difference
          most = max(most, a)
        }
        if most < 0.98 {
          blocks.append(SensorNoise.Block(mean: sum / 64, variance: squares / 64))
        }
      }
    }
    return blocks
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
