import PhotoRecipes
import Testing

/// Tests that smaller outputs are reduced from larger outputs instead of from the photo.
@Suite struct CascadeTests {
  private static func plan(
    _ outputs: [(name: String, filters: String)], _ rendering: RenderingMode = .balanced
  ) throws -> Graph {
    let list = outputs.map {
      #"{"name": "\#($0.name)", "format": "jpeg", "filters": \#($0.filters)}"#
    }
    let recipe = try GoldenGraphTests.recipe(
      #"{"identifier": "a.b", "version": "1.0.0", "outputs": [\#(list.joined(separator: ", "))]}"#)
    let shape = PhotoShape(
      stored: Size(4272, 2848), orientation: .upright, shrinks: [1, 2, 4, 8])
    return recipe.graph.planned(for: shape, rendering)
  }

  /// Rounded sizes do not break the chain of reductions from 2048 to 1024 to 512 pixels: half of
  /// the height 1365 is 682.5.
  @Test func halvedSizesAreReducedFromOneAnotherDespiteRounding() throws {
    let graph = try Self.plan(
      [512, 2048, 1024].map {
        ("s\($0)", #"[{"filter": "resize", "longEdge": \#($0)}]"#)
      })
    #expect(
      "\(graph)" == """
        %0 = original
        %1 = resize %0  to 2048×1365 lanczos3
        %2 = resize %1  to 1024×683 lanczos3
        %3 = resize %2  to 512×341 lanczos3
        s512 ← %3
        s2048 ← %1
        s1024 ← %2
        """)
  }

  @Test func outputsOfSimilarSizeAreBothReducedFromThePhoto() throws {
    let graph = try Self.plan(
      [1600, 1200].map {
        ("s\($0)", #"[{"filter": "resize", "longEdge": \#($0)}]"#)
      })
    #expect(graph.nodes.count == 3)
    #expect(graph.nodes[1].inputs == [0])
    #expect(graph.nodes[2].inputs == [0])
  }

  @Test func aSquareOutputIsCroppedFromTheLargerOutput() throws {
    let graph = try Self.plan([
      ("web", #"[{"filter": "resize", "longEdge": 1600}]"#),
      ("thumb", #"[{"filter": "resize", "width": 320, "height": 320, "fit": "cover"}]"#),
    ])
    #expect(
      "\(graph)" == """
        %0 = original  shrink 2
        %1 = resize %0  to 1600×1067 lanczos3
        %2 = crop %1  1067×1067+267+0
        %3 = resize %2  to 320×320 lanczos3
        web ← %1
        thumb ← %3
        """)
  }

  @Test func exactRenderingReducesThePhotoForEachOutput() throws {
    let graph = try Self.plan(
      [2048, 512].map { ("s\($0)", #"[{"filter": "resize", "longEdge": \#($0)}]"#) }, .exact)
    #expect(graph.nodes.dropFirst().allSatisfy { $0.inputs == [0] })
  }
}
