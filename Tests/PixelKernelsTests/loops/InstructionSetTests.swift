import PixelKernels
import TestReference
import Testing
import Vips

/// CPUs with AVX-512 compute the same bits as CPUs with AVX2.
@Suite(.serialized) struct InstructionSetTests {
  private static func keepingToAVX2<Result>(_ body: () throws -> Result) rethrows -> Result {
    phbatch_kernels_keep_to_avx2(1)
    defer { phbatch_kernels_keep_to_avx2(0) }
    return try body()
  }

  private static let photo = Raster.noise(301, 67, bands: 4, in: -0.2...1.2)

  @Test(arguments: [SampleFormat.uchar, .ushort, .float])
  func kernelsGiveTheSameBitsWithAVX2AndAVX512(_ format: SampleFormat) throws {
    let image = try Self.photo.image(as: format)
    for call in InvarianceTests.calls() {
      var arguments = call.arguments
      arguments["format"] = .choice(format.rawValue)
      let fastest = try image.applying(call.operation, arguments).pixels()
      let narrower = try Self.keepingToAVX2 {
        try image.applying(call.operation, arguments).pixels()
      }
      #expect(fastest.firstDifference(from: narrower) == nil, "\(call.operation)")
    }
  }

  @Test(
    arguments: PointTests.cases + PointTests.blends + PointTests.compositions + PointTests.near,
    [3, 4])
  func pointInstructionsGiveTheSameBitsWithAVX2AndAVX512(
    _ sample: PointTests.Case, _ bands: Int
  ) throws {
    let image = try Raster.noise(600, 20, bands: bands, in: -1...3).image(as: .float)
    let arguments: [String: Argument] = [
      "program": .blob(PointProgram(instructions: sample.instructions).bytes),
      "format": .choice("float"),
    ]
    let fastest = try image.applying("phbatch_point", arguments).pixels()
    let narrower = try Self.keepingToAVX2 {
      try image.applying("phbatch_point", arguments).pixels()
    }
    #expect(fastest.firstDifference(from: narrower) == nil)
  }
}
