extension Graph {
  /// The names of the outputs that `previewed` makes: the edited photo, and the same frame of it
  /// without what filters did to its pixels.
  public enum Preview {
    public static let after = "after"
    public static let before = "before"

    /// Loaders may do all of a reduction, within the rounding of its size.
    fileprivate static let headroom = 0.999
    /// The least share of the requested pixels that a picture may have, so that a loader can do the
    /// whole reduction.
    fileprivate static let leastShare = 0.8
    /// The factors by which the edge is longer if noise is rendered.
    fileprivate static let (leastFiner, mostFiner) = (1.6, 2.6)

    /// The name of the preview of another output of the recipe.
    public static func output(_ name: String) -> String { "output \(name)" }
  }

  /// The graph that shows one output with a longer edge of at most `edge`, after every pass.
  ///
  /// Nothing may wait to see the photo any more. The photo is reduced first, and every length after
  /// that: an approximation, as averaging and bending tones do not commute.
  public func previewed(_ output: String, longEdge edge: Int, for photo: PhotoShape) -> Graph {
    guard let end = outputs.first(where: { $0.name == output }) else { return self }
    return ending(at: end.node, as: Preview.after).fused.resolved(for: photo).fused
      .withUnedited(Preview.before).withCropsFirst(for: photo)
      .reduced(toLongEdge: edge, for: photo).fused
      .withShrinkOnLoad(for: photo, headroom: warps ? Self.shrinkHeadroom : Preview.headroom)
  }

  /// The graph of what a filter sees, planned for a preview.
  ///
  /// Where only the final reduction costs anything, it is what a full rendering sees.
  public func planned(
    for photo: PhotoShape, _ rendering: RenderingMode, previewEdge edge: Int
  ) -> Graph {
    guard rendering == .balanced, nodes.contains(where: \.operation.worksAtFullSize) else {
      return planned(for: photo, rendering)
    }
    return fused.resolved(for: photo).fused.withCropsFirst(for: photo)
      .reduced(toLongEdge: edge, for: photo).fused
      .withShrinkOnLoad(for: photo, headroom: warps ? Self.shrinkHeadroom : Preview.headroom)
  }

  /// The size of each output at full size, by its name.
  public func outputSizes(for photo: PhotoShape) -> [String: Size] {
    let graph = resolved(for: photo)
    let sizes = graph.sizes(for: photo)
    return Dictionary(graph.outputs.map { ($0.name, sizes[$0.node]) }) { first, _ in first }
  }

  /// Adds an output that goes through the geometry of the first one alone.
  private func withUnedited(_ name: String) -> Graph {
    guard let end = outputs.first?.node else { return self }
    var graph = self
    func unedited(_ id: ID) -> ID {
      let node = nodes[id]
      guard let input = node.inputs.first else { return id }
      let before = unedited(input)
      switch node.operation {
      case .program, .measured, .area, .blend, .drawn: return before
      default: return graph.append(node.operation, before)
      }
    }
    let before = unedited(end)
    graph.addOutput(name, before)
    return graph
  }
}

extension Operation {
  /// True if its cost grows with the pixels before a reduction that follows it.
  fileprivate var worksAtFullSize: Bool {
    switch self {
    case .area, .warp, .drawn, .shadow, .pad, .blend: true
    default: false
    }
  }
}

extension Graph {
  /// The same resolved graph made small: no image in it has a longer edge above `edge`, but for the
  /// photo itself and those that are enlarged from less.
  func reduced(toLongEdge longest: Int, for photo: PhotoShape) -> Graph {
    let edge = fittingEdge(atMost: longest, for: photo)
    let finer = showsNoise ? finerEdge(than: edge, for: photo) : edge
    var reducing = Reducing(
      self, sizes(for: photo), scales(toLongEdge: edge, finer: finer, for: photo), edge: edge)
    for id in nodes.indices { reducing.append(id) }
    for output in outputs { reducing.addOutput(output) }
    return reducing.graph
  }

  /// The longest edge, of those a little below `longest`, at which the edges of a photo within a frame
  /// fall on pixels best: else the photo would be moved by up to half of one.
  private func fittingEdge(atMost longest: Int, for photo: PhotoShape) -> Int {
    let sizes = sizes(for: photo)
    let framed = nodes.indices.compactMap { id -> (id: ID, place: Rectangle)? in
      guard case .pad(let pad) = nodes[id].operation, let input = nodes[id].inputs.first else {
        return nil
      }
      return (id, pad.placement(of: sizes[input]).photo)
    }
    if framed.isEmpty { return loaderEdge(atMost: longest, for: photo) }
    func misfit(_ edge: Int) -> Double {
      let scales = scales(toLongEdge: edge, for: photo)
      return framed.reduce(0) { worst, framed in
        let place = framed.place
        let edges = [
          place.left, place.top, place.left + place.size.width, place.top + place.size.height,
          sizes[framed.id].width, sizes[framed.id].height,
        ]
        return edges.reduce(worst) { worst, edge in
          let reduced = Double(edge) * scales[framed.id]
          return max(worst, abs(reduced - reduced.rounded()))
        }
      }
    }
    let candidates = (max(1, longest - longest / 25)...longest).reversed()
    return candidates.min { misfit($0) < misfit($1) } ?? longest
  }

  /// True if pixels move to places between others.
  private var warps: Bool {
    nodes.contains { if case .warp = $0.operation { true } else { false } }
  }

