import PhotoRecipes
import TestRandom
import TestSupport
import Testing

/// Automatic white balance in coloured light, and with coloured subjects.
@Suite struct AutoWhiteBalanceTests {
  private static let methods = AutoWhiteBalance.Method.allCases.map(\.rawValue)
  private static let lights = ["A", "3500K", "4500K", "D50", "D75", "D100", "FL2", "LED-B3"]

  /// The patches of the colour checker under a light: the sRGB levels of a camera that treats every
  /// light as D65.
  ///
  /// colour-science computes them from the patches' spectra.
  private static func checker(_ light: String) throws -> [SIMD3<Double>] {
    let rows = try OracleFile.rows("colour-science.txt")
    let row = try #require(rows.first { $0[0] == "checker.\(light)" })
    let numbers = row.dropFirst().compactMap { Double($0) }
    try #require(numbers.count == 72)
    return stride(from: 0, to: 72, by: 3).map {
      SIMD3(numbers[$0], numbers[$0 + 1], numbers[$0 + 2])
    }
  }

  /// A photo of cells of 8 × 8 pixels.
  ///
  /// Each cell has one of the colours, with shading and noise.
  private static func photo(
    _ colours: [SIMD3<Double>], shading: ClosedRange<Double>
  ) -> Samples {
    var random = SeededGenerator(seed: 21)
    let (across, down) = (24, 16)
    let cells = (0..<across * down).map { colours[$0 % colours.count] }.shuffled(using: &random)
    var values: [Int] = []
    for y in 0..<8 * down {
      for x in 0..<8 * across {
        let colour = cells[y / 8 * across + x / 8] * Double.random(in: shading, using: &random)
        for c in 0..<3 {
          let level = colour[c] + Double.random(in: -2...2, using: &random)
          values.append(Int(min(255, max(0, level)).rounded()))
        }
      }
    }
    return Samples(width: 8 * across, height: 8 * down, bands: 3, maximum: 255, values: values)
  }

  private static func balanced(_ photo: Samples, _ settings: String) throws -> Samples {
    let filters = #"[{"filter": "autoWhiteBalance", \#(settings)}]"#
    return try Samples(file: Studio.develop(photo.file(), filters))
  }

  /// The scene in neutral light, and in each of the lights.
  private static let checkers = Dictionary(
    uniqueKeysWithValues: (["D65"] + lights).map { light in
      (light, Result { try scene(light) })
    })

  /// A photo that contains each colour of the checker once, and each of its six greys six times.
  private static func scene(_ light: String) throws -> Samples {
    let patches = try checker(light)
    let greys = Array(patches[18...])
    let many = (0..<6).flatMap { _ in greys }
    return photo(Array(patches[..<18]) + many, shading: 0.95...1.05)
  }

