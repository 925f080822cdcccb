extension Graph {
  /// The graph that renders one photo, after all passes of the optimiser; with `exact`, every step
  /// stays at full size and in its order.
  ///
  /// The loader reduces the photo by the factor `shrink` at most.
  public func planned(
    for photo: PhotoShape, _ rendering: RenderingMode, shrink: Int = .max
  ) -> Graph {
    let graph = fused.resolved(for: photo).fused.withCropsFirst(for: photo).withLensWarpsJoined()
    switch rendering {
    case .exact: return graph
    case .balanced:
      return graph.withReductionsFirst(for: photo).fused.withReductionsCascaded(for: photo)
        .withShrinkOnLoad(for: photo, atMost: shrink)
    }
  }
}
