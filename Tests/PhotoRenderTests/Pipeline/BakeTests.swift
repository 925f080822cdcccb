import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Point programs that are approximated by cubes (three-dimensional lookup tables).
@Suite struct BakeTests {
  private static let pixels = 60_000_000

  static let edit = """
    [{"filter": "exposure", "stops": 0.3}, {"filter": "contrast", "amount": 0.3},
     {"filter": "saturation", "amount": -0.3}, {"filter": "gamma", "gamma": 1.1},
     {"filter": "sepia", "intensity": 0.2}, {"filter": "brightness", "amount": 0.03}]
    """

  private static func program(_ filters: String) throws -> PointProgram {
    let graph = try Studio.recipe(filters).graph.fused
    return try #require(
      graph.nodes.compactMap { node -> PointProgram? in
        if case .program(let program) = node.operation { program } else { nil }
      }.first)
  }

  @Test func aLongPointProgramIsApproximatedByACube() throws {
    let program = try Self.program(Self.edit)
    let replacement = Bake.replacement(
      for: program, input: .uchar, bound: 1 / 255.0, pixels: Self.pixels)
    guard case .colour(.cube(let cube)) = replacement?.instructions.first else {
      Issue.record("nothing was baked")
      return
    }
    #expect("\(cube)".contains("baked from"))
    // Random colours, most of which were not measured for the cube.
    var random = SeededGenerator(seed: 11)
    for _ in 0..<20_000 {
      let colour = ColourMatrix.Vector(
        (0..<3).map { _ in Double(Int.random(in: 0...255, using: &random)) / 255 })
      let exact = try #require(program(colour))
      for c in 0..<3 {
        let (a, b) = (min(1, max(0, exact[c])), min(1, max(0, cube(colour)[c])))
        try #require(abs(a - b) <= 1 / 255.0, "\(colour)")
      }
    }
  }

  /// Short programs, programs that depend on the position or are too nonlinear, and small photos
  /// are not approximated by a cube.
  @Test func shortOrNonlinearProgramsAreNotApproximatedByACube() throws {
    func replacement(_ filters: String, _ pixels: Int = Self.pixels) throws -> PointProgram? {
      Bake.replacement(
        for: try Self.program(filters), input: .uchar, bound: 1 / 255.0, pixels: pixels)
    }
    #expect(try replacement(Self.edit, 100_000) == nil)
    #expect(
      try replacement(#"[{"filter": "saturation", "amount": 0}, {"filter": "invert"}]"#) == nil)
    let placed = Self.edit.dropLast() + #", {"filter": "vignette", "intensity": -0.5}]"#
    #expect(try replacement(String(placed)) == nil)
    // At the edge of the gamut, the result as a function of the colour has kinks, so a cube is not
    // accurate enough.
    let vivid = Self.edit.dropLast() + #", {"filter": "saturation", "id": "b", "amount": 0.9}]"#
    #expect(try replacement(String(vivid)) == nil)
  }

  @Test func ditherIsAppliedAfterTheCube() throws {
    var program = try Self.program(Self.edit)
    program.append([.dither(Dither(levels: 255))])
    let replacement = Bake.replacement(
      for: program, input: .uchar, bound: 1 / 255.0, pixels: Self.pixels)
    #expect(replacement?.instructions.count == 2)
    #expect(replacement?.instructions.last == .dither(Dither(levels: 255)))
  }

  /// Swift code that evaluates a point program in double precision and the kernel give the same
  /// result.
  @Test func theKernelAgreesWithTheEvaluationInDoublePrecision() throws {
    let program = try Self.program(Self.edit)
    var random = SeededGenerator(seed: 4)
    let samples = (0..<3000).map { _ in Float.random(in: 0...1, using: &random) }
    let bytes = ProgramEncoder.bytes(program, input: .float, size: Size(1000, 1))
    let found = try Image(samples: samples, width: 1000, height: 1, bands: 3)
      .applying("phbatch_point", ["program": .blob(bytes), "format": .choice("float")])
      .samples(as: Float.self)
    for index in stride(from: 0, to: samples.count, by: 3) {
      let colour = ColourMatrix.Vector((0..<3).map { Double(samples[index + $0]) })
      let exact = try #require(program(colour))
      for c in 0..<3 { try #require(abs(exact[c] - Double(found[index + c])) < 4 / 65_535.0) }
    }
  }
}
