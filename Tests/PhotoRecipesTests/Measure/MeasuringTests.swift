import Testing

@testable import PhotoRecipes

/// Tests the graphs of filters that measure the photo.
@Suite struct MeasuringTests {
  private static let shape = PhotoShape(
    stored: Size(4000, 3000), orientation: .turnedLeft, shrinks: [1, 2, 4, 8])

  private static func view(_ edge: Int) -> PhotoView {
    PhotoView(size: Size(edge, 1), full: Size(edge, 1), pixels: [.zero])
  }

  private static func recipe(_ steps: [Step], output: [Step] = []) throws -> Recipe {
    var recipe = try RecipeText().recipe()
    recipe.steps = steps
    recipe.outputs[0].steps = output
    return recipe
  }

  private static func measured(_ id: String, opacity: Double = 1) -> Step {
    var step = Step(Marking())
    (step.id, step.opacity) = (id, opacity)
    return step
  }

  @Test func measurementsAreRequestedInTheOrderOfTheSteps() throws {
    var graph = try Self.recipe(
      [Self.measured("a"), Step(Invert()), Self.measured("b", opacity: 0.5)],
      output: [Self.measured("c")]
    ).graph
    var seen: [String] = []
    while let (node, _, view) = graph.nextView(for: .balanced) {
      #expect(seen.count < 3)
      seen.append(view.nodes.map(\.operation.name).joined(separator: " "))
      #expect(view.outputs.map(\.name) == ["view"])
      graph = graph.replacing(node, seeing: Self.view(seen.count))
      if seen.count == 3 { break }
    }
    #expect(
      seen == [
        "original orient resize", "original orient point point rolloff resize",
        "original orient point point rolloff point rolloff blend resize",
      ])
    #expect(graph.nextView(for: .balanced) == nil)
    #expect(!graph.description.contains("measure"))
    #expect(
      "\(graph.fused)".contains("1 steps; ×-1 +1; save; 2 steps; mix 0.5; 3 steps"), "\(graph)")
  }

  /// If two outputs have equal steps after the same node, the photo is measured only once for both.
  @Test func outputsWithEqualStepsShareAMeasurement() throws {
    var recipe = try Self.recipe([], output: [Self.measured("a")])
    recipe.outputs.append(recipe.outputs[0])
    recipe.outputs[1].name = "other"
    var graph = recipe.graph
    let (node, _, _) = try #require(graph.nextView(for: .balanced))
    graph = graph.replacing(node, seeing: Self.view(1))
    #expect(graph.nextView(for: .balanced) == nil)
    #expect(graph.outputs.count == 2 && graph.outputs[0].node == graph.outputs[1].node)
  }

  @Test func aMeasurementStatesTheSizeBeforeItsReduction() throws {
    func size(_ before: [Step]) throws -> Size? {
      let graph = try Self.recipe(before + [Self.measured("a")]).graph
      return graph.nextView(for: .balanced)?.graph.fullSize(for: Self.shape)
    }
    #expect(try size([]) == Size(3000, 4000))
    var resize = ResizeFilter()
    resize.width = .pixels(600)
    #expect(try size([Step(resize)]) == Size(600, 800))
    // The resized photo is smaller than the maximum size at which filters measure, so it is not
    // reduced for the measurement.
    resize.width = .pixels(300)
    #expect(try size([Step(resize)]) == Size(300, 400))
    #expect(try size([Step(resize), Step(Invert())]) == Size(300, 400))
  }

  /// If a filter measures the photo and finds nothing to change, it leaves the graph unchanged,
  /// even if its step has a mask.
  @Test func aMeasuringFilterWithoutEffectAddsNoNodes() throws {
    var step = Self.measured("a", opacity: 0.5)
    step.mask = Mask(.luminance(0...1, feather: 0.1))
    var graph = try Self.recipe([step]).graph
    let (node, _, _) = try #require(graph.nextView(for: .balanced))
    graph = graph.replacing(node, seeing: Self.view(0))
    #expect(graph.fused.nodes.map(\.operation.name) == ["original", "orient"])
  }
}

/// A filter that records the width of the reduced photo that it measured, by appending it to the
/// graph.
private struct Marking: MeasuringFilter {
  static let name = "marking"
  static let summary = "Writes down what it saw."
  static let category = FilterCategory.tone
  static let space = WorkingSpace.encoded
  static let settings: [Setting<Self>] = []

  func append(to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView) -> Graph.ID {
    if view.size.width == 0 { return input }
    return graph.append([.colour(.steps(view.size.width))], in: Self.space, after: input)
  }
}
