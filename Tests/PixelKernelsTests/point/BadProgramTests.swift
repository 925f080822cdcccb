import TestRandom
import TestReference
import Testing
import Vips

/// An invalid program must throw when the operation is built, and never crash.
@Suite struct BadProgramTests {
  private static let good = PointProgram(instructions: [
    .init(.gain, [1, 1, 1, 0, 0, 0]), .init(.curve, [7, 1, 0, 1, 2, 0, 1, 0, 0.5, 1]),
    .init(.radial, [0, 0, 1, 1, 0, 1, 0.5]), .init(.save, [2]), .init(.cbrt),
    .init(.mix, [2, 0.5, -1]), .init(.hues, Self.hues),
    .init(.grade, [1, 0, 0, 1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]), .init(.steps, [4]),
    .init(.save, [0]), .init(.coverLinear, [1, 0, 0.1, 0.1]),
    .init(.coverRadial, [0, 0, 0.1, 0, 0, 0, 0.1, 0.5]), .init(.combine, [1, 0, 2]),
    .init(.coverPolygon, [2, 0, 0.1, 0, 0, 0, 0.1, 0.2, 3, 0, 0, 1, 0, 0, 1]),
    .init(.coverRange, [3, 0, 1, 0.1]), .init(.coverDisc, [4, 0, 0, 0.1, 0.1]),
    .init(.fade, [1, 0.5, 0]), .init(.blend, [0, 3]), .init(.mix, [0, 1, 1]),
  ])

  /// The payload of a HUES instruction that changes no hue.
  private static let hues = HuePayload.of(Array(repeating: [1, 0, 0, 0], count: 33))

  /// The payload `hues` with one value changed.
  private static func hues(_ index: Int, _ number: Float) -> [Float] {
    var payload = hues
    payload[index] = number
    return payload
  }

  /// A payload of ROLLOFF that begins with these numbers.
  private static func rolloff(_ head: [Float]) -> [Float] {
    head + RolloffPayload.of(0.5, 1, isEncoded: true).dropFirst(3)
  }

  private func run(_ bytes: [UInt8], on format: SampleFormat = .uchar) throws -> [UInt8] {
    try Raster.noise(7, 3, bands: 3).image(as: format).applying(
      "phbatch_point", ["program": .blob(bytes), "format": .choice("float")]
    ).pixels()
  }

  @Test func aValidProgramRuns() throws {
    #expect(try run(Self.good.bytes).count == 7 * 3 * 3 * 4)
  }

  @Test func everyTruncatedProgramThrows() {
    let bytes = Self.good.bytes
    for length in 0..<bytes.count {
      #expect(throws: VipsError.self, "\(length) bytes") { try run(Array(bytes[..<length])) }
    }
    #expect(throws: VipsError.self) { try run(bytes + [0, 0, 0, 0]) }
  }

