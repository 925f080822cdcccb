extension Graph {
  /// The minimum size that a reduction must have so that a smaller reduction is computed from it,
  /// as a multiple of the smaller one's size.
  ///
  /// Otherwise the smaller reduction is computed from the original image.
  static let cascadeHeadroom = 2.0

  /// The same resolved graph, in which small reductions are computed from sufficiently larger
  /// reductions of the same image.
  ///
  /// A photo with several outputs is then read only once, and little of it is materialized.
  func withReductionsCascaded(for photo: PhotoShape) -> Graph {
    let reductions = reductions(for: photo)
    if reductions.count < 2 { return self }
    var graph = Graph()
    var placed: [ID: ID] = [:]
    func place(_ id: ID) -> ID {
      if let known = placed[id] { return known }
      let new: ID
      if let small = reductions[id],
        let large = reductions.values.filter({ small.fits($0) }).min(by: {
          $0.target.pixels < $1.target.pixels
        })
      {
        var start = place(large.id)
        if let view = small.view(in: large) { start = graph.append(.crop(.pixels(view)), start) }
        new = graph.append(nodes[id].operation, start)
      } else {
        new = graph.append(
          Node(operation: nodes[id].operation, inputs: nodes[id].inputs.map(place)))
      }
      placed[id] = new
      return new
    }
    for output in outputs { graph.addOutput(output.name, place(output.node)) }
    return graph
  }

  /// A reduction of a whole image, or of a rectangle of it.
  private struct Reduction {
    let id: ID
    let source: ID
    let sourceSize: Size
    /// The rectangle of the source that is reduced; nil for the whole source.
    let rectangle: Rectangle?
    let target: Size
    let kernel: Resize.Kernel

    /// True if this reduction can be computed from `large`.
    func fits(_ large: Reduction) -> Bool {
      guard large.id != id, large.source == source, large.rectangle == nil,
        large.kernel == kernel
      else { return false }
      let size = view(in: large)?.size ?? large.target
      // The size plus 1 allows for rounding: half of 1365 is rounded to 683.
      return Double(size.width + 1) >= Double(target.width) * Graph.cascadeHeadroom
        && Double(size.height + 1) >= Double(target.height) * Graph.cascadeHeadroom
    }

    /// The rectangle of this reduction in the result of `large`; nil if this reduction has no
    /// rectangle.
    func view(in large: Reduction) -> Rectangle? {
      guard let rectangle else { return nil }
      let x = Double(large.target.width) / Double(sourceSize.width)
      let y = Double(large.target.height) / Double(sourceSize.height)
      let left = Int((Double(rectangle.left) * x).rounded())
      let top = Int((Double(rectangle.top) * y).rounded())
      let width = Int((Double(rectangle.size.width) * x).rounded())
      let height = Int((Double(rectangle.size.height) * y).rounded())
      return Rectangle(
        left: left, top: top,
        size: Size(
          max(1, min(width, large.target.width - left)),
          max(1, min(height, large.target.height - top))))
    }
  }

  private func reductions(for photo: PhotoShape) -> [ID: Reduction] {
    let sizes = sizes(for: photo)
    var reductions: [ID: Reduction] = [:]
    for (id, node) in nodes.enumerated() {
      guard case .resize(let resize) = node.operation, !resize.linear,
        let input = node.inputs.first,
        sizes[id].width <= sizes[input].width, sizes[id].height <= sizes[input].height
      else { continue }
      var source = input
      var rectangle: Rectangle?
      if case .crop(.pixels(let cut)) = nodes[input].operation,
        let whole = nodes[input].inputs.first
      {
        (source, rectangle) = (whole, cut)
      }
      reductions[id] = Reduction(
        id: id, source: source, sourceSize: sizes[source], rectangle: rectangle, target: sizes[id],
        kernel: resize.kernel)
    }
    return reductions
  }
}
