import Testing

@testable import PhotoRecipes

/// Tests the graph of a recipe at display size.
@Suite struct PreviewGraphTests {
  private static func preview(
    _ filters: String, edge: Int = 1000, stored: Size = Size(4000, 3000),
    orientation: Orientation = .upright, isMosaic: Bool = false,
    as purpose: Graph.Preview.Purpose = .page
  ) throws -> Graph {
    let recipe = try GoldenGraphTests.recipe(
      #"""
      {"identifier": "a.b", "version": "1.0.0", "filters": \#(filters),
       "outputs": [{"name": "out", "format": "jpeg"}]}
      """#)
    let shape = PhotoShape(
      stored: stored, orientation: orientation, shrinks: [1, 2, 4, 8], isMosaic: isMosaic)
    return recipe.graph.previewed("out", longEdge: edge, for: shape, as: purpose)
  }

  @Test func aPreviewReducesThePhotoFirstAndInTheLoader() throws {
    #expect(
      "\(try Self.preview(#"[{"filter": "blur", "radius": 8}]"#, edge: 1500))" == """
        %0 = original  shrink 2
        %1 = resize %0  to 1500×1125 lanczos3
        %2 = blur %1  sigma 3
        after ← %2
        before ← %1
        """)
  }

  /// A view shows its pixels one by one, so its picture has exactly the requested size.
  @Test func aViewHasItsSizeAndAMosaicIsReducedLateAtRest() throws {
    let filters = #"[{"filter": "exposure", "stops": 0.5}]"#
    func lines(_ purpose: Graph.Preview.Purpose, isMosaic: Bool) throws -> String {
      "\(try Self.preview(filters, edge: 1100, isMosaic: isMosaic, as: purpose))"
    }
    #expect(try !lines(.page, isMosaic: false).contains("1100"))
    #expect(try lines(.view, isMosaic: false).contains("resize %1  to 1100×825"))
    #expect(try lines(.movement, isMosaic: false).contains("resize %0  to 1100×825"))
    #expect(try lines(.movement, isMosaic: true).contains("shrink 2"))
    #expect(try lines(.movement, isMosaic: true).contains("resize %0"))
    #expect(try lines(.view, isMosaic: true).contains("resize %1  to 1100×825"))
  }

  /// A view is reduced last, from about twice its size: averaging before a tone curve would change
  /// fine details.
  @Test func aViewIsReducedLast() throws {
    let filters = #"[{"filter": "exposure", "stops": 1}]"#
    func lines(_ edge: Int, _ purpose: Graph.Preview.Purpose) throws -> String {
      "\(try Self.preview(filters, edge: edge, as: purpose))"
    }
    // The photo has 4000 × 3000 pixels; %0 is the photo.
    #expect(try lines(3000, .view).contains("= resize %1  to 3000×2250"))
    #expect(try lines(1100, .view).contains("= resize %1  to 1100×825"))
    #expect(try lines(1100, .view).contains("original  shrink 2"))
    #expect(try !lines(1100, .movement).contains("resize %1"))
  }

  /// The view shows exactly the part of the photo that the rendition shows.
  ///
  /// Each chain has a crop that begins inside a pixel of the preview, and most have a step before it
  /// that reads neighbouring pixels, so that the crop cannot be moved to the photo.
  @Test(
    arguments: [
      #"{"filter": "crop", "left": "12.34%", "top": "23.45%", "width": "51%", "height": "49%"}"#,
      #"{"filter": "crop", "left": 333, "top": 127, "width": 1001, "height": 733}, {"filter": "blur", "radius": 5}"#,
      #"{"filter": "rotate", "angle": 90}, {"filter": "crop", "aspect": "16:9"}, {"filter": "exposure", "stops": 1}"#,
      #"{"filter": "crop", "left": 333}, {"filter": "resize", "longEdge": 1203}, {"filter": "blur", "radius": 5}"#,
      #"{"filter": "crop", "left": 333}, {"id": "two", "filter": "crop", "top": 331, "height": "40%"}"#,
      #"{"filter": "median", "opacity": 0.5}, {"filter": "crop", "left": "30%", "top": "27%"}"#,
      #"{"filter": "blur", "radius": 5}, {"filter": "crop", "left": 301, "top": 77, "width": 3001}"#,
      #"{"filter": "straighten", "angle": -4}, {"filter": "blur", "radius": 5}, {"filter": "crop", "left": "31%"}"#,
      #"{"filter": "blur", "radius": 5}, {"filter": "crop", "left": 401}, {"filter": "straighten", "angle": 7}"#,
      #"{"filter": "blur", "radius": 5}, {"filter": "crop", "left": 17}, {"filter": "median"}, {"id": "two", "filter": "crop", "top": 19}"#,
      #"{"filter": "rotate", "angle": 90}, {"filter": "flip"}, {"filter": "blur", "radius": 5}, {"filter": "crop", "left": 333, "top": 331}"#,
      #"{"filter": "resize", "longEdge": 4803}, {"filter": "blur", "radius": 5}, {"filter": "crop", "left": 333, "top": 331}"#,
      #"{"filter": "perspective", "pitch": 9}, {"filter": "blur", "radius": 5}, {"filter": "crop", "aspect": "7:5"}, {"filter": "median"}"#,
    ], [Orientation.upright, .turnedLeft, .mirroredTurnedRight])
  func aViewShowsThePartOfThePhotoThatTheRenditionShows(
    _ chain: String, _ orientation: Orientation
  ) throws {
    // The loader's reductions have whole pixels.
    let stored = Size(6016, 4000)
    let shape = PhotoShape(stored: stored, orientation: orientation, shrinks: [1, 2, 4, 8])
    let recipe = try GoldenGraphTests.recipe(
      #"""
      {"identifier": "a.b", "version": "1.0.0", "filters": [\#(chain)],
       "outputs": [{"name": "out", "format": "jpeg"}]}
      """#)
    let expected = try #require(recipe.graph.frame(for: shape))
    for edge in [97, 523, 640, 1001] {
      let view = recipe.graph.previewed("out", longEdge: edge, for: shape, as: .view)
      let found = try #require(view.frames(for: shape)[Graph.Preview.after])
      for corner in [[0, 0], [1, 0], [0, 1], [1, 1]] as [Homography.Point] {
        // Where the same position of the photo is in the view, in pixels of the view.
        let distance = (found(expected.inverse(corner)) - corner) * Double(edge)
        #expect(max(abs(distance.x), abs(distance.y)) < 1e-6, "\(edge): \(distance), \(view)")
      }
      let frames = view.nodes.flatMap { node in node.inputs }.map { view.sizes(for: shape)[$0] }
      #expect(!frames.contains { $0.width < 1 || $0.height < 1 })
    }
  }

  /// Averaging before a tone curve would make the noise of a photo weaker than in the rendition.
  @Test(arguments: [2560, 2576]) func aViewOfASmallPhotoIsRenderedAtItsWholeSize(
    _ edge: Int
  ) throws {
    let shape = PhotoShape(
      stored: Size(edge, 1600), orientation: .upright, shrinks: [1, 2, 4, 8])
    let recipe = try GoldenGraphTests.recipe(
      #"""
      {"identifier": "a.b", "version": "1.0.0", "filters": [{"filter": "blur", "radius": 9}],
       "outputs": [{"name": "out", "format": "jpeg"}]}
      """#)
    func edges(_ purpose: Graph.Preview.Purpose) -> [Int] {
      let graph = recipe.graph.previewed("out", longEdge: 300, for: shape, as: purpose)
      return zip(graph.nodes, graph.sizes(for: shape)).compactMap { node, size in
        if case .area = node.operation { size.longEdge } else { nil }
      }
    }
    #expect(edges(.view) == [edge == 2560 ? 2560 : 644])
    #expect(try #require(edges(.movement).max()) < 400)
  }

  /// A preview may be a little smaller than requested if the loader can then do the whole
  /// reduction.
  @Test(arguments: [1000, 1200]) func theLoaderAloneReducesThePhotoIfTheSizeIsCloseEnough(
    _ edge: Int
  ) throws {
    #expect(
      "\(try Self.preview(#"[{"filter": "blur", "radius": 8}]"#, edge: edge))" == """
        %0 = original  shrink 4
        %1 = blur %0  sigma 2
        after ← %1
        before ← %0
        """)
  }

  /// The loader's reduction alone is less accurate than a resize, and a warp would make the
  /// difference in sharpness visible, so a photo that is warped is resized.
  @Test func aPhotoThatIsWarpedIsResizedAfterTheLoadersReduction() throws {
    let filters = #"[{"filter": "straighten", "angle": 2}]"#
    #expect("\(try Self.preview(filters))".contains("resize %0"))
  }

  @Test func cropsAreScaledWithThePreview() throws {
    let filters = #"[{"filter": "crop", "left": 1000, "top": 500, "width": 2000, "height": 1000}]"#
    #expect(
      "\(try Self.preview(filters))" == """
        %0 = original  shrink 2
        %1 = crop %0  1000×500+500+250
        after ← %1
        before ← %1
        """)
  }

  @Test func anOutputSmallerThanThePreviewKeepsItsSize() throws {
    let graph = try Self.preview(
      #"[{"filter": "blur", "radius": 8}, {"filter": "resize", "longEdge": 400}]"#)
    let shape = PhotoShape(stored: Size(4000, 3000), orientation: .upright, shrinks: [1, 2, 4, 8])
    let sizes = graph.sizes(for: shape)
    #expect(graph.outputs.map { sizes[$0.node] } == [Size(400, 300), Size(400, 300)])
    // Steps before the reduction are computed at the resolution of the display, because their
    // details remain visible.
    #expect("\(graph)".contains("blur %0  sigma 2"))
  }

  @Test func aPhotoSmallerThanThePreviewIsNotResized() throws {
    let graph = try Self.preview(
      #"[{"filter": "blur", "radius": 8}]"#, stored: Size(600, 400))
    #expect("\(graph)".contains("blur %0  sigma 8"))
    #expect(!"\(graph)".contains("resize"))
  }

  /// Sharpening that is invisible at display size is removed; other sharpening is reduced in
  /// proportion.
  ///
  /// The blur of 0.15 pixels has the variance 0.0225. Three samples with the weights w, 1, w have it
  /// if w = 0.0225 ÷ (2 − 2 × 0.0225), that is for a Gaussian of 0.33446. Samples of 0.3 pixels have
  /// w = exp(−1 ÷ 0.18), and the variance 0.007673; that of a blur of 0.075 pixels is 0.7331 of it.
  @Test func sharpeningIsReducedWithTheSizeOfThePreview() throws {
    let fine = #"[{"filter": "sharpen", "amount": 1, "radius": 0.6}]"#
    #expect("\(try Self.preview(fine))".contains("amount 1 sigma 0.33"))
    #expect("\(try Self.preview(fine, edge: 500))".contains("amount 0.733"))
    #expect(!"\(try Self.preview(fine, edge: 100))".contains("unsharp"))
  }

  /// The squares of `pixelate` and `censor` are the same fraction of the frame at every preview
  /// size.
  @Test func squaresOfPixelateAndCensorScaleWithThePreview() throws {
    let filters = #"[{"filter": "pixelate", "size": 30}]"#
    #expect("\(try Self.preview(filters, edge: 900))".contains("pixelate %1  size 6.75"))
    #expect("\(try Self.preview(filters, edge: 500))".contains("pixelate %0  size 3.75"))
    #expect(!"\(try Self.preview(filters, edge: 150))".contains("pixelate"))
    let censored = #"[{"filter": "censor", "size": 10}]"#
    #expect("\(try Self.preview(censored, edge: 500))".contains("size 1.25"))
    #expect("\(try Self.preview(censored, edge: 100))".contains("size 1 "))
  }

  /// Checks chains of filters at odd sizes: each image must have the size that its reader expects.
  @Test(arguments: [97, 641, 1200]) func eachImageOfAPreviewHasTheSizeThatItsReaderExpects(
    _ edge: Int
  ) throws {
    let chains = [
      #"{"filter": "straighten", "angle": 3}, {"filter": "crop", "aspect": "7:5"}"#,
      #"{"filter": "pad", "aspect": "1:1"}, {"filter": "border", "width": 37}"#,
      #"{"filter": "rotate", "angle": 90}, {"filter": "crop", "width": "61%", "height": "47%"}"#,
      #"{"filter": "shadow"}, {"filter": "crop", "width": "90%"}"#,
      #"{"filter": "median", "opacity": 0.5}, {"filter": "flip"}"#,
      #"{"filter": "resize", "percent": 250, "enlarge": true}, {"filter": "pixelate", "size": 40}"#,
    ]
    for chain in chains {
      let stored = Size(3001, 1999)
      let shape = PhotoShape(stored: stored, orientation: .upright, shrinks: [1, 2, 4, 8])
      let graph = try Self.preview("[\(chain)]", edge: edge, stored: stored)
      let sizes = graph.sizes(for: shape)
      for (id, node) in graph.nodes.enumerated() {
        switch node.operation {
        case .crop(.pixels(let place)):
          let frame = sizes[node.inputs[0]]
          #expect(place.left >= 0 && place.top >= 0, "\(chain)")
          #expect(place.left + place.size.width <= frame.width, "\(chain)")
          #expect(place.top + place.size.height <= frame.height, "\(chain)")
        case .program:
          let frames = node.inputs.filter { graph.nodes[$0].operation.name != "map" }
            .map { sizes[$0] }
          #expect(Set(frames).count == 1, "\(chain): \(graph)")
        default: break
        }
        if id == graph.outputs[0].node { #expect(sizes[id].longEdge <= edge + 4, "\(chain)") }
      }
      // The preview's slider shows one output over the other, so both must have the same size.
      #expect(Set(graph.outputs.map { sizes[$0.node] }).count == 1, "\(chain)")
    }
  }
}
