/// A filter that changes a photo's base (the luma, smoothed except at edges) and its detail (the
/// difference from the base).
///
/// Consecutive filters of this kind with the same kind of base become one instruction. This
/// instruction uses the base of the photo before the first of these filters.
protocol LocalToneFilter: PlacesFilter where Values == Double {
  var base: LocalBase { get }

  /// Returns the new tone for a tone of the base, and the factors by which detail at this tone is
  /// strengthened.
  func sample(_ base: Double) -> LocalTone.Sample

  /// Returns the curve that darkens light above white before the filter changes the tones; nil if
  /// the filter leaves such light as it is. `white` is the luma of the brightest light, above 1.
  func shoulder(from white: Double) -> Shoulder?
}

extension LocalToneFilter {
  public static var space: WorkingSpace { .encoded }

  public var seesLightAboveWhite: Bool { true }

  func shoulder(from white: Double) -> Shoulder? { nil }

  /// The operation that changes a photo in which `white` is the luma of the brightest light.
  private func change(of white: Double) -> Operation {
    .program(PointProgram([.local(LocalTone(base, white: white) { sample($0) })]))
  }

  func values(of view: PhotoView) -> Double { view.white }

  func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView, _ white: Double
  ) -> Graph.ID {
    var (input, view, white) = (input, view, white)
    if white > 1, let shoulder = shoulder(from: white) {
      let grade = shoulder.grade
      input = graph.append([.colour(.grade(grade))], in: Self.space, after: input)
      view = view.graded(grade)
      white = shoulder.end
    }
    let map = graph.append(.map(.values(base.map(of: view))))
    return graph.append(Graph.Node(operation: change(of: white), inputs: [input, map]))
  }

  public func append(to graph: inout Graph, continuing input: Graph.ID) -> Graph.ID? {
    let node = graph.nodes[input]
    guard case .program(let program) = node.operation,
      case .local(let before) = program.instructions.last, before.base == base
    else { return nil }
    // The shoulder would change the base that the preceding filter measured, so this filter needs
    // its own measurement.
    if before.white > 1, shoulder(from: before.white) != nil { return nil }
    let map = node.inputs[1 + before.map]
    return graph.append(Graph.Node(operation: change(of: before.white), inputs: [input, map]))
  }
}
