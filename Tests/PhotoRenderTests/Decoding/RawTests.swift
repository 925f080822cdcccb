import Foundation
import Notation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Raw files made by the tests, so that the correct colours are known.
@Suite struct RawTests {
  /// The linear light of a raw file after its development.
  private struct Light {
    let size: Size
    let samples: [Float]

    init(_ file: [UInt8], _ settings: RawSettings = RawSettings(), shrink: Int = 1) throws {
      let photo = PhotoFile.bytes(file)
      let image = try RawDevelopment(photo, settings).image(photo, shrink: shrink)
      size = Size(image.width, image.height)
      samples = try image.samples(as: Float.self)
    }

    subscript(x: Int, y: Int) -> SIMD3<Double> {
      let place = 3 * (y * size.width + x)
      return SIMD3(
        Double(samples[place]), Double(samples[place + 1]), Double(samples[place + 2]))
    }
  }

  private static let neutral = [0.5, 1, 0.7]
  private static let patterns = [[0, 1, 1, 2], [2, 1, 1, 0], [1, 0, 2, 1], [1, 2, 0, 1]]

  /// Converts a linear sRGB colour to camera colours, with the camera's matrix for D65.
  private static func camera(_ rgb: SIMD3<Double>, _ matrix: [Double]) -> [Double] {
    // The matrix from linear sRGB to XYZ, from IEC 61966-2-1.
    let toXYZ = [
      0.4124, 0.3576, 0.1805, 0.2126, 0.7152, 0.0722, 0.0193, 0.1192, 0.9505,
    ]
    let result = times(matrix, times(toXYZ, rgb))
    return [result.x, result.y, result.z]
  }

