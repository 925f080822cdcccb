import Foundation
import Testing

@testable import PhotoRecipes

/// The settings that area filters, which read neighbouring pixels, pass to their kernels.
@Suite struct AreaFilterTests {
  /// The area operations to which a list of filters compiles.
  private static func operations(_ filters: String) throws -> [AreaOperation] {
    try GoldenGraphTests.plan(filters).nodes.compactMap {
      guard case .area(let area) = $0.operation else { return nil }
      return area
    }
  }

  @Test(
    arguments: [
      (
        #""blur", "radius": 4"#, AreaOperation(.blur, ["sigma": .length(4)])
      ),
      (
        #""blur", "kind": "box", "radius": 4"#,
        AreaOperation(.blur, ["sigma": .length(4), "box": .flag(true)])
      ),
      (
        #""blur", "kind": "motion", "radius": 4, "angle": 30"#,
        AreaOperation(.motion, ["length": .length(8), "angle": .number(30)])
      ),
      (
        #""blur", "kind": "zoom", "radius": 9, "x": 0.2"#,
        AreaOperation(
          .zoom, ["length": .length(18), "x": .number(0.2), "y": .number(0.5)])
      ),
      (
        #""sharpen""#,
        AreaOperation(
          .unsharp, ["sigma": .length(0.8), "amount": .number(0.5), "threshold": .number(0)])
      ),
      (
        #""sharpen", "edges": 0.4, "halo": 0.5"#,
        AreaOperation(
          .unsharp,
          [
            "sigma": .length(0.8), "amount": .number(0.5), "threshold": .number(0),
            "edges": .number(0.4), "falloff": .number(0.5), "halo": .number(0.75),
            "smoothing": .number(0.15),
          ])
      ),
      (
        #""outputSharpen", "medium": "matte", "strength": 0.5"#,
        AreaOperation(
          .unsharp,
          [
            "sigma": .length(5000 * tan(.pi / 180 / 60) * 0.75), "amount": .number(0.6),
            "threshold": .number(0.004), "halo": .number(0.25),
          ])
      ),
      (
        ##""censor", "width": 0.5, "method": "fill", "colour": "#ff0033""##,
        AreaOperation(
          .censor,
          [
            "left": .number(0), "top": .number(0), "width": .number(0.5), "height": .number(1),
            "colour": .numbers([1, 0, 0.2]),
          ])
      ),
      (
        #""censor", "method": "blur", "size": 9"#,
        AreaOperation(
          .censor,
          [
            "left": .number(0), "top": .number(0), "width": .number(1), "height": .number(1),
            "sigma": .length(9),
          ])
      ),
      (
        #""deconvolve", "radius": 0.5, "amount": 0.4"#,
        AreaOperation(
          .deconvolve,
          [
            "sigma": .length(0.5), "iterations": .number(10), "amount": .number(0.4),
            "threshold": .number(0.01), "halo": .number(0.5),
          ])
      ),
      (
        #""moire""#,
        AreaOperation(.moire, ["radius": .integer(6), "amount": .number(1)])
      ),
      (
        #""defringe", "green": 0"#,
        AreaOperation(
          .defringe,
          [
            "radius": .integer(4), "contrast": .number(0.3), "purple": .number(0.8),
            "green": .number(0), "purple-from": .number(250), "purple-to": .number(320),
            "green-from": .number(100), "green-to": .number(170),
          ])
      ),
    ])
  func settingsOfAreaFiltersArePassedToTheKernel(_ filter: String, _ wanted: AreaOperation) throws {
    #expect(try Self.operations(#"[{"filter": \#(filter)}]"#) == [wanted])
  }

  @Test(arguments: [
    #""denoise", "luma": 0, "chroma": 0"#, #""blur", "radius": 0.2"#, #""pixelate", "size": 1"#,
    #""tiltShift", "radius": 0.9"#, #""censor", "height": 0"#, #""outputSharpen", "strength": 0"#,
    #""bloom", "amount": 0"#, #""soften", "amount": 0"#, #""heal", "spots": []"#, #""heal""#,
    #""defringe", "purple": 0, "green": 0"#, #""moire", "amount": 0"#,
    #""deconvolve", "amount": 0"#,
  ])
  func filtersWithoutEffectAddNoOperation(_ filter: String) throws {
    #expect(try Self.operations(#"[{"filter": \#(filter)}]"#).isEmpty)
  }

  @Test func everyGivenAreaIsCensored() throws {
    let filter =
      #"[{"filter": "censor", "method": "fill", "areas": [[0, 0.5, 0.25, 0.1], [0.5, 0.5, 0, 1], [0.7, 0, 0.3, 1]]}]"#
    let lefts = try Self.operations(filter).map { $0.arguments["left"] }
    #expect(lefts == [.number(0), .number(0.7)])
  }

  @Test(arguments: [
    #""areas": []"#, #""areas": [0, 0, 1, 1]"#, #""areas": [[0, 0, 1]]"#,
    #""areas": [[0, 0, 1, 1.1]]"#, #""areas": [[0, 0, "1", 1]]"#,
    #""areas": [[0, 0, 1, 1]], "left": 0.1"#,
  ])
  func invalidAreasOfACensorAreRefused(_ setting: String) {
    let text = RecipeText(filters: #"[{"filter": "censor", \#(setting)}]"#)
    #expect(diagnostics(text).count == 1)
  }

  /// A step with an opacity reads its input twice: for the kernel, and to mix the input with the
  /// kernel's result.
  ///
  /// If the kernel reads rows far below the row that is being mixed, or computes many rows together,
  /// the input is materialized.
  @Test(
    arguments: [
      (#""denoise""#, true), (#""outputSharpen""#, false), (#""sharpen""#, false),
      (#""blur", "radius": 9"#, true), (#""median", "radius": 5"#, false),
      (#""surfaceBlur", "radius": 20"#, true), (#""deconvolve", "iterations": 3"#, true),
      (#""moire""#, true), (#""defringe""#, true),
      (#""heal", "spots": [{"at": [0.5, 0.5], "radius": 9}]"#, true),
    ])
  func theInputOfAWideOperationWithOpacityIsMaterialized(_ filter: String, _ isHeld: Bool) throws {
    let graph = try GoldenGraphTests.plan(#"[{"filter": \#(filter), "opacity": 0.5}]"#)
    #expect(graph.heldNodes.isEmpty != isHeld)
  }

  /// A length in arc minutes depends on the size of the photo, which is viewed at a distance equal
  /// to its diagonal.
  ///
  /// For a diagonal of 5000 pixels, one arc minute is 1.45 pixels.
  @Test func arcMinutesAreFractionsOfTheFramesDiagonal() {
    let mask = AreaOperation(.unsharp, ["sigma": .arc(minutes: 2, least: 0.5)])
    func sigma(_ size: Size) -> AreaOperation.Argument? {
      mask.resolved(for: size)?.arguments["sigma"]
    }
    let minute = 5000 * tan(Double.pi / 10_800)
    #expect(sigma(Size(4000, 3000)) == .length(minute * 2))
    #expect(sigma(Size(400, 300)) == .length(0.5))
    #expect(sigma(Size(400_000, 300_000)) == .length(50))
  }

  @Test func aMotionBlurIsAtMost250PixelsLong() throws {
    let text = RecipeText(filters: #"[{"filter": "blur", "kind": "motion", "radius": 126}]"#)
    #expect(diagnostics(text).count == 1)
    #expect(
      try Self.operations(#"[{"filter": "blur", "kind": "motion", "radius": 125}]"#).count == 1)
  }
}
