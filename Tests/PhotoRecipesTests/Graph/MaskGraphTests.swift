import PhotoRecipes
import Testing

/// Compares planned graphs of steps with masks and blends, as text.
@Suite struct MaskGraphTests {
  private static let round = #""mask": {"radial": {"radius": 0.5}}"#

  @Test func aMaskedPointFilterIsOneProgram() throws {
    let graph = try GoldenGraphTests.plan(
      #"[{"filter": "exposure", "stops": 1, \#(Self.round), "blend": "screen", "opacity": 0.5}]"#)
    #expect(
      "\(graph)" == """
        %0 = original
        %1 = point %0  save; mask radial (0.5, 0.5) (0.5, 0.5) 0° feather 0.5; decode · ×2 · encode; screen; mix 0.5 × mask
        o ← %1
        """)
  }

  @Test func aLuminanceMaskIsComputedInOKLabAndThePixelRestored() throws {
    let graph = try GoldenGraphTests.plan(
      #"[{"filter": "invert", "mask": {"luminance": {"min": 0.5}, "invert": true, "density": 0.8}}]"#
    )
    let text = try #require(graph.nodes.last?.operation.details)
    #expect(text.hasPrefix("save; save; decode; matrix"))
    #expect(
      text.hasSuffix(
        "; mask range 0.5…1 feather 0.1; mix 0; mask × -0.8 + 0.8; ×-1 +1; mix 1 × mask"))
  }

  @Test func maskedAreaFiltersAreBlendedAsLayers() throws {
    let graph = try GoldenGraphTests.plan(
      #"[{"filter": "exposure", "stops": 1}, {"filter": "blur", "radius": 3, "mask": {"image": {"file": "m.png"}}}]"#
    )
    #expect(
      "\(graph)" == """
        %0 = original
        %1 = point %0  decode · ×2 · encode
        %2 = blur %1  sigma 3
        %3 = map  m.png feather 0
        %4 = point %1 %2 %3  save; mask image 1; image 0; mix 1 × mask
        o ← %4
        """)
  }

  /// A wide blur reads a streaming photo too far ahead of the rows that are blended, so the photo
  /// is materialized.
  @Test(arguments: [(8, []), (9, [1])] as [(Int, Set<Graph.ID>)])
  func thePhotoUnderAWideMaskedBlurIsMaterialized(_ radius: Int, _ held: Set<Graph.ID>) throws {
    let graph = try GoldenGraphTests.plan(
      #"[{"filter": "invert"}, {"filter": "blur", "radius": \#(radius), "opacity": 0.5}]"#)
    #expect(graph.heldNodes == held)
    #expect(
      try GoldenGraphTests.plan(#"[{"filter": "blur", "radius": 200}]"#).heldNodes.isEmpty)
  }

  @Test func imagesOfMergedProgramsAreRenumbered() throws {
    let graph = try GoldenGraphTests.plan(
      #"[{"filter": "invert", "mask": {"image": {"file": "a.png"}}}, {"filter": "sepia", "mask": {"add": [{"image": {"file": "b.png"}}, {"image": {"file": "a.png"}}]}}]"#
    )
    #expect(
      "\(graph)" == """
        %0 = original
        %1 = map  a.png feather 0
        %2 = map  b.png feather 0
        %3 = point %0 %1 %2  save; mask image 0; ×-1 +1; mix 1 × mask; save; mask image 1; mask image 0; add; matrix [0.393 0.769 0.189 | 0.349 0.686 0.168 | 0.272 0.534 0.131]; mix 1 × mask
        o ← %3
        """)
  }

  /// A program reads at most sixteen images, so programs with more images are not merged.
  @Test func programsWithTooManyImagesAreNotMerged() throws {
    let steps = (0..<20).map {
      #"{"filter": "invert", "id": "s\#($0)", "mask": {"image": {"file": "\#($0).png"}}}"#
    }
    let graph = try GoldenGraphTests.plan("[\(steps.joined(separator: ", "))]")
    let programs = graph.nodes.filter { $0.operation.name == "point" }
    #expect(programs.map(\.inputs.count) == [17, 5])
  }

  @Test func positionsOfMasksFollowCropsAndReductions() throws {
    let filters =
      #"[{"filter": "invert", \#(Self.round)}, {"filter": "rotate", "angle": 90}, {"filter": "crop", "left": 0, "top": 0, "width": 1500, "height": 2000}, {"filter": "resize", "longEdge": 500}]"#
    let text = "\(try GoldenGraphTests.plan(filters))"
    #expect(
      text == """
        %0 = original  shrink 2
        %1 = crop %0  1000×750+0+750
        %2 = resize %1  to 500×375 lanczos3
        %3 = point %2  save; mask radial (0.5, 0.5) (0.5, 0.5) 0° feather 0.5 at 0,0.5 0.5,0 0,0.5; ×-1 +1; mix 1 × mask
        %4 = turn %3  90°
        o ← %4
        """)
  }

  @Test func aMaskedStepIsNotMovedBehindACrop() throws {
    let graph = try GoldenGraphTests.plan(
      #"[{"filter": "blur", "radius": 3, \#(Self.round)}, {"filter": "crop", "left": 0, "width": 1500}, {"filter": "resize", "longEdge": 500}]"#
    )
    #expect(
      graph.nodes.map(\.operation.name) == ["original", "blur", "point", "crop", "resize"])
  }

  /// If a photo is blended with itself, the point program reads only one image.
  @Test func aPointStepThatBlendsUsesThePhotoAsItsLayer() throws {
    let graph = try GoldenGraphTests.plan(#"[{"filter": "exposure", "blend": "multiply"}]"#)
    #expect(
      "\(graph)" == """
        %0 = original
        %1 = point %0  save; multiply; mix 1
        o ← %1
        """)
  }
}
