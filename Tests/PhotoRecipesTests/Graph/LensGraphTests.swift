import Testing

@testable import PhotoRecipes

/// The graph of a photo whose lens is corrected.
@Suite struct LensGraphTests {
  private static let profile: LensProfile = {
    var profile = LensProfile(camera: "Made", lens: "Testar", database: "", crop: 1.5)
    profile.distortion = .poly3(k: -0.03)
    profile.vignetting = LensProfile.Vignetting([-0.4, 0.1, 0])
    return profile
  }()

  private static func planned(
    _ filters: String, _ profile: LensProfile? = profile, _ rendering: RenderingMode = .exact
  ) throws -> Graph {
    let recipe = try GoldenGraphTests.recipe(
      #"{"identifier": "a.b", "version": "1.0.0", "filters": \#(filters), "outputs": [{"name": "o", "format": "jpeg"}]}"#
    )
    let shape = PhotoShape(stored: Size(3000, 2000), orientation: .upright, shrinks: [1, 2, 4, 8])
    return recipe.graph.corrected { _ in profile }.planned(for: shape, rendering)
  }

  private static func names(_ graph: Graph) -> [String] { graph.nodes.map(\.operation.name) }

  @Test func aLensWithoutAProfileIsNotCorrected() throws {
    #expect(try Self.names(Self.planned(#"[{"filter": "lens"}]"#, nil)) == ["original"])
  }

  /// Brightness is corrected first, because it depends on the position in the photo.
  @Test func brightnessIsCorrectedBeforePositions() throws {
    let graph = try Self.planned(#"[{"filter": "lens"}]"#)
    #expect(Self.names(graph) == ["original", "point", "warp"])
    #expect("\(graph)".contains("lens falloff ÷ (1 + -0.4 0.1 0 by r²)"))
    #expect("\(graph)".contains("lens at 1500 1000 distortion 1.03 0 -0.03 0 0"))
  }

  @Test(
    arguments: [
      #"{"filter": "straighten", "angle": 3}"#,
      #"{"filter": "straighten", "angle": 3}, {"filter": "perspective", "pitch": 4}"#,
      #"{"filter": "crop", "aspect": "1:1"}, {"filter": "straighten", "angle": 3, "keep": "all"}"#,
      #"{"filter": "perspective", "yaw": 4}, {"filter": "crop", "aspect": "4:3"}"#,
    ], [RenderingMode.exact, .balanced])
  func theLensCorrectionAndLaterStepsAreOneWarp(_ steps: String, _ rendering: RenderingMode) throws
  {
    let graph = try Self.planned(#"[{"filter": "lens"}, \#(steps)]"#, Self.profile, rendering)
    #expect(Self.names(graph).filter { $0 == "warp" }.count == 1, "\(graph)")
    #expect(!Self.names(graph).contains("crop"), "\(graph)")
  }

  /// A warp can show only one border colour, so warps with two border colours are not merged.
  @Test func warpsWithDifferentBorderColoursAreNotMerged() throws {
    let graph = try Self.planned(
      ##"[{"filter": "lens", "scale": 0.9, "colour": "#f00"}, {"filter": "straighten", "angle": 3, "keep": "all"}]"##
    )
    #expect(Self.names(graph).filter { $0 == "warp" }.count == 2)
  }

  /// A crop before the lens keeps the centre of the photo as the centre of the lens.
  @Test func aCropBeforeTheLensKeepsItsCentre() throws {
    let graph = try Self.planned(
      #"[{"filter": "crop", "left": 1000, "top": 500, "width": 1500, "height": 1000}, {"filter": "lens"}]"#
    )
    #expect("\(graph)".contains("lens at 500 500 distortion"), "\(graph)")
  }

  /// The photo is read row by row, because a row of the result needs few rows of the photo.
  @Test func aLensCorrectionReadsThePhotoRowByRow() throws {
    let graph = try Self.planned(#"[{"filter": "lens"}]"#)
    #expect(graph.heldNodes.isEmpty)
  }

  /// A large reduction is moved before the warp.
  @Test func aLargeReductionIsMovedBeforeTheLensCorrection() throws {
    let graph = try Self.planned(
      #"[{"filter": "lens"}, {"filter": "resize", "longEdge": 300}]"#, Self.profile, .balanced)
    #expect("\(graph)".contains("original  shrink 4"), "\(graph)")
    #expect("\(graph)".contains("lens at 300 200 distortion 1.03 0 -0.03 0 0"), "\(graph)")
  }

  @Test func aLensIsLookedUpOnceForAllOutputs() throws {
    let recipe = try GoldenGraphTests.recipe(
      #"{"identifier": "a.b", "version": "1.0.0", "filters": [{"filter": "lens"}], "outputs": [{"name": "o", "format": "jpeg"}, {"name": "p", "format": "jpeg", "filters": [{"filter": "lens", "id": "again", "scale": 1.1}]}]}"#
    )
    #expect(recipe.graph.lensCorrections.count == 2)
    var facts = LensFacts()
    (facts.maker, facts.camera, facts.focalLength) = ("Maker", "Model 1", 20)
    #expect(recipe.graph.lensCorrections[0].facts(of: facts) == facts)
    #expect(facts.cameraName == "Maker Model 1")
  }
}