  @Test(
    arguments: [
      [.init(.gain, [1, 1, 1, 0, 0])], [.init(.matrix, [1])], [.init(.decode, [0])],
      [.init(.gain, [.nan, 1, 1, 0, 0, 0])], [.init(.vibrance, [.infinity] + GamutPayload.sRGB)],
      [.init(.vibrance, [0.5])],
      [.init(.saturate, [-0.1] + GamutPayload.sRGB)], [.init(.hold, [0])],
      [.init(.save, [0]), .init(.hold, [1])], [.init(.save, [0]), .init(.multiply, [1])],
      [.init(.rolloff, [0, 0.5, 1])], [.init(.rolloff, rolloff([0.5, 0.5, 1]))],
      [.init(.rolloff, rolloff([0, 0, 1]))], [.init(.rolloff, rolloff([0, 0.5, -1]))],
      [.init(.decodeNearly, [1])], [.init(.close, [0, 0, 1, 1])],
      [.init(.close, [0.5, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0])],
      [.init(.close, [0, -1, 1, 1, 0, 0, 0, 0, 0, 0, 0])],
      [.init(.close, [0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0])],
      [.init(.key)],
      [.init(.key, [0.6, 0, 0, -0.3, 0.1, 0.2, 1, 0, 0])],
      [.init(.key, [0.6, 0, 0, 0.3, -0.1, 0.2, 1, 0, 0])],
      [.init(.key, [0.6, 0, 0, 0.3, 0.1, 0, 1, 0, 0])],
      [.init(.key, [0.6, 0, 0, 0.3, 0.1, 0.2, 1, 0, 1.1])],
      [.init(.save, [6])], [.init(.save, [-1])], [.init(.save, [0.5])],
      [.init(.mix, [1, 0.5, -1])], [.init(.save, [0]), .init(.mix, [1, 0.5, -1])],
      [.init(.save, [0]), .init(.mix, [0, 0.5, 0])],
      [.init(.radial, [0, 0, 1, 1, 0.5, 0.5, 1])],
      [.init(.falloff, [0, 0, 1, 1, 0.1, 0.1, 0.1, 0])], [.init(.falloff, [0, 0, 1, 1, 0.1, 0.1])],
      [.init(.tone)], [.init(.tone, [3, 1, 0, 1, 1, 0, 0, 0, 1])],
      [.init(.adapt, [1, 0, 0, 0, 1, 0, 0, 0, 1, 0.9, 0.9])],
      [.init(.adapt, [1, 0, 0, 0, 1, 0, 0, 0, 1, 0.9])],
      [.init(.curve)], [.init(.curve, [1, 1])], [.init(.curve, [7, 1, 0, 1, 2, 0, 0, 0, 0])],
      [.init(.curve, [0, 1, 0, 1, 1, 0, 0, 0, 1])], [.init(.curve, [8, 1, 0, 1, 1, 0, 0, 0, 1])],
      [.init(.curve, [1.5, 1, 0, 1, 1, 0, 0, 0, 1])], [.init(.curve, [7, 2, 0, 1, 1, 0, 0, 0, 1])],
      [.init(.curve, [7, 0, 0, 0, 1, 0, 0, 0, 1])], [.init(.curve, [7, 1, 0, -1, 1, 0, 0, 0, 1])],
      [.init(.curve, [7, 1, 0, 1, 0, 0, 0, 0])], [.init(.curve, [7, 1, 0, 1, 1.5, 0, 0, 0, 1])],
      [.init(.curve, [7, 1, 0, 1, 1e30, 0, 0, 0, 1])],
      [.init(.curve, [7, 1, 0, 1e-30, 1, 0, 0, 0, 1])],
      [.init(.curve, [7, 1, 0.5, 1, 1, 0, 0, 0, 1])],
      [.init(.curve, [7, 1, -1e30, 1, 1, 0, 0, 0, 1])],
      [.init(.hues)], [.init(.hues, [32])], [.init(.hues, Self.hues + [0])],
      [.init(.hues, Self.hues(0, 0))], [.init(.hues, Self.hues(0, -32))],
      [.init(.hues, Self.hues(0, 33))], [.init(.hues, Self.hues(0, 31.5))],
      [.init(.hues, Self.hues(0, 131072))], [.init(.hues, Self.hues(3, 0.5))],
      [.init(.hues, Self.hues(3, 65536))], [.init(.hues, Self.hues(3, -1))],
      [.init(.hues, Self.hues(5, 1))], [.init(.hues, Self.hues(6, 32_768))],
      [.init(.hues, Self.hues(9, 0.9))], [.init(.hues, Self.hues(10, 0.1))],
      [.init(.hues, Self.hues(9 + 66, -1.1))], [.init(.hues, Self.hues(9 + 66, 0.1))],
      [.init(.hues, Self.hues(9 + 66, -0.1))], [.init(.hues, Self.hues(9 + 131, 0.1))],
      [.init(.grade, [1, 0, 0])], [.init(.grade, [1, 0, 0, 0])], [.init(.grade, [1, 0, 0, 1, 1])],
      [.init(.steps, [1])], [.init(.steps, [2.5])], [.init(.steps, [65537])], [.init(.steps)],
      [.init(.layer, [0])], [.init(.layer, [-1])], [.init(.layer)],
      [.init(.blend, [0, 1])], [.init(.save, [0]), .init(.blend, [0, 0])],
      [.init(.save, [0]), .init(.blend, [0, 18])], [.init(.save, [0]), .init(.blend, [0, 1.5])],
      [.init(.save, [0]), .init(.blend, [1, 1])], [.init(.save, [0]), .init(.blend, [0])],
      [.init(.compose, [0, 1, -1, 1])], [.init(.save, [0]), .init(.compose, [0, 1, -1, 0])],
      [.init(.save, [0]), .init(.compose, [0, 1, -1, 14])],
      [.init(.save, [0]), .init(.compose, [0, 1, -1, 1.5])],
      [.init(.save, [0]), .init(.compose, [0, 1, 0, 1])],
      [.init(.save, [0]), .init(.compose, [0, 1, -1])],
      [.init(.save, [0]), .init(.coverRange, [1, 0, 1, 1]), .init(.mix, [0, 1, 0])],
      [.init(.save, [0]), .init(.mix, [0, 1, -2])], [.init(.save, [0]), .init(.mix, [0, 1, 8])],
      [.init(.coverLinear, [8, 0, 0, 0])], [.init(.coverLinear, [-1, 0, 0, 0])],
      [.init(.coverLinear, [0.5, 0, 0, 0])], [.init(.coverLinear, [0, 0, 0])],
      [.init(.coverLinear, [0, .nan, 0, 0])], [.init(.coverLinear)],
      [.init(.coverRadial, [0, 0, 1, 0, 0, 0, 1, 1])], [.init(.coverRadial, [0, 0, 1])],
      [.init(.coverPolygon)], [.init(.coverPolygon, [0, 0, 1, 0, 0, 0, 1, 0.1])],
      [.init(.coverPolygon, [0, 0, 1, 0, 0, 0, 1, 0.1, 2, 0, 0, 1, 1])],
      [.init(.coverPolygon, [0, 0, 1, 0, 0, 0, 1, 0.1, 3, 0, 0, 1, 1, 0])],
      [.init(.coverPolygon, [0, 0, 1, 0, 0, 0, 1, 0, 3, 0, 0, 1, 1, 0, 1])],
      [.init(.coverPolygon, [0, 0, 1, 0, 0, 0, 1, .leastNonzeroMagnitude, 3, 0, 0, 1, 1, 0, 1])],
      [.init(.coverPolygon, [0, 0, 1, 0, 0, 0, 1, 0.1, 1e9, 0, 0, 1, 1, 0, 1])],
      [.init(.coverPolygon, [9, 0, 1, 0, 0, 0, 1, 0.1, 3, 0, 0, 1, 1, 0, 1])],
      [.init(.coverRange, [0, 0, 1, 0])], [.init(.coverRange, [0, 0, 1, -1])],
      [.init(.coverDisc, [0, 0, 0, 1, 0])],
      [.init(.coverDisc, [0, 0, 0, 1, .leastNonzeroMagnitude])],
      [.init(.coverMap, [0, 0, 0, 1, 0, 0, 0, 1])],
      [.init(.coverRange, [0, 0, 1, 1]), .init(.combine, [0, 1, 0])],
      [.init(.coverRange, [0, 0, 1, 1]), .init(.combine, [1, 0, 0])],
      [.init(.coverRange, [0, 0, 1, 1]), .init(.combine, [0, 0, 3])],
      [.init(.fade, [0, 1, 0])],
      [.init(.coverRange, [0, 0, 1, 1]), .init(.fade, [0, .infinity, 0])],
      [.init(.lut)], [.init(.lut, [2, 1, 1, 1, 0, 0, 0] + [Float](repeating: 0, count: 24))],
      [.init(.lut, [257, 1, 1, 1, 0, 0, 0, 0])], [.init(.lut, [1, 1, 1, 1, 0, 0, 0, 0])],
      [.init(.lut, [.nan, 1, 1, 1, 0, 0, 0, 0])], [.init(.lut, [1e30, 1, 1, 1, 0, 0, 0, 0])],
      [.init(.grain, [5e6, 1, 0, 0, 0, 1, 1, 0, 1, 0])],
      [.init(.grain, [0, 257, 0, 0, 0, 1, 1, 0, 1, 0])],
      [.init(.grain, [0, 1, 0, 0, 0, 1, 1.1, 0, 1, 0])],
      [.init(.grain, [0, 1, 0, 0, 0, 1, 1, 0, 1, -1])], [.init(.dither, [0, 0])],
      [.init(.dither, [255, 0.5])],
      [.init(.table, [0, 1, 2])],
      [.init(.cube), .init(.table, [Float](repeating: 0, count: 768))],
    ] as [[PointProgram.Instruction]])
  func programsWithInvalidPayloadsThrow(_ instructions: [PointProgram.Instruction]) {
    #expect(throws: VipsError.self) { try run(PointProgram(instructions: instructions).bytes) }
  }

