import Notation
import Testing

@testable import PhotoRecipes

/// The key `hdr` of outputs, for HDR displays.
@Suite struct HDROutputTests {
  private static func recipe(_ output: String) throws -> Recipe {
    try recipe(
      text: """
        {"identifier": "org.example.hdr", "version": "1.0.0",
         "outputs": [{"name": "out", \(output)}]}
        """)
  }

  private static func recipe(text: String) throws -> Recipe {
    let document = try RecipeDocument(SourceText(name: "test", text: text)) {
      file throws(Problem) in
      throw .contradiction("no file \(file.path)", remedy: "name none")
    }
    return try document.recipe().recipe
  }

  @Test(arguments: ["avif", "heic", "jxl"]) func theSpaceIsWideByDefault(_ format: String) throws {
    for (name, transfer) in [("pq", HDRTransfer.pq), ("hlg", .hlg)] {
      let output = try Self.recipe(#""format": "\#(format)", "hdr": "\#(name)""#).outputs[0]
      #expect(output.hdr == transfer && output.profile == .rec2020)
      #expect(output.bitDepth(forSource: 8) == 16 && !output.keepsGainMap)
    }
    #expect(try Self.recipe(#""format": "\#(format)""#).outputs[0].hdr == nil)
  }

  /// Each output with a setting that does not fit, and words of the error.
  @Test(arguments: [
    (#""format": "jpeg", "hdr": "pq""#, "use avif, heic or jxl"),
    (#""format": "png", "hdr": "hlg""#, "use avif, heic or jxl"),
    (#""format": "webp", "hdr": "pq""#, "use avif, heic or jxl"),
    (#""format": "avif", "hdr": "pq", "bitDepth": 8"#, "more than 8 bits"),
    (#""format": "jxl", "hdr": "pq", "bitDepth": 8"#, "more than 8 bits"),
    (#""format": "avif", "hdr": "pq", "profile": "adobe-rgb""#, "rec2020, display-p3 or srgb"),
    (#""format": "heic", "hdr": "pq", "gainMap": "keep""#, "has no gain map"),
    (#""format": "heic", "hdr": "pq", "gamut": "perceptual""#, "clipped to its space"),
    (#""format": "heic", "hdr": "pq", "highlights": {"rolloff": "soft"}"#, "above white"),
    (#""format": "heic", "hdr": "hdr10""#, "hdr10"),
  ])
  func settingsThatDoNotFitAreRefused(_ output: String, _ words: String) {
    do {
      _ = try Self.recipe(output)
      Issue.record("\(output) was taken")
    } catch {
      #expect("\(error)".contains(words), "\(error)")
    }
  }

  /// A recipe in a sidecar has the same space and coding.
  @Test(arguments: ["rec2020", "display-p3", "srgb"]) func aRecordIsReadAgain(
    _ profile: String
  ) throws {
    let recipe = try Self.recipe(#""format": "avif", "hdr": "pq", "profile": "\#(profile)""#)
    let again = try Recipe(resolved: recipe.resolved)
    #expect(again.outputs[0].profile == recipe.outputs[0].profile)
    #expect(again.outputs[0].hdr == .pq && again.resolved == recipe.resolved)
  }

  /// Another coding makes a rendition stale.
  @Test func theCodingIsPartOfTheDigest() throws {
    let outputs = [
      #""format": "avif""#, #""format": "avif", "hdr": "pq""#, #""format": "avif", "hdr": "hlg""#,
      #""format": "avif", "hdr": "hlg", "profile": "display-p3""#,
    ]
    let found = try outputs.map { try Self.recipe($0).fingerprint(files: [:]).compactText }
    #expect(Set(found).count == outputs.count)
  }

  /// The graph for HDR displays has no shoulder; the other keeps its own.
  @Test func lightAboveWhiteStays() throws {
    let recipe = try Self.recipe(
      text: """
        {"identifier": "org.example.hdr", "version": "1.0.0",
         "filters": [{"filter": "exposure", "stops": 1}],
         "outputs": [{"name": "bright", "format": "avif", "hdr": "pq"},
                     {"name": "plain", "format": "jpeg"}]}
        """)
    let graph = recipe.renderedGraph.withShoulders
    #expect(graph.outputs.map(\.name) == ["bright", "plain"])
    let (bright, plain) = (graph.making([0]), graph.making([1]))
    #expect(!"\(bright)".contains("roll off") && "\(plain)".contains("roll off"))
    #expect(plain == recipe.graph.making([1]).withShoulders)
  }

  /// Half of white and less look as for standard displays; brighter light is in proportion to the
  /// scene's.
  @Test func aLookKeepsBrightLight() throws {
    func shown(_ program: PointProgram, _ light: Double) throws -> Double {
      let colour = try #require(program(.init(repeating: Curve.encode(light))))
      return Curve.decode(colour.x)
    }
    let looks = [
      (NeutralTone.program(), NeutralTone.program(LookUse(isHDR: true))),
      (Self.look.program(), Self.look.program(LookUse(isHDR: true))),
    ]
    for (standard, unlimited) in looks {
      var last = 0.0
      for light in stride(from: 0.01, through: 6, by: 0.01) {
        let (usual, bright) = (try shown(standard, light), try shown(unlimited, light))
        #expect(bright >= usual - 1e-9 && bright >= last, "\(light)")
        if usual < 0.49 { #expect(abs(bright - usual) < 1e-9, "\(light)") }
        last = bright
      }
      let rate = try shown(unlimited, 6) / 6
      for light in [0.9, 1.5, 3] {
        let found = try shown(unlimited, light) / light
        #expect(abs(found - rate) < rate * 0.01, "\(light)")
      }
      #expect(try shown(unlimited, 1.5) > 1.2)
    }
  }

  private static let look = FittedLook(
    knots: [[0, 0], [0.2, 0.3], [0.5, 0.7], [0.8, 0.95], [1, 1], [1.6, 1.02]], saturation: 1)
}