  /// The edge to which the photo's loader reduces it, if that is not much below `longest`: a third of
  /// the time of a preview would else be resampling.
  private func loaderEdge(atMost longest: Int, for photo: PhotoShape) -> Int {
    let sizes = sizes(for: photo)
    guard let whole = outputs.map({ sizes[$0.node].longEdge }).max() else { return longest }
    if warps { return longest }
    let least = Preview.leastShare * Double(longest)
    return photo.shrinks.filter { $0 > 1 }.map { (whole + $0 - 1) / $0 }
      .first { $0 <= longest && Double($0) >= least } ?? longest
  }

  /// True if a step makes noise or removes much of it; the noise that is left by a reduction
  /// depends on its averaging and cannot be predicted.
  private var showsNoise: Bool {
    nodes.contains { node in
      switch node.operation {
      case .program(let program):
        program.instructions.contains { if case .grain = $0 { true } else { false } }
      case .area(let area): area.takesNoiseAway
      default: false
      }
    }
  }

  /// The edge that the edited photo is rendered with, to be reduced to `edge` at the end: about twice
  /// as long, and one to which the loader reduces the photo, if there is one.
  private func finerEdge(than edge: Int, for photo: PhotoShape) -> Int {
    guard let whole = outputs.map({ sizes(for: photo)[$0.node].longEdge }).max() else {
      return edge
    }
    let shares = photo.shrinks.map { (whole + $0 - 1) / $0 }
    let range = Double(edge) * Preview.leastFiner...Double(edge) * Preview.mostFiner
    return shares.filter { range.contains(Double($0)) }.min() ?? min(whole, 2 * edge)
  }

  /// The factor by which each node's image is reduced: the largest that anything after it asks for.
  private func scales(
    toLongEdge edge: Int, finer: Int? = nil, for photo: PhotoShape
  ) -> [Double] {
    let sizes = sizes(for: photo)
    func display(_ id: ID) -> Double { min(1, Double(edge) / Double(sizes[id].longEdge)) }
    var scales = Array(repeating: 0.0, count: nodes.count)
    for output in outputs { scales[output.node] = display(output.node) }
    if let finer, let first = outputs.first?.node {
      scales[first] = min(1, Double(finer) / Double(sizes[first].longEdge))
    }
    for (id, node) in nodes.enumerated().reversed() {
      for input in node.inputs {
        var scale = scales[id]
        if case .resize = node.operation {
          let across = Double(sizes[id].width) / Double(sizes[input].width)
          let down = Double(sizes[id].height) / Double(sizes[input].height)
          // Steps before a reduction are still seen in the display's detail.
          scale = min(1, max(scale * max(across, down), display(input)))
        }
        scales[input] = max(scales[input], scale)
      }
    }
    return scales
  }

  /// A graph that is being built small, after a resolved one.
  private struct Reducing {
    private let full: Graph
    private let sizes: [Size]
    private let scales: [Double]
    /// The longest edge of what comes out.
    private let edge: Int
    /// The node of the preview, and its size, for each node.
    private var made: [(node: ID, size: Size)] = []
    private(set) var graph = Graph()

    init(_ full: Graph, _ sizes: [Size], _ scales: [Double], edge: Int) {
      (self.full, self.sizes, self.scales, self.edge) = (full, sizes, scales, edge)
    }

    mutating func append(_ id: ID) {
      let node = full.nodes[id]
      guard let input = node.inputs.first else {
        return made.append((graph.append(node.operation), sizes[id]))
      }
      if case .crop = node.operation, made[input].size == sizes[input], isSource(input) {
        // Loaders reduce the part of the photo that is kept.
        return made.append((graph.append(node.operation, made[input].node), sizes[id]))
      }
      let scale = scales[id]
      let size = sizes[id].scaled(by: scale)
      if case .resize(var resize) = node.operation {
        if made[input].size == size { return made.append((made[input].node, size)) }
        resize.target = .pixels(size)
        resize.linear = resize.linear && scale == 1
        return made.append((graph.append(.resize(resize), made[input].node), size))
      }
      let start = self.input(input, scale)
      let inputs = [start] + node.inputs.dropFirst().map { self.input($0, scale) }
      let before = sizes[input].scaled(by: scale)
      guard let operation = node.operation.scaled(by: scale, from: sizes[input], before, to: size)
      else { return made.append((start, before)) }
      made.append(
        (graph.append(Node(operation: operation, inputs: inputs)), operation.size(before, size)))
    }

    mutating func addOutput(_ output: Graph.Output) {
      graph.addOutput(output.name, end(output.node))
    }

    /// An output that does nothing but show the photo is reduced here, and one that was rendered finer.
    private mutating func end(_ id: ID) -> ID {
      let display = min(1, Double(edge) / Double(sizes[id].longEdge))
      let size = sizes[id].scaled(by: display)
      if isSource(id) { return input(id, display) }
      if scales[id] == display || made[id].size == size { return made[id].node }
      return graph.append(.resize(Resize(.pixels(size))), made[id].node)
    }

    private func isSource(_ id: ID) -> Bool {
      switch full.nodes[id].operation {
      case .original, .replacement: true
      case .crop: full.nodes[id].inputs.first.map(isSource) ?? false
      default: false
      }
    }

    /// A node's image in the size that `scale` gives it; maps are stretched by who reads them.
    private mutating func input(_ id: ID, _ scale: Double) -> ID {
      if case .map = full.nodes[id].operation { return made[id].node }
      let size = sizes[id].scaled(by: scale)
      if made[id].size == size { return made[id].node }
      return graph.append(.resize(Resize(.pixels(size))), made[id].node)
    }
  }
}