  /// The colour of the light is almost removed.
  ///
  /// Light A changes colours by 17 CIEDE2000 units. The remaining difference of up to 4 units is
  /// one that no chromatic adaptation removes.
  @Test(arguments: TestVolume.pairs(methods, lights))
  func autoWhiteBalanceRemovesTheColourOfTheLight(_ method: String, _ light: String) throws {
    // The method `edges` does not remove a cast that is as weak as the natural colours of good
    // photos.
    if method == "edges" && ["D75", "D100"].contains(light) { return }
    let neutral = try #require(Self.checkers["D65"]).get()
    let cast = try #require(Self.checkers[light]).get()
    let result = try Self.balanced(cast, #""method": "\#(method)", "strength": 1"#)
    let (before, after) = (
      cast.meanColourDifference(from: neutral), result.meanColourDifference(from: neutral)
    )
    #expect(after <= 4 && after <= before / 2, "\(method) under \(light): \(before) to \(after)")
  }

  /// Green, magenta and blue casts, as gains of linear light.
  @Test(arguments: [
    SIMD3(0.85, 1.1, 0.8), SIMD3(0.6, 1, 0.65), SIMD3(1.15, 0.85, 1.15), SIMD3(1, 0.65, 1),
    SIMD3(0.7, 1, 1.5),
  ])
  func castsOfOtherColoursAreRemoved(_ gains: SIMD3<Double>) throws {
    let neutral = try Self.scene("D65")
    var cast = neutral
    for (index, value) in neutral.values.enumerated() {
      let light = PointFormulas.light(Double(value) / 255) * gains[index % 3] / gains.max()
      cast.values[index] = Int((PointFormulas.display(light) * 255).rounded())
    }
    let result = try Self.balanced(cast, #""method": "edges""#)
    let brightness = (gains * SIMD3(0.2126, 0.7152, 0.0722)).sum() / gains.max()
    var dimmed = neutral
    for (index, value) in neutral.values.enumerated() {
      let light = PointFormulas.light(Double(value) / 255) * brightness
      dimmed.values[index] = Int((PointFormulas.display(light) * 255).rounded())
    }
    let (before, after) = (
      cast.meanColourDifference(from: dimmed), result.meanColourDifference(from: dimmed)
    )
    #expect(after <= before / 2, "\(gains): \(before) to \(after)")
  }

  /// Warm casts as gains of linear light: one is moderate, and one clips its highlights as a camera
  /// does.
  @Test(arguments: [SIMD3(1, 0.83, 0.58), SIMD3(1.6, 1, 0.45)])
  func warmCastsAreRemovedAlsoIfHighlightsClip(_ gains: SIMD3<Double>) throws {
    let neutral = try Self.scene("D65")
    let (dimmed, cast) = (Self.lit(neutral, SIMD3(repeating: 0.8)), Self.lit(neutral, gains))
    let result = try Self.balanced(cast, #""method": "edges""#)
    let (before, after) = (
      cast.meanColourDifference(from: dimmed), result.meanColourDifference(from: dimmed)
    )
    #expect(after <= before / 2, "\(gains): \(before) to \(after)")
  }

  /// Brick and skin with fewer greys in the light of lamps: the greys show the light.
  @Test func aRedSceneInTheLightOfLampsIsCorrected() throws {
    let greys = stride(from: 40.0, through: 240, by: 40).map { SIMD3(repeating: $0) }
    let red = greys.flatMap { _ in [SIMD3<Double>(150, 50, 45), SIMD3(170, 120, 100)] }
    let neutral = Self.photo(red + greys, shading: 0.8...1)
    let gains = SIMD3(1, 0.625, 0.28)
    let (dimmed, cast) = (Self.lit(neutral, SIMD3(repeating: 0.65)), Self.lit(neutral, gains))
    let result = try Self.balanced(cast, #""method": "edges""#)
    let (before, after) = (
      cast.meanColourDifference(from: dimmed), result.meanColourDifference(from: dimmed)
    )
    #expect(after <= 0.6 * before, "\(before) to \(after)")
  }

  /// A photo in light of which the channels have these gains, clipped at white.
  private static func lit(_ photo: Samples, _ gains: SIMD3<Double>) -> Samples {
    var result = photo
    for (index, value) in photo.values.enumerated() {
      let light = min(1, PointFormulas.light(Double(value) / 255) * gains[index % 3])
      result.values[index] = Int((PointFormulas.display(light) * 255).rounded())
    }
    return result
  }

  @Test(arguments: methods) func aSceneInNeutralLightStaysUnchanged(_ method: String) throws {
    let neutral = try Self.scene("D65")
    let result = try Self.balanced(neutral, #""method": "\#(method)", "strength": 1"#)
    #expect(result.meanColourDifference(from: neutral) <= 1.5)
  }

  /// A scene with few colours, none of which is the colour of the light.
  private struct Scene: CustomTestStringConvertible {
    let testDescription: String
    let colours: [SIMD3<Double>]

    init(_ name: String, _ colours: SIMD3<Double>...) {
      (testDescription, self.colours) = (name, colours)
    }
  }

  private static let sky = SIMD3<Double>(110, 165, 225)
  private static let grass = SIMD3<Double>(90, 130, 50)
  private static let red = SIMD3<Double>(200, 40, 50)
  private static let violet = SIMD3<Double>(130, 100, 180)
  private static let yellow = SIMD3<Double>(240, 190, 30)
  private static let leaf = SIMD3<Double>(60, 90, 40)
  private static let orange = SIMD3<Double>(250, 180, 20)
  private static let scarlet = SIMD3<Double>(190, 10, 20)
  private static let dull = SIMD3<Double>(95, 110, 80)

  private static let scenes: [Scene] = [
    Scene("tulips", red, red, grass),
    Scene("lavender", violet, violet, grass, SIMD3(150, 190, 230)),
    Scene("rape field below the sky", yellow, grass, sky),
    Scene("sky and grass", sky, grass),
    Scene("much sky", sky, sky, sky, grass),
    Scene("pale sky and grass", SIMD3(170, 200, 235), grass),
    Scene("beach", SIMD3(205, 180, 140), SIMD3(120, 170, 220), SIMD3(70, 130, 170)),
    Scene("leaves", leaf, grass, SIMD3(120, 160, 60), SIMD3(45, 60, 30)),
    Scene("leaves in the sun", leaf, grass, SIMD3(150, 190, 90), SIMD3(235, 240, 235)),
    Scene(
      "flower bed", orange, scarlet, scarlet, orange, scarlet, SIMD3(150, 40, 110), dull, dull,
      dull, dull, dull, dull, dull, grass),
    Scene("forest", leaf, leaf, SIMD3(90, 80, 55), SIMD3(150, 170, 120)),
  ]

  @Test(arguments: TestVolume.pairs(methods, scenes))
  private func scenesOfVividColoursStayUnchanged(_ method: String, _ scene: Scene) throws {
    // The method `edges` mistakes a scene that is almost one pale colour for a scene with a cast;
    // photos are rarely so plain.
    if method == "edges" && ["lavender", "forest"].contains(scene.testDescription) { return }
    let colours = scene.colours
    let photo = Self.photo(colours, shading: 0.8...1.1)
    let result = try Self.balanced(photo, #""method": "\#(method)", "strength": 1"#)
    let change = result.meanColourDifference(from: photo)
    #expect(change <= 2.5, "\(method), \(scene.testDescription): \(change)")
  }

  /// A clipped sky over stones in slightly green light.
  ///
  /// The sky stays white.
  @Test(arguments: methods) func aClippedSkyStaysWhite(_ method: String) throws {
    let stones = stride(from: 40.0, to: 200, by: 12).map { SIMD3(0.97 * $0, $0, 0.96 * $0) }
    let ground = Self.photo(stones, shading: 0.9...1.1)
    let sky = Array(repeating: 255, count: ground.values.count / 3)
    let photo = Samples(
      width: ground.width, height: ground.height * 4 / 3, bands: 3, maximum: 255,
      values: sky + ground.values)
    let result = try Self.balanced(photo, #""method": "\#(method)", "strength": 1"#)
    #expect(result[5, 5] == [255, 255, 255])
    // The method `edges` does not remove a cast that is as weak as the natural colours of good
    // photos.
    if method == "edges" { return }
    // The stones become grey, because the colour of the light is found.
    let place = (0..<result.width).map { result[$0, result.height - 20] }
    let cast = place.map { Double($0[1]) - Double($0[0] + $0[2]) / 2 }.reduce(0, +)
    #expect(abs(cast) / Double(result.width) < 1.5)
  }

  /// Clipped white in warm light stays white, although the colours around it become cooler.
  @Test func clippedWhiteInWarmLightStaysWhite() throws {
    var photo = try Self.scene("A")
    for y in 40..<56 {
      for x in 40..<56 {
        for c in 0..<3 { photo.values[(y * photo.width + x) * 3 + c] = 255 }
      }
    }
    let result = try Self.balanced(photo, #""method": "edges""#)
    #expect(result[48, 48] == [255, 255, 255])
    #expect(result[8, 8, 2] - photo[8, 8, 2] > 10 || result[8, 8, 0] < photo[8, 8, 0])
  }

  /// A scene of two colours: a sky above a ground.
  private static func landscape(
    _ sky: SIMD3<Double>, _ ground: SIMD3<Double>
  ) -> Samples {
    let (above, below) = (photo([sky], shading: 0.8...1.05), photo([ground], shading: 0.5...1))
    return Samples(
      width: above.width, height: above.height * 2, bands: 3, maximum: 255,
      values: above.values + below.values)
  }

  /// The blue and the violet of dusk, and warm light below a blue sky, are not casts.
  @Test(arguments: [
    (SIMD3<Double>(60, 100, 150), SIMD3<Double>(20, 35, 70)),
    (SIMD3<Double>(190, 140, 215), SIMD3<Double>(150, 105, 190)),
    (SIMD3<Double>(150, 185, 215), SIMD3<Double>(170, 120, 70)),
  ])
  func duskAndSunsetsStayUnchanged(_ sky: SIMD3<Double>, _ ground: SIMD3<Double>) throws {
    let photo = Self.landscape(sky, ground)
    let result = try Self.balanced(photo, #""method": "edges""#)
    let change = result.meanColourDifference(from: photo)
    #expect(change <= 2.5, "\(change)")
  }

  @Test func strengthAppliesAFractionOfTheCorrection() throws {
    let cast = try Self.scene("A")
    let steps = try [0, 0.25, 0.5, 1].map {
      try Self.balanced(cast, #""strength": \#($0)"#).meanColourDifference(from: cast)
    }
    #expect(steps[0] == 0 && zip(steps, steps.dropFirst()).allSatisfy { $0 < $1 }, "\(steps)")
    let usual = try Self.balanced(cast, #""method": "greyWorld""#)
    #expect(usual == (try Self.balanced(cast, #""method": "greyWorld", "strength": 1"#)))
  }
}
