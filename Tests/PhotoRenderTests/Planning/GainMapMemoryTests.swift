import PhotoRecipes
import PhotoRender
import TestSupport
import Testing
import Vips

/// The plan includes the memory for a gain map that the rendition keeps.
@Suite struct GainMapMemoryTests {
  private static func needs(
    _ map: [UInt8], _ output: String = #""format": "jpeg""#
  ) throws -> Int {
    let base = try SyntheticPhoto.jpeg(width: 3000, height: 2000)
    let file = UltraHDRFile.bytes(base: base, map: map, .adobe)
    return try Renderer(Studio.recipe("[]", output: output)).plan(.bytes(file)).memory.usual
  }

  private static func map(isProgressive: Bool) throws -> [UInt8] {
    try Samples.flat([90, 120, 60], 1500, 1000).file(
      "jpegsave_target",
      ["interlace": .flag(isProgressive), "subsample-mode": .choice("off")])
  }

  @Test func aProgressiveGainMapNeedsMemoryForItsCoefficients() throws {
    let (plain, progressive) = try (
      Self.needs(Self.map(isProgressive: false)), Self.needs(Self.map(isProgressive: true))
    )
    #expect(progressive - plain >= 2 * 3 * 1500 * 1000)
  }

  @Test(arguments: [
    #""format": "jpeg", "gainMap": "drop""#, #""format": "jpeg", "metadata": "none""#,
  ])
  func aDroppedGainMapNeedsNoMemory(_ output: String) throws {
    let plain = try Self.needs(Self.map(isProgressive: false), output)
    #expect(try Self.needs(Self.map(isProgressive: true), output) == plain)
    #expect(try Self.needs(Self.map(isProgressive: false)) > plain + 3 * 1500 * 1000)
  }
}
