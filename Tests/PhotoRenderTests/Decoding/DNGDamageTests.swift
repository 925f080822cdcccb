import PhotoRecipes
import TestSupport
import Testing

@testable import PhotoRender

/// DNG files with impossible statements.
@Suite struct DNGDamageTests {
  private static func file() -> SyntheticDNG {
    SyntheticDNG(width: 96, height: 72) { x, _, colour in
      [0.5, 1, 0.7][colour] * (0.2 + 0.004 * Double(x))
    }
  }

  /// The bytes of a file with these 32-bit numbers at the beginning of tags.
  private static func bytes(_ file: SyntheticDNG, _ numbers: [Int: [UInt32]]) -> [UInt8] {
    var bytes = file.bytes
    func number(_ place: Int, _ width: Int) -> Int {
      (0..<width).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    for entry in (0..<number(8, 2)).map({ 10 + 12 * $0 }) {
      guard let values = numbers[number(entry, 2)] else { continue }
      let isShort = number(entry + 2, 2) == 4 && number(entry + 4, 4) == 1
      let place = isShort ? entry + 8 : number(entry + 8, 4)
      let new = values.flatMap { value in (0..<4).map { UInt8(value >> (8 * $0) & 255) } }
      bytes.replaceSubrange(place..<(place + new.count), with: new)
    }
    return bytes
  }

  private static func error(_ bytes: [UInt8]) -> RenderError? {
    #expect(throws: RenderError.self) { try Studio.develop(bytes, "[]") }
  }

  @Test(
    arguments: [
      (100_000, 100_000), (0x7FFF_FFFF, 0x7FFF_FFFF), (0xFFFF_FFFF, 72),
    ] as [(UInt32, UInt32)])
  func aSizeAboveTheLimitIsNamed(_ width: UInt32, _ height: UInt32) throws {
    let bytes = Self.bytes(Self.file(), [256: [width], 257: [height]])
    let error = try #require(Self.error(bytes))
    #expect(error == .tooLargeRaw(Size(Int(width), Int(height)), limit: 64_000))
    #expect(error.message.contains("\(width)×\(height) pixels"), "\(error.message)")
    #expect(!error.hint.contains("DNG"), "\(error.hint)")
  }

  @Test(arguments: [(0, 72), (96, 0), (5, 72)] as [(UInt32, UInt32)])
  func aSizeThatIsTooSmallIsDamage(_ width: UInt32, _ height: UInt32) throws {
    let bytes = Self.bytes(Self.file(), [256: [width], 257: [height]])
    #expect(
      Self.error(bytes) == .unreadable("its size of \(width)×\(height) pixels is damaged"))
    // The embedded JPEG of such a file would be rendered.
    let facts = try RawFacts(of: .bytes(bytes))
    #expect(facts.problem == nil && facts.damage?.contains("damaged") == true)
  }

  @Test func pixelsOfAnImpossibleShapeAreDamage() {
    var file = Self.file()
    file.floats[50_718] = [1_000, 1]
    #expect(Self.error(file.bytes) == .unreadable("the shape of its pixels is damaged"))
  }

  @Test func noHintProposesDNGForADNGFile() throws {
    var file = Self.file()
    file.shorts[259] = [77]
    let error = try #require(Self.error(file.bytes))
    guard case .unsupportedRaw(_, isDNG: true, hasPreview: false) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(error.hint == "save it as TIFF, or as a linear DNG of uncompressed 16-bit integers")
    func hint(_ hasPreview: Bool) -> String {
      RenderError.unsupportedRaw("", isDNG: false, hasPreview: hasPreview).hint
    }
    #expect(hint(false) == "convert it to DNG")
    // Only an embedded JPEG that is there can be rendered.
    #expect(hint(true).hasPrefix("convert it to DNG, or add "))
    #expect(hint(true).contains(#""fallback": "preview""#))
  }

  /// The warnings about a file, whose picture is that of a file without the damaged statement.
  private static func warnings(_ bytes: [UInt8]) throws -> [String] {
    let picture = try Samples(file: Studio.develop(bytes, "[]"))
    let isSame = try picture == Samples(file: Studio.develop(file().bytes, "[]"))
    #expect(isSame)
    return try Renderer.header(of: .bytes(bytes)).warnings
  }

  @Test(arguments: [[5_000, 5_000, 5_000, 5_000], [0, 0, 97, 72], [0, 0, 20, 10]])
  func aCropOutsideOfThePictureIsAWarning(_ crop: [Int]) throws {
    var file = Self.file()
    file.crop = crop
    #expect(
      try Self.warnings(file.bytes) == [
        "the default crop of the DNG file does not fit the picture, so it is not applied"
      ])
  }

  @Test(arguments: [50_730, 51_109]) func anImpossibleExposureIsAWarning(_ tag: Int) throws {
    var file = Self.file()
    file.floats[tag] = [100_000]
    #expect(
      try Self.warnings(file.bytes) == [
        "the baseline exposure of the DNG file is damaged, so it is not applied"
      ])
  }

  @Test func aDamagedPixelAspectIsAWarning() throws {
    var file = Self.file()
    file.floats[50_718] = [0, 0]
    #expect(
      try Self.warnings(file.bytes) == [
        "the pixel aspect of the DNG file is damaged, so its pixels are taken as square"
      ])
  }

  @Test func aWhiteLevelOfZeroIsAWarning() throws {
    #expect(
      try Self.warnings(Self.bytes(Self.file(), [50_717: [0]])) == [
        "the white level of the DNG file is damaged, so the highest value of its samples is used"
      ])
  }

  @Test func possibleStatementsAreNoWarnings() throws {
    var file = Self.file()
    file.crop = [0, 0, 96, 72]
    (file.floats[50_718], file.floats[51_109]) = ([1, 1], [0])
    file.baselineExposure = 0
    #expect(try Self.warnings(file.bytes) == [])
  }
}