  @Test func aTableOfAnotherSizeThanTheInputsLevelsThrows() throws {
    func program(_ levels: Int) -> [UInt8] {
      PointProgram(instructions: [.init(.table, [Float](repeating: 0, count: 3 * levels))]).bytes
    }
    #expect(try run(program(256)).allSatisfy { $0 == 0 })
    #expect(try run(program(65536), on: .ushort).allSatisfy { $0 == 0 })
    #expect(throws: VipsError.self) { try run(program(65536)) }
    #expect(throws: VipsError.self) { try run(program(256), on: .ushort) }
    #expect(throws: VipsError.self) { try run(program(256), on: .float) }
  }

  @Test(arguments: [0, 29, 0xFFFF_FFFF] as [UInt32])
  func programsWithUnknownOpcodesThrow(_ opcode: UInt32) {
    #expect(throws: VipsError.self) {
      try run(PointProgram.bytes(of: [0x3150_4850, 1, opcode, 0]))
    }
  }

  @Test func programsWithOverflowingCountsThrow() {
    for count in [1, 2, 0x3FFF_FFFE, 0x7FFF_FFFF, 0xFFFF_FFFE, 0xFFFF_FFFF] as [UInt32] {
      #expect(throws: VipsError.self) { try run(PointProgram.bytes(of: [0x3150_4850, count])) }
      #expect(throws: VipsError.self) {
        try run(PointProgram.bytes(of: [0x3150_4850, 1, 2, count]))
      }
    }
    #expect(throws: VipsError.self) { try run(PointProgram.bytes(of: [0x3150_4851, 0])) }
  }

  /// Runs 20,000 programs in which a few 32-bit words were changed at random.
  ///
  /// Each program either throws or runs; none crashes.
  @Test func damagedProgramsNeverCrash() throws {
    var generator = SeededGenerator(seed: 20_260_131)
    let words = Self.good.words
    let strange: [UInt32] = [
      0, 1, 2, 3, 12, 0x7FC0_0000, 0x7F80_0000, 0x8000_0000, 0xFFFF_FFFF, 0x4000_0000, 0x3F80_0000,
      0x0000_0001, 0x7F7F_FFFF, 0x4B00_0000,
    ]
    var ran = 0
    for _ in 0..<20_000 {
      var damaged = words
      for _ in 0...Int.random(in: 0..<3, using: &generator) {
        let place = Int.random(in: 0..<damaged.count, using: &generator)
        damaged[place] = strange.randomElement(using: &generator) ?? 0
      }
      do {
        let pixels = try run(PointProgram.bytes(of: damaged))
        #expect(pixels.count == 7 * 3 * 3 * 4)
        ran += 1
      } catch is VipsError {}
    }
    #expect((500..<19_500).contains(ran))
  }
}