  @Test(arguments: patterns)
  func developedLightIsProportionalToTheSamples(_ pattern: [Int]) throws {
    let file = SyntheticDNG(
      width: 200, height: 120, pattern: pattern, black: 300, white: 16_000
    ) { x, _, colour in Self.neutral[colour] * 0.5 * Double(x / 40 + 1) / 5 }
    let light = try Light(file.bytes)
    #expect(light.size == Size(200, 120))
    for patch in 0..<5 {
      let wanted = 0.5 * Double(patch + 1) / 5
      let found = light[patch * 40 + 20, 60]
      // Green has the smallest white balance multiplier, 1, so green keeps the light in the file.
      for channel in 0..<3 { #expect(abs(found[channel] - wanted) < 2e-4) }
    }
  }

  @Test(arguments: patterns)
  func cameraColoursAreConvertedToTheKnownColours(_ pattern: [Int]) throws {
    let truths: [SIMD3<Double>] = [
      .init(0.4, 0.4, 0.4), .init(0.35, 0.08, 0.06), .init(0.07, 0.3, 0.08),
      .init(0.03, 0.05, 0.25), .init(0.5, 0.4, 0.03),
    ]
    var file = SyntheticDNG(width: 10, height: 10) { _, _, _ in 0 }
    let matrix = file.matrix
    let white = Self.camera(.one, matrix)
    let colours = truths.map { Self.camera($0, matrix).map { $0 * 0.6 / white.max()! } }
    file = SyntheticDNG(width: 200, height: 100, pattern: pattern) { x, _, colour in
      colours[x / 40][colour]
    }
    file.neutral = white.map { $0 / white.max()! }
    let light = try Light(file.bytes)
    for (patch, truth) in truths.enumerated() {
      let found = light[patch * 40 + 20, 50]
      for channel in 0..<3 { #expect(abs(found[channel] - truth[channel] * 0.6) < 0.002) }
    }
  }

  @Test func rawPhotosAreCroppedRotatedAndExposedByTheirTags() throws {
    var file = SyntheticDNG(width: 100, height: 80) { x, y, colour in
      Self.neutral[colour] * (x < 30 && y < 20 ? 0.1 : 0.4)
    }
    file.crop = [10, 6, 80, 70]
    file.orientation = 6
    file.baselineExposure = 1
    let header = try Renderer.header(of: .bytes(file.bytes))
    #expect(header.stored == Size(80, 70))
    #expect(header.size == Size(70, 80))
    let light = try Light(file.bytes)
    #expect(abs(light[5, 5].x - 0.2) < 1e-3)
    #expect(abs(light[60, 50].y - 0.8) < 1e-3)
    let upright = try Samples(file: Studio.develop(file.bytes, "[]"))
    #expect(upright.width == 70 && upright.height == 80)
    // The dark corner at the top left of the stored picture is at the top right after the rotation.
    #expect(upright[65, 5, 0] < upright[5, 5, 0])
  }

  @Test func clippedHighlightsBecomeNeutral() throws {
    let file = SyntheticDNG(width: 64, height: 64) { _, _, colour in
      min(1, Self.neutral[colour] * 3)
    }.bytes
    let blended = try Light(file)[32, 32]
    #expect(abs(blended.x - blended.y) < 1e-3 && abs(blended.z - blended.y) < 1e-3)
    #expect(blended.y > 1.2)
    var settings = RawSettings()
    settings.highlights = .clip
    let clipped = try Light(file, settings)[32, 32]
    for channel in 0..<3 { #expect(abs(clipped[channel] - 1) < 1e-3) }
  }

  /// Reconstructed channels are closer to the light that a sensor with a larger range would have
  /// recorded.
  ///
  /// Around the area in which channels are clipped, the colour of the bright lamp is known.
  @Test(arguments: [1, 2])
  func clippedChannelsAreReconstructed(_ shrink: Int) throws {
    func lamp(_ gain: Double) -> [UInt8] {
      SyntheticDNG(width: 320, height: 240) { x, y, colour in
        let (u, v) = (Double(x) - 150, Double(y) - 110)
        let glow = 0.15 + 1.9 * exp(-(u * u + v * v) / (2 * 45 * 45))
        return min(1, gain * glow * [0.62, 0.8, 0.35][colour])
      }.bytes
    }
    let truth = try Light(lamp(0.25), shrink: shrink)
    func error(_ highlights: RawSettings.Highlights) throws -> Double {
      var settings = RawSettings()
      settings.highlights = highlights
      let light = try Light(lamp(1), settings, shrink: shrink)
      var sum = 0.0
      for y in 0..<light.size.height {
        for x in 0..<light.size.width {
          let difference = light[x, y] - truth[x, y] * 4
          sum += (difference * difference).sum()
        }
      }
      return (sum / Double(3 * light.size.pixels)).squareRoot()
    }
    let (rebuilt, blended, clipped) = try (error(.rebuild), error(.blend), error(.clip))
    #expect(rebuilt < 0.4 * blended && rebuilt < 0.4 * clipped, "\(rebuilt) \(blended) \(clipped)")
  }

  /// A white highlight, of which only green is clipped, does not take the colour of a red object
  /// around it.
  @Test(arguments: [1, 2], [1.1, 1.3, 1.5])
  func aHighlightThatIsWhiterThanItsSurroundingsHasNoPinkRim(
    _ shrink: Int, _ level: Double
  ) throws {
    let red = [0.6, 0.15, 0.1]
    let file = SyntheticDNG(width: 192, height: 128) { x, y, colour in
      let isInside = (64..<128).contains(x) && (40..<88).contains(y)
      return min(1, Self.neutral[colour] * (isInside ? level : red[colour]))
    }.bytes
    var settings = RawSettings()
    settings.highlights = .rebuild
    let light = try Light(file, settings, shrink: shrink)
    for y in stride(from: 46, to: 82, by: 4) {
      for x in stride(from: 70, to: 122, by: 4) {
        let pixel = light[x / shrink, y / shrink]
        #expect(pixel.max() - pixel.min() < 0.02 * level, "\(x), \(y): \(pixel)")
      }
    }
  }

  @Test(arguments: [2, 4, 8])
  func aReducedRawPhotoContainsMeansOfTheSamples(_ shrink: Int) throws {
    let file = SyntheticDNG(width: 330, height: 250) { x, y, colour in
      Self.neutral[colour] * (0.2 + 0.6 * Double(x + y) / 580)
    }.bytes
    let light = try Light(file, shrink: shrink)
    #expect(light.size == Size(330, 250).reduced(by: shrink))
    let (right, bottom) = (light.size.width - 3, light.size.height - 3)
    for (x, y) in [(3, 3), (right / 2, bottom / 2), (right, bottom), (3, bottom)] {
      // The pixels cover the whole frame. Each pixel is the light in the middle of its part of the
      // frame, although the samples of each colour are elsewhere in it.
      let across = 330 / Double(light.size.width)
      let down = 250 / Double(light.size.height)
      let sum = (Double(x) + 0.5) * across + (Double(y) + 0.5) * down - 1
      for channel in 0..<3 {
        #expect(abs(light[x, y][channel] - (0.2 + 0.6 * sum / 580)) < 1e-3)
      }
    }
  }

  /// A picture with fine detail: rings that become finer outwards, and a coloured slope.
  private static func rings(_ x: Int, _ y: Int) -> SIMD3<Double> {
    let (u, v) = (Double(x) - 128, Double(y) - 128)
    let ring = 0.5 + 0.4 * cos((u * u + v * v) / 260)
    return SIMD3(ring, 0.9 * ring + 0.05, 0.3 + 0.5 * ring)
  }

  @Test func demosaickingIsBetterThanLinearInterpolation() throws {
    var file = SyntheticDNG(width: 256, height: 256) { x, y, colour in
      Self.rings(x, y)[colour] * [0.5, 1, 0.65][colour] * 0.9
    }
    // The camera's colours are nearly those of sRGB.
    file.matrix = [
      3.2406, -1.5372, -0.4986, -0.9689, 1.8758, 0.0415, 0.0557, -0.2040, 1.0570,
    ]
    file.neutral = [0.5, 1, 0.65]
    let light = try Light(file.bytes)
    var error = 0.0
    for y in 32..<224 {
      for x in 32..<224 {
        let difference = light[x, y] - Self.rings(x, y) * 0.9
        error += (difference * difference).sum()
      }
    }
    let ratio = -10 * log10(error / Double(3 * 192 * 192))
    #expect(ratio > 34)
  }

  @Test func allInstructionSetsGiveTheSameRawPicture() throws {
    var random = SeededGenerator(seed: 7)
    let pixels = (0..<(301 * 203)).map { _ in Float.random(in: -0.02...1.1, using: &random) }
    let mosaic = try Image(
      samples: pixels, width: 301, height: 203, bands: 1)
    func developed(_ portable: Bool, _ shrink: Int) throws -> [Float] {
      try mosaic.applying(
        "phbatch_develop",
        [
          "left": .integer(3), "top": .integer(1), "width": .integer(297), "height": .integer(200),
          "pattern": .integers([1, 0, 2, 1]), "shrink": .integer(shrink),
          "multipliers": .numbers([2, 1, 1.5]),
          "matrix": .numbers([1.5, -0.4, -0.1, -0.2, 1.4, -0.2, 0, -0.5, 1.5]),
          "portable": .flag(portable), "format": .choice("float"),
        ]
      ).samples(as: Float.self)
    }
    for shrink in [1, 2] {
      let fast = try developed(false, shrink)
      #expect(fast == (try developed(true, shrink)))
      #expect(!fast.contains { !$0.isFinite })
    }
  }

  @Test func aRawPhotoWithoutWhiteBalanceIsDevelopedForDaylight() throws {
    var file = SyntheticDNG(width: 64, height: 64) { _, _, _ in 0.4 }
    file.neutral = nil
    let header = try Renderer.header(of: .bytes(file.bytes))
    #expect(header.warnings.contains { $0.contains("daylight") })
  }

  /// `whiteBalance` with `kelvin` balances the sensor's channels for the light in front of the
  /// camera, if it is the first step that changes colours.
  @Test func aFirstStepWithKelvinBalancesTheSensorChannels() throws {
    let light = Illuminant(temperature: 3_300, tint: 12)
    var file = SyntheticDNG(width: 64, height: 64) { _, _, _ in 0 }
    let white = Self.times(file.matrix, light.xyz)
    let brightest = white.max()
    file = SyntheticDNG(width: 64, height: 64) { _, _, colour in 0.4 * white[colour] / brightest }
    func raw(_ steps: String) throws -> (RawDevelopment, SIMD3<Double>) {
      let plan = try Renderer(Studio.recipe(steps)).plan(.bytes(file.bytes))
      let raw = try #require(plan.header.raw)
      let samples = try raw.image(.bytes(file.bytes), shrink: 1).samples(as: Float.self)
      let centre = 3 * (32 * 64 + 32)
      return (raw, SIMD3(samples[centre..<(centre + 3)].map { Double($0) }))
    }
    let kelvin = #"{"filter": "whiteBalance", "kelvin": 3300, "tint": 12}"#
    let (balanced, grey) = try raw("[\(kelvin)]")
    #expect(balanced.facts == ["white balance: 3300 K, tint 12"])
    #expect(grey.max() - grey.min() < 2e-4 && abs(grey.x - 0.4) < 2e-3, "\(grey)")
    let (_, cropped) = try raw(
      #"[{"filter": "crop", "left": "10%", "width": "50%"}, \#(kelvin)]"#)
    #expect(cropped == grey)
    // A change of the exposure keeps the channels' ratios, so it may come first.
    let (exposed, _) = try raw(#"[{"filter": "exposure", "stops": -1}, \#(kelvin)]"#)
    #expect(exposed.facts == balanced.facts)
    let (asShot, coloured) = try raw("[]")
    #expect(asShot.isAsShot && coloured.max() - coloured.min() > 0.05)
    #expect(asShot.facts.first?.hasSuffix(", as shot") == true)
    // After another change of colours, and in a part of the photo, the step changes the picture
    // instead.
    for steps in [
      #"[{"filter": "contrast", "amount": 0.2}, \#(kelvin)]"#,
      #"[{"filter": "whiteBalance", "kelvin": 3300, "opacity": 0.5}]"#,
      #"[{"filter": "whiteBalance", "temperature": 3300}]"#,
    ] {
      #expect(try raw(steps).0.isAsShot)
    }
  }

  private static func times(_ m: [Double], _ v: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(
      m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
      m[6] * v.x + m[7] * v.y + m[8] * v.z)
  }

  @Test func aMissingEmbeddedPreviewIsReported() throws {
    let file = SyntheticDNG(width: 64, height: 64) { _, _, _ in 0.4 }.bytes
    var settings = RawSettings()
    settings.look = .preview
    #expect(throws: RenderError.missingPreview) {
      try RawDevelopment(.bytes(file), settings)
    }
  }

  /// Files without most of their samples are refused, even if another photo was decoded before in
  /// the same process.
  ///
  /// LibRaw would return whatever its memory contains.
  @Test(.enabled(if: Corpus.isHere), arguments: ["DNG.dng", "Panasonic.rw2"])
  func missingSamplesAreAnErrorAndNotThoseOfAnEarlierPhoto(_ name: String) throws {
    let files = Corpus.files(below: "raw")
    let cut = try #require(files.first { $0.hasSuffix("/exiftool/\(name)") })
    let whole = try #require(files.first { $0.hasSuffix("/canon-g10.cr2") })
    for _ in 0..<3 {
      _ = try Studio.develop(Array(Data(contentsOf: URL(filePath: whole))), "[]")
      let bytes = Array(try Data(contentsOf: URL(filePath: cut)))
      #expect(throws: RenderError.self) { try Studio.develop(bytes, "[]") }
    }
  }

  /// The decoded samples equal those that tifffile and imagecodecs decode.
  ///
  /// The checksum of the visible samples s₀, s₁, … is `∑ sᵢ × ((2654435761 i + 1) mod 2³²)`, modulo
  /// 2⁶⁴, computed with tifffile 2026.3.3 and imagecodecs 2026.3.6.
  @Test(
    .enabled(if: Corpus.isHere),
    arguments: [
      ("nikon-d1.nef", 0, 3_827, 2_707_976_694_641_010_235),
      ("nikon-d5000-1.dng", 0, 3_840, 4_538_031_720_985_861_634),
      ("nikon-d5000-2.dng", 0, 3_840, 10_531_628_731_410_007_239),
      ("canon-30d.cr2", 127, 4_095, 8_229_853_298_140_799_911),
    ] as [(String, Int, Int, UInt64)])
  func decodedSamplesEqualThoseOfAnotherDecoder(
    _ name: String, _ firstBlack: Int, _ white: Int, _ checksum: UInt64
  ) throws {
    let path = try #require(Corpus.files(below: "raw").first { $0.hasSuffix("/\(name)") })
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let image = try RawSamples().image(of: .bytes(bytes), [:])
    let values = try image.samples(as: Float.self)
    // The Canon's black levels are 127 for red and 128 for the other colours.
    let other = firstBlack == 0 ? 0 : 128
    var (sum, factor) = (0 as UInt64, 1 as UInt64)
    for (index, value) in values.enumerated() {
      let isRed = index / image.width % 2 == 0 && index % image.width % 2 == 0
      let black = isRed ? firstBlack : other
      let sample = Double(value) * Double(white - black) + Double(black)
      sum &+= UInt64(sample.rounded()) &* factor
      factor = (factor + 2_654_435_761) & 0xffff_ffff
    }
    #expect(sum == checksum)
  }

  @Test(.enabled(if: Corpus.isHere))
  func embeddedPreviewsAreNotReportedAsMissingPictures() throws {
    let path = try #require(Corpus.files(below: "raw").first { $0.hasSuffix("/canon-30d.cr2") })
    let file = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let recipe = try Studio.recipe(#"[{"filter": "resize", "longEdge": 200}]"#)
    #expect(try Studio.render(file, recipe).report.warnings == [])
  }

  @Test func truncatedRawFilesAreErrors() throws {
    let file = SyntheticDNG(width: 120, height: 90) { x, _, _ in Double(x) / 200 }.bytes
    for part in 1..<64 {
      let cut = Array(file.prefix(file.count * part / 64))
      #expect(throws: (any Error).self) { try Light(cut) }
    }
  }

  /// Exposure at the start of a chain changes the scene's light before the tone curve for raw
  /// photos, so a darker exposure restores contrast that this curve compresses in bright tones.
  @Test func aFirstExposureStepActsBeforeTheToneCurveOfARawPhoto() throws {
    let file = SyntheticDNG(width: 80, height: 40) { x, _, colour in
      Self.neutral[colour] * (x < 40 ? 0.8 : 0.95)
    }.bytes
    let plain = try Samples(file: Studio.develop(file, "[]"))
    let darker = try Samples(
      file: Studio.develop(file, #"[{"filter": "exposure", "stops": -2}]"#))
    func contrast(_ picture: Samples) -> Int { picture[60, 20, 0] - picture[20, 20, 0] }
    #expect(contrast(darker) > contrast(plain))
  }
}
