import Foundation
import TestReference
import Testing
import Vips

/// Each instruction of `phbatch_point`, compared with its formula in double precision.
@Suite struct PointTests {
  /// A program to test.
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var instructions: [PointProgram.Instruction]
    /// True if the program amplifies the rounding errors of 32-bit float.
    var isLong: Bool

    init(_ name: String, isLong: Bool = false, _ instructions: PointProgram.Instruction...) {
      testDescription = name
      self.isLong = isLong
      self.instructions = instructions
    }
  }

  // The matrices between linear sRGB and OKLab: from linear sRGB to LMS, from the cube roots of LMS
  // to OKLab, and back. Source: Björn Ottosson, "A perceptual color space for image processing",
  // 2020.
  static let toLMS: [Float] = [
    0.412_221_47, 0.536_332_54, 0.051_445_99, 0, 0.211_903_5, 0.680_699_55, 0.107_396_96, 0,
    0.088_302_46, 0.281_718_84, 0.629_978_7, 0,
  ]
  static let toLab: [Float] = [
    0.210_454_26, 0.793_617_8, -0.004_072_05, 0, 1.977_998_5, -2.428_592_2, 0.450_593_7, 0,
    0.025_904_04, 0.782_771_77, -0.808_675_77, 0,
  ]
  static let fromLab: [Float] = [
    1, 0.396_337_78, 0.215_803_76, 0, 1, -0.105_561_346, -0.063_854_17, 0, 1, -0.089_484_18,
    -1.291_485_5, 0,
  ]
  static let (sRGB, displayP3) = (GamutPayload.sRGB, GamutPayload.displayP3)
  static let fromLMS: [Float] = [
    4.076_741_7, -3.307_711_6, 0.230_969_94, 0, -1.268_438, 2.609_757_4, -0.341_319_38, 0,
    -0.004_196_086_3, -0.703_418_6, 1.707_614_7, 0,
  ]

  /// The last part of a payload of CURVE: the two slopes and the values.
  static func knots(_ steps: Int, power: Double) -> [Float] {
    [0.5, 0.25] + (0...steps).map { Float(pow(Double($0) / Double(steps), power)) }
  }

  /// A payload of HUES whose values at the end of the hue circle equal those at the start.
  static let hues = HuePayload.of(
    (0...64).map { knot in
      let angle = 2 * Double.pi * Double(knot) / 64
      let turn = 0.4 * sin(2 * angle)
      return [cos(turn), sin(turn), 0.3 * cos(angle) - 0.1, 0.4 * sin(angle)].map { Float($0) }
    })

  /// A payload of GRADE with these weights.
  static func grade(_ weights: [Float]) -> [Float] {
    let steps = (0...32).map { Float($0) / 32 }
    return weights + [32] + steps.flatMap { [1 - $0 / 2, 1 + $0 * $0, 0.8, 9] }
      + steps.flatMap { [0.1 * $0, -0.05, 0.1 - 0.1 * $0, 9] }
  }

  /// A star around (0.5, 0.5) with five outer and five inner corners, which alternate.
  static let star: [Float] = {
    let corners = (0..<10).flatMap { corner -> [Float] in
      let angle = Double(corner) * .pi / 5 + 0.1
      let radius = corner.isMultiple(of: 2) ? 0.45 : 0.2
      return [Float(0.5 + radius * sin(angle)), Float(0.5 - radius * cos(angle))]
    }
    return polygon(feather: 0.07, corners)
  }()

  static func polygon(feather: Float, _ corners: [Float]) -> [Float] {
    [3] + turned + [feather, Float(corners.count / 2)] + corners
  }

  /// The matrices between linear sRGB and OKLab's cone responses, and the direction of blue's hue,
  /// 264.05°.
  static let cones: [Float] = [
    0.41222147, 0.53633254, 0.051445993, 0.2119035, 0.68069955, 0.10739696, 0.088302462, 0.28171884,
    0.6299787, 4.0767417, -3.3077116, 0.23096993, -1.268438, 2.6097574, -0.3413194, -0.0041960865,
    -0.70341861, 1.7076147, -0.10362546, -0.99461639,
  ]

  /// The map from pixel coordinates to (u, v), slightly rotated.
  static let turned: [Float] = [0.1, 0.0071, 0.0013, 0.2, -0.0011, 0.0098]

  /// A gain that is mixed with the original under a cover (a mask's coverage).
  static func masked(
    _ name: String, opacity: Float = 1, isLong: Bool = false, _ cover: PointProgram.Instruction...
  ) -> Case {
    var sample = Case(name, isLong: isLong)
    sample.instructions =
      [.init(.save, [1])] + cover
      + [.init(.gain, [0.2, 0.5, -0.3, 0.3, 0.1, 0.9]), .init(.mix, [1, opacity, 3])]
    return sample
  }

  /// Programs that read only the image; `LayerTests` tests programs that read other images.
  static let cases = colours + tables + covers

  /// The points of a cube with an irregular pattern, and the unused float that ends the payload.
  static func points(_ n: Int) -> [Float] {
    (0..<3 * n * n * n).map { Float(sin(Double($0 * $0 % 1009))) } + [0]
  }

  /// A matrix with three equal planes as its result.
  static let greys: [Float] = (0..<3).flatMap { _ in [0.3, 0.5, 0.2, 0] as [Float] }

  static let colours: [Case] = [
    Case("nothing"),
    Case("gain", .init(.gain, [1.5, 0.75, -0.5, 0.01, -0.125, 0.75])),
    Case(
      "matrix", .init(.matrix, [1.2, -0.1, -0.1, 0.02, -0.3, 1.4, -0.1, 0, 0.05, 0.1, 0.8, -0.1])),
    Case("decode", .init(.decode)),
    Case("encode", .init(.encode)),
    Case(
      "close", .init(.close, [0, 0.003, 12.9, 1.1, -0.04, 1.52, -1.49, 2.5, -2.65, 1.51, -0.35])),
    Case(
      "close by the fourth root",
      .init(.close, [1, 0, 1800, 1.25, 0, 0.027, 1.352, -0.88, 0.929, -0.576, 0.149])),
    Case("curve", .init(.curve, [7, 1, 0, 1, 64] + knots(64, power: 2.5))),
    Case(
      "three curves", .init(.curve, [1, 1, 0, 0.8, 1024] + knots(1024, power: 1.5)),
      .init(.curve, [2, 0, 0, 0.8, 512] + knots(512, power: 3)),
      .init(.curve, [4, 1, 0, 1, 1024] + knots(1024, power: 2))),
    Case("curve of one step", .init(.curve, [7, 1, 0, 2, 1, 0, 0, 0.25, 0.5])),
    Case("even curve of one step", .init(.curve, [5, 0, -0.1, 0.9, 1, 0.5, 2, 0.25, 0.5])),
    Case("two-sided curve", .init(.curve, [7, 1, -0.3, 1, 64] + knots(64, power: 0.7))),
    Case("two-sided even curve", .init(.curve, [6, 0, -0.3, 0.9, 64] + knots(64, power: 1.7))),
    Case("tone", .init(.tone, [7, 1, 0, 1, 64] + knots(64, power: 2.5))),
    Case("two-sided even tone", .init(.tone, [7, 0, -0.3, 0.9, 64] + knots(64, power: 1.7))),
    Case(
      "tone of greys", .init(.matrix, greys), .init(.tone, [7, 1, 0, 1, 64] + knots(64, power: 2))),
    Case("tone that falls", .init(.tone, [7, 0, 0, 1, 1, 0, 0, 0.9, 0.2])),
    Case(
      "adapt", .init(.adapt, [0.8, 0.02, 0, 0.01, 1, 0.01, 0, 0.1, 1.3, 0.79, 0.96])),
    Case(
      "adapt of bright light", .init(.gain, [0.5, 0.3, 0.4, 0.6, 0.8, 0.7]),
      .init(.adapt, [1.3, 0.02, 0, 0.01, 1, 0.01, 0, 0.1, 0.7, 0.79, 0.96])),
    Case("cbrt", .init(.cbrt)),
    Case("cube", .init(.cube)),
    Case("vibrance", .init(.gain, [1, 1, 1, 0, -0.5, -0.5]), .init(.vibrance, [0.7] + sRGB)),
    Case(
      "vibrance in a wide gamut", .init(.gain, [1, 1, 1, 0, -0.5, -0.5]),
      .init(.vibrance, [0.7] + displayP3)),
    Case("less vibrance", .init(.gain, [1, 1, 1, 0, -0.5, -0.5]), .init(.vibrance, [-0.7] + sRGB)),
    Case(
      "saturate", .init(.gain, [0.6, 0.2, 0.2, 0.2, -0.1, -0.1]), .init(.saturate, [0.8] + sRGB)),
    Case(
      "saturate in a wide gamut", .init(.gain, [0.6, 0.2, 0.2, 0.2, -0.1, -0.1]),
      .init(.saturate, [0.8] + displayP3)),
    Case(
      "hold", isLong: true, .init(.gain, [0.5, 0.15, 0.15, 0.3, -0.07, -0.07]), .init(.save, [0]),
      .init(.gain, [1.1, 1.7, 1.7, 0.05, 0, 0]), .init(.hold, [0])),
    Case(
      "key", .init(.gain, [1, 1, 1, 0, -0.5, -0.5]),
      // The key is far from all colours, so alpha stays unchanged; the test checks only the spill.
      .init(.key, [0.6, -8, 6, 0.3, 0.1, 0.2, -0.8, 0.6, 0.7])),
    Case(
      "rolloff", .init(.gain, [2, 1.5, 3, -0.1, 0, 0]),
      .init(.rolloff, RolloffPayload.of(0.5, 1.5, isEncoded: false))),
    Case(
      "limit", .init(.gain, [2, 1.5, 3, -0.1, 0, 0]),
      .init(.rolloff, RolloffPayload.of(1, 0, isEncoded: true))),
    Case(
      "encoded rolloff", .init(.gain, [1.5, 1.2, 1.8, -0.1, 0, 0]),
      .init(.rolloff, RolloffPayload.of(0.5, 1.5, isEncoded: true))),
    Case(
      "encoded rolloff of half a stop", .init(.gain, [1.3, 1.2, 1.5, 0, 0.1, 0]),
      .init(.rolloff, RolloffPayload.of(0.585_786, 1.207_107, isEncoded: true))),
    Case(
      "rolloff in a wide space", .init(.gain, [2, 1.5, 3, -0.1, 0, 0]),
      .init(.rolloff, RolloffPayload.of(0.5, 1.5, isEncoded: false, RolloffPayload.displayP3))),
    Case(
      "encoded rolloff in a wide space", .init(.gain, [1.5, 1.2, 1.8, -0.1, 0, 0]),
      .init(.rolloff, RolloffPayload.of(0.5, 1.5, isEncoded: true, RolloffPayload.displayP3))),
    Case(
      "encoded rolloff in a narrow space", .init(.gain, [1.5, 1.2, 1.8, -0.1, 0, 0]),
      .init(.rolloff, RolloffPayload.of(0.5, 1.5, isEncoded: true, RolloffPayload.narrow))),
    Case(
      "gamut", isLong: true, .init(.gain, [1.4, 1, 1.6, -0.2, 0, -0.1]), .init(.gamut, [0] + cones)),
    Case(
      "gamut of encoded samples", isLong: true, .init(.gain, [1.3, 1, 1, -0.05, 0, 0]),
      .init(.gamut, [1] + cones)),
    Case(
      "gamut near blue", isLong: true, .init(.gain, [0.1, 0.1, 1.2, -0.03, -0.03, 0]),
      .init(.gamut, [0] + cones)),
    Case("radial", .init(.radial, [20, 40.5, 0.02, 0.03, 0.1, 1.2, -0.6])),
    Case("falloff", .init(.falloff, [20, 40.5, 0.004, 0.005, -0.6, 0.3, -0.1, 0.0625])),
    Case("bright falloff", .init(.falloff, [50, 10, 0.01, 0.008, 0.9, 0.2, 0.4, 0.5])),
    Case("limited falloff", .init(.falloff, [20, 40.5, 0.004, 0.005, -2, 0, 0, 0.25])),
    Case("radial inwards", .init(.radial, [50, 10, 0.02, 0.01, 0.9, 0.2, 0.4])),
    Case("lut", .init(.lut, [9, 1, 1, 1, 0, 0, 0] + points(9))),
    Case("lut of a domain", .init(.lut, [2, 0.5, 2, 0.8, 0.2, -0.1, 0] + points(2))),
    Case("grain", isLong: true, .init(.grain, [3, 1, 0, 5, 0, 1, 0.4, 0.3, 0.1, 77])),
    Case(
      "turned grain", isLong: true, .init(.grain, [900, 0, -1, 2, 1, 0, 0.016, 0.012, 0.2, 65_535])),
    Case("dither", .init(.dither, [255, 3])),
    Case(
      "multiply", .init(.gain, [3, -2, 1.5, 0, 0, 0.1]), .init(.save, [1]),
      .init(.gain, [0.2, 0.3, 0.5, 0.1, -0.2, 0]), .init(.multiply, [1])),
    Case(
      "layers", .init(.save, [3]), .init(.cube), .init(.save, [0]), .init(.decode),
      .init(.mix, [3, 0.25, -1]), .init(.mix, [0, 0.5, -1])),
    Case(
      "a whole edit", isLong: true, .init(.gain, [0.4, 0.4, 0.4, 0.2, 0.2, 0.2]), .init(.decode),
      .init(.gain, [1.25, 1.2, 1.3, 0, 0, 0]),
      .init(.matrix, toLMS), .init(.cbrt), .init(.matrix, toLab), .init(.vibrance, [0.3] + sRGB),
      .init(.matrix, fromLab), .init(.cube), .init(.matrix, fromLMS), .init(.encode)),
  ]

  /// Instructions that compute an approximation of their formula.
  static let near = [Case("decode nearly", .init(.decodeNearly))]

  static let tables: [Case] = [
    Case(
      "two two-sided curves", .init(.curve, [3, 1, -1, 1.2, 128] + knots(128, power: 0.5)),
      .init(.curve, [4, 0, -1, 1.2, 128] + knots(128, power: 3))),
    Case("hues", isLong: true, .init(.gain, [1, 1, 1, 0, -0.5, -0.5]), .init(.hues, hues)),
    Case(
      "hues of colours", isLong: true, .init(.gain, [0.9, 0.3, 0.3, 0.05, -0.15, -0.15]),
      .init(.hues, hues)),
    Case(
      "hues in a wide gamut", isLong: true, .init(.gain, [0.9, 0.3, 0.3, 0.05, -0.15, -0.15]),
      .init(.hues, Array(hues.dropLast(6)) + displayP3)),
    Case(
      "hues of few steps", isLong: true,
      .init(
        .hues,
        HuePayload.of(
          (0...32).map { Float($0) / 32 }.map { [1 - $0 / 2, $0 / 2, 0.5 - 1.5 * $0, 0.1 * $0] }))),
    Case("grade", .init(.grade, grade([0.2126, 0.7152, 0.0722]))),
    Case("grade by what may be negative", .init(.grade, grade([-0.5, 2, -0.5]))),
    // No 8-bit or 16-bit level is exactly on an edge of the 7 steps, where rounding would decide.
    Case("steps", .init(.gain, [0.99, 0.98, 0.97, 0, 0, 0]), .init(.steps, [7])),
  ]

  static let covers: [Case] = [
    masked("linear cover", .init(.coverLinear, [3, -0.2, 0.011, 0.004])),
    masked(
      "radial cover", opacity: 0.7,
      .init(.coverRadial, [3, -0.6, 0.013, 0.002, -0.7, 0.003, 0.02, 0.4])),
    masked(
      "hard radial cover", isLong: true,
      .init(.coverRadial, [3, -0.6, 0.013, 0.002, -0.7, 0, 0.02, 0.99])),
    masked("polygon", .init(.coverPolygon, star)),
    masked(
      "triangle", opacity: 0.5,
      .init(.coverPolygon, polygon(feather: 0.3, [0.2, 0.2, 0.9, 0.3, 0.4, 0.8]))),
    masked("range", .init(.coverRange, [3, 0.3, 0.6, 0.2])),
    masked("range from the top", .init(.coverRange, [3, 0.8, 1, 0.1])),
    masked("disc", opacity: 0.9, .init(.coverDisc, [3, 0.4, 0.7, 0.1, 0.25])),
    masked(
      "added covers", .init(.coverRange, [3, 0.6, 1, 0.2]),
      .init(.coverLinear, [0, 0, 0.01, 0]), .init(.combine, [3, 0, 0])),
    masked(
      "subtracted covers", .init(.coverRange, [3, 0.1, 1, 0.2]),
      .init(.coverDisc, [7, 0.5, 0.5, 0.1, 0.3]), .init(.combine, [3, 7, 1])),
    masked(
      "intersected covers", .init(.coverRange, [3, 0.1, 1, 0.2]),
      .init(.coverLinear, [4, 1, -0.01, 0]), .init(.combine, [3, 4, 2])),
    masked("faded cover", .init(.coverLinear, [3, 0, 0.01, 0]), .init(.fade, [3, -0.8, 0.9])),
  ]

  /// All combinations of 18 levels of R, G and B, 0 to 255 in steps of 15; with four bands, the
  /// fourth is alpha.
  static func cube(bands: Int) -> Raster {
    let levels = (0..<18).map { Double(min($0 * 15, 255)) / 255 }
    return Raster(108, 54, bands: bands) { x, y, band in
      let index = y * 108 + x
      switch band {
      case 0: return levels[index / 324]
      case 1: return levels[index / 18 % 18]
      case 2: return levels[index % 18]
      default: return Double((x * 7 + y * 3) % 256) / 255
      }
    }
  }

  /// Every `step`th of 65,536 levels: ascending in R, descending in G, scattered in B and alpha.
  static func ramp(bands: Int, step: Int = 1) -> Raster {
    Raster(1024, 64 / step, bands: bands) { x, y, band in
      let level = (y * 1024 + x) * step
      let levels = [level, 65535 - level, level * 7 % 65536, level * 13 % 65536]
      return Double(levels[band]) / 65535
    }
  }

  /// The inputs with three and with four bands, as they are stored in each format.
  private static let inputs = [3, 4].map { bands in
    SampleFormat.allCases.map { format in
      switch format {
      case .uchar: cube(bands: bands).stored(as: format)
      case .ushort: ramp(bands: bands, step: 4).stored(as: format)
      case .float: Raster.noise(700, 9, bands: bands, in: -0.5...2.5).stored(as: format)
      }
    }
  }

  /// An input, stored in `format`.
  static func input(bands: Int, format: SampleFormat) -> Raster {
    inputs[bands - 3][SampleFormat.allCases.firstIndex(of: format) ?? 0]
  }

  /// Each blend mode: a mixture of the channels is blended with the original pixel.
  static let blends = (1...17).map { mode -> Case in
    Case(
      "blend \(mode)", .init(.save, [5]),
      .init(.matrix, [0.1, 0.2, 0.5, 0.1, 0.6, 0.1, 0.1, 0.1, 0.2, 0.4, 0.2, 0.1]),
      .init(.blend, [5, Float(mode)]))
  }

  /// Each composition: a mixture of the channels is composited with the original pixel, with a
  /// partial cover.
  static let compositions = CompositionReference.modes.map { mode -> Case in
    Case(
      "composition \(mode)", .init(.save, [5]), .init(.coverLinear, [3, 0.1, 0.01, 0.02]),
      .init(.matrix, [0.1, 0.2, 0.5, 0.1, 0.6, 0.1, 0.1, 0.1, 0.2, 0.4, 0.2, 0.1]),
      .init(.compose, [5, 0.8, 3, Float(mode)]))
  }

  @Test(arguments: compositions, SampleFormat.allCases)
  func compositionsOfOpaquePixelsMatchTheirFormula(_ sample: Case, _ from: SampleFormat) throws {
    let program = PointProgram(instructions: sample.instructions)
    let input = Self.input(bands: 3, format: from)
    let expected = PointReference(instructions: sample.instructions).raster(input)
    for to in SampleFormat.allCases {
      let output = try input.image(as: from).applying(
        "phbatch_point", ["program": .blob(program.bytes), "format": .choice(to.rawValue)])
      #expect(try expected.distance(to: output, as: to) <= to.tolerance, "to \(to)")
    }
  }

  @Test(arguments: cases + blends, SampleFormat.allCases)
  func pointInstructionsMatchTheirFormulas(_ sample: Case, _ from: SampleFormat) throws {
    let program = PointProgram(instructions: sample.instructions)
    let reference = PointReference(instructions: sample.instructions)
    for bands in [3, 4] {
      let input = Self.input(bands: bands, format: from)
      let expected = reference.raster(input)
      for to in SampleFormat.allCases where bands == 4 || to == from {
        let output = try input.image(as: from).applying(
          "phbatch_point", ["program": .blob(program.bytes), "format": .choice(to.rawValue)])
        let distance = try expected.distance(to: output, as: to)
        let tolerance = sample.isLong ? to.longTolerance : to.tolerance
        #expect(distance <= tolerance, "\(bands) bands to \(to)")
      }
    }
  }

  @Test(arguments: [SampleFormat.uchar, .ushort], SampleFormat.allCases)
  func aTableInstructionReplacesEachSample(_ from: SampleFormat, _ to: SampleFormat) throws {
    let levels = from == .uchar ? 256 : 65536
    let table = (0..<3 * levels).map { Float(sin(Double($0 * $0 % 977))) }
    let instructions: [PointProgram.Instruction] = [
      .init(.table, table), .init(.gain, [0.5, 0.5, 0.5, 0.5, 0.5, 0.5]),
    ]
    let program = PointProgram(instructions: instructions)
    for bands in [3, 4] {
      let raster = from == .uchar ? Self.cube(bands: bands) : Self.ramp(bands: bands)
      let input = raster.stored(as: from)
      let expected = PointReference(instructions: instructions).raster(input, levels: levels)
      let output = try input.image(as: from).applying(
        "phbatch_point", ["program": .blob(program.bytes), "format": .choice(to.rawValue)])
      #expect(try expected.distance(to: output, as: to) <= to.tolerance)
    }
  }

  /// The transfer functions' documented accuracy: 1e-6 in 0...1, and a relative error of 2e-6 up to
  /// 64.
  @Test(arguments: [PointProgram.Opcode.decode, .encode, .cbrt])
  func transferFunctionsHaveTheDocumentedAccuracy(_ opcode: PointProgram.Opcode) throws {
    let input = Raster(1000, 300, bands: 3) { x, y, band in
      let step = Double((y * 1000 + x) * 3 + band) / 900_000
      return (band == 1 ? -1 : 1) * exp2(-24 + 30 * step)
    }.stored(as: .float)
    let program = PointProgram(instructions: [.init(opcode)])
    let output = try input.image(as: .float).applying(
      "phbatch_point", ["program": .blob(program.bytes), "format": .choice("float")])
    let expected = PointReference(instructions: program.instructions).raster(input)
    let relative = opcode == .cbrt ? 2e-7 : 2e-6
    for (expected, found) in zip(
      expected.values, Raster.values(of: try output.pixels(), as: .float))
    {
      let error = abs(expected - found)
      guard error > relative * abs(expected) || (abs(expected) < 1 && error > 1e-6) else {
        continue
      }
      Issue.record("\(found) instead of \(expected)")
      break
    }
  }

  /// The error is within 1/25 of an 8-bit level after encoding, for values up to 1.5; larger values
  /// are exact.
  @Test func theApproximateDecodingHasTheDocumentedAccuracy() throws {
    let input = Raster(1000, 40, bands: 3) { x, y, band in
      Double((y * 1000 + x) * 3 + band) / 120_000 * 6 - 3
    }.stored(as: .float)
    let output = try input.image(as: .float).applying(
      "phbatch_point",
      [
        "program": .blob(PointProgram(instructions: Self.near[0].instructions).bytes),
        "format": .choice("float"),
      ])
    for (x, light) in zip(input.values, Raster.values(of: try output.pixels(), as: .float)) {
      let error = abs(PointReference.encoded(light) - x)
      try #require(error <= (abs(x) <= 1.5 ? 0.04 / 255 : 4e-6), "\(x) gives \(light)")
    }
  }
}
