/// A filter that draws a mark on the photo.
///
/// The step's blend mode blends the mark with the photo below it; the rest of the photo does not
/// change. Only a composition of Porter and Duff takes the photo with the mark as its source.
public protocol MarkFilter: Filter {
  /// The mark, which is blended with the photo below it in a mode that is not a composition.
  func drawing(blended mode: BlendMode) -> Drawing
}

extension MarkFilter {
  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append(.drawn(drawing(blended: .normal)), input)
  }
}
