extension Graph {
  /// The names of the outputs that `previewed` creates: the edited photo, and the photo in the same
  /// frame without the filters that change pixels.
  public enum Preview {
    public static let after = "after"
    public static let before = "before"

    /// The minimum size that the loader must deliver for a preview, as a multiple of the target
    /// size.
    ///
    /// The headroom is slightly below 1, so that the loader can do the whole reduction even if
    /// sizes are rounded.
    static let headroom = 0.999
    /// The minimum edge that a preview may have so that the loader does the whole reduction, as a
    /// fraction of the requested edge.
    static let leastShare = 0.8
    /// The size at which a view, or a photo with visible noise, is rendered before it is reduced,
    /// as a multiple of the preview's size: the least and the greatest.
    static let (leastFiner, mostFiner) = (1.6, 2.6)
    /// The longer edge, in pixels, of the largest output that a view always renders at its whole size.
    static let smallEdge = 2560

    /// What a preview is for.
    public enum Purpose: Sendable {
      /// A page, which shows each picture in its own size: an edge that the loader delivers saves a
      /// resampling.
      case page
      /// A view of exactly the given size, which is computed at a larger size first.
      case view
      /// A view in which a setting moves, which must be quick.
      case movement
      /// The light of a rendition, which may be above white.
      case light
    }

    /// The name, in a preview, of the output `name` of a recipe; the prefix distinguishes it from
    /// `after` and `before`.
    public static func output(_ name: String) -> String { "output \(name)" }
  }

  /// The graph for a preview of one output, with a longer edge of at most `edge`, after all passes
  /// of the optimiser.
  ///
  /// The graph must contain no placeholders of filters that measure the photo. The photo is reduced
  /// first, and every length is reduced with it. The result is an approximation, because averaging
  /// and tone curves do not commute.
  public func previewed(
    _ output: String, longEdge edge: Int, for photo: PhotoShape, as purpose: Preview.Purpose = .page
  ) -> Graph {
    guard let end = outputs.first(where: { $0.name == output }) else { return self }
    return ending(at: end.node, as: Preview.after).withUnedited(Preview.before)
      .fused.resolved(for: photo).fused.withCropsFirst(for: photo).withLensWarpsJoined()
      .reduced(toLongEdge: edge, for: photo, as: purpose).fused
      .withShrinkOnLoad(for: photo, headroom: warps ? Self.shrinkHeadroom : Preview.headroom)
  }

  /// The graph of the picture that a filter measures, planned for a preview.
  ///
  /// If no step works at full size except the final reduction, and the loader may reduce the photo
  /// by any factor, the graph equals the graph of a full rendering.
  public func planned(
    for photo: PhotoShape, _ rendering: RenderingMode, previewEdge edge: Int, shrink: Int = .max
  ) -> Graph {
    guard rendering == .balanced, nodes.contains(where: \.operation.worksAtFullSize) else {
      return planned(for: photo, rendering, shrink: shrink)
    }
    return fused.resolved(for: photo).fused.withCropsFirst(for: photo).withLensWarpsJoined()
      .reduced(toLongEdge: edge, for: photo).fused
      .withShrinkOnLoad(
        for: photo, headroom: warps ? Self.shrinkHeadroom : Preview.headroom, atMost: shrink)
  }

  /// The size in pixels of each output at full size, by the output's name.
  public func outputSizes(for photo: PhotoShape) -> [String: Size] {
    let graph = resolved(for: photo)
    let sizes = graph.sizes(for: photo)
    return Dictionary(graph.outputs.map { ($0.name, sizes[$0.node]) }) { first, _ in first }
  }

  /// Adds an output that applies only the geometric operations of the first output, and the look and
  /// the removal of colour noise that the development of a raw photo includes.
  private func withUnedited(_ name: String) -> Graph {
    guard let end = outputs.first?.node else { return self }
    var graph = self
    func unedited(_ id: ID) -> ID {
      let node = nodes[id]
      guard let input = node.inputs.first else { return id }
      let before = unedited(input)
      switch node.operation {
      case .program(let program) where !program.unedited.isEmpty:
        return graph.append(.program(PointProgram(program.unedited)), before)
      case .area(let area) where area.isOfSensor: return graph.append(node.operation, before)
      case .program, .measured, .area, .blend, .drawn, .rolloff: return before
      default: return graph.append(node.operation, before)
      }
    }
    let before = unedited(end)
    graph.addOutput(name, before)
    return graph
  }
}

extension Operation {
  /// True if the cost of the operation grows with the number of pixels before a later reduction.
  ///
  /// The cost of removing a sensor's noise does not grow: it is removed after the reduction.
  fileprivate var worksAtFullSize: Bool {
    switch self {
    case .area(let area): !area.isOfSensor
    case .warp, .drawn, .shadow, .pad, .blend: true
    default: false
    }
  }
}

extension Operation {
  /// True if the result can be sampled at shifted positions, or has the pixels of its input.
  fileprivate var canShift: Bool {
    switch self {
    case .pad, .shadow, .external, .replacement: false
    default: true
    }
  }
}

extension Graph {
  /// The same resolved graph at a small size: no image in it has a longer edge above `edge`, except
  /// the photo itself and images that are enlarged from smaller ones.
  ///
  /// A view, and a page's photo with visible noise, is computed at a larger size and reduced last.
  func reduced(
    toLongEdge longest: Int, for photo: PhotoShape, as purpose: Preview.Purpose = .page
  ) -> Graph {
    let edge = fittingEdge(atMost: longest, for: photo, as: purpose)
    let sizes = sizes(for: photo)
    let scales = scales(toLongEdge: edge, for: photo, as: purpose)
    var reducing = Reducing(self, sizes, scales, grids(sizes, scales), edge: edge)
    if purpose == .view || purpose == .movement { reducing.shrink = photo.shrinks.max() ?? 1 }
    reducing.clips = purpose != .light
    for id in nodes.indices { reducing.append(id) }
    for output in outputs { reducing.addOutput(output) }
    return reducing.graph
  }

  /// The scale, 0…1, at which each node's image is computed: the largest scale that any later node
  /// requires.
  func scales(
    toLongEdge edge: Int, for photo: PhotoShape, as purpose: Preview.Purpose
  ) -> [Double] {
    let sizes = sizes(for: photo)
    let largest = outputs.map { sizes[$0.node].longEdge }.max() ?? edge
    func display(_ id: ID) -> Double { min(1, Double(edge) / Double(sizes[id].longEdge)) }
    func finer(_ id: ID, than edge: Int) -> Double {
      let whole = sizes[id].longEdge
      let finer = finerEdge(than: edge, of: whole, for: photo, as: purpose)
      return min(1, Double(finer) / Double(whole))
    }
    var scales = Array(repeating: 0.0, count: nodes.count)
    for output in outputs { scales[output.node] = display(output.node) }
    if let first = outputs.first?.node { scales[first] = finer(first, than: edge) }
    for (id, node) in nodes.enumerated().reversed() {
      for input in node.inputs {
        var scale = scales[id]
        if case .resize = node.operation {
          let across = Double(sizes[id].width) / Double(sizes[input].width)
          let down = Double(sizes[id].height) / Double(sizes[input].height)
          // A step before a reduction is computed at no less than the preview's resolution, because
          // its details remain visible, and at a larger size than the reduced image.
          let least = max(display(input), finer(input, than: min(edge, largest)))
          scale = min(1, max(scale * max(across, down), least))
        }
        scales[input] = max(scales[input], scale)
      }
    }
    return scales
  }

  /// The pixels of each node in the preview, so that crops begin between two pixels.
  ///
  /// If two steps require different pixels of the same image, or an image cannot be shifted, the
  /// crops are rounded instead.
  private func grids(_ sizes: [Size], _ scales: [Double]) -> [PreviewGrid] {
    let rounded = zip(sizes, scales).map { PreviewGrid($0, scale: $1) }
    var grids: [PreviewGrid?] = Array(repeating: nil, count: nodes.count)
    for output in outputs { grids[output.node] = rounded[output.node] }
    for (id, node) in nodes.enumerated().reversed() {
      let grid = grids[id] ?? rounded[id]
      grids[id] = grid
      let read = node.inputs.filter { scales[$0] == scales[id] && !isSource($0) && !isMap($0) }
      for input in read {
        let wanted =
          grid.before(node.operation, from: sizes[input], to: sizes[id]) ?? rounded[input]
        let known = nodes[input].operation.canShift ? grids[input] : rounded[input]
        guard known?.isSame(as: wanted) ?? true else { return rounded }
        grids[input] = wanted
      }
    }
    return zip(grids, rounded).map { $0 ?? $1 }
  }

  /// True if a node is an image that a point program stretches over the frame.
  private func isMap(_ id: ID) -> Bool {
    if case .map = nodes[id].operation { true } else { false }
  }

  /// True if a node is the photo, an image that an external program returned, or a crop of it.
  private func isSource(_ id: ID) -> Bool {
    switch nodes[id].operation {
    case .original, .replacement: true
    case .crop: nodes[id].inputs.first.map(isSource) ?? false
    default: false
    }
  }

  /// Builds the graph of a preview from a resolved graph.
  private struct Reducing {
    private let full: Graph
    private let sizes: [Size]
    private let scales: [Double]
    /// The pixels that each node has in the preview.
    private let grids: [PreviewGrid]
    /// The longer edge to which the outputs are reduced, in pixels.
    private let edge: Int
    /// The greatest factor by which the loader can reduce the photo; 1 if crops may be rounded to
    /// its pixels.
    var shrink = 1
    /// True if an output is clipped as a file with 8 bits before its last reduction.
    var clips = true
    /// For each node of the full graph, the node in the preview and its pixels.
    private var made: [(node: ID, grid: PreviewGrid)] = []
    private(set) var graph = Graph()

    init(
      _ full: Graph, _ sizes: [Size], _ scales: [Double], _ grids: [PreviewGrid], edge: Int
    ) {
      (self.full, self.sizes, self.scales) = (full, sizes, scales)
      (self.grids, self.edge) = (grids, edge)
    }

    mutating func append(_ id: ID) {
      let node = full.nodes[id]
      guard let input = node.inputs.first else {
        return made.append((graph.append(node.operation), PreviewGrid(sizes[id])))
      }
      if case .crop(let crop) = node.operation, full.isSource(input) {
        return cropSource(crop.rectangle(in: sizes[input]), id)
      }
      let (scale, grid) = (scales[id], grids[id])
      if case .resize(var resize) = node.operation {
        resize.part = grid.part(of: made[input].grid.resized(from: sizes[input], to: sizes[id]))
        if made[input].grid.size == grid.size, resize.part == .whole {
          return made.append((made[input].node, grid))
        }
        resize.target = .pixels(grid.size)
        resize.linear = resize.linear && scale == 1
        return made.append((graph.append(.resize(resize), made[input].node), grid))
      }
      let inputs = node.inputs.map { self.input($0, of: id) }
      guard let operation = reduced(node.operation, id, wanted(input, of: id)) else {
        return made.append((inputs[0], grid))
      }
      let size = operation.size(wanted(input, of: id).size, grid.size)
      made.append(
        (
          graph.append(Node(operation: operation, inputs: inputs)),
          size == grid.size ? grid : PreviewGrid(sizes[id], reducedTo: size)
        ))
    }

    /// Keeps a crop of the source at full size, because the loader then reduces only the cropped
    /// part of the photo.
    ///
    /// If the crop is reduced next, it is enlarged to pixels of the photo that the loader reduces;
    /// the reduction takes the part that is wanted.
    private mutating func cropSource(_ rectangle: Rectangle, _ id: ID) {
      let input = made[full.nodes[id].inputs[0]]
      let wanted = PreviewGrid(sizes[id]).crop(to: rectangle, of: input.grid)
      let isReduced = scales[id] < 1 || full.consumers[id].isEmpty && display(id) < 1
      let place = isReduced ? wanted.enlarged(to: shrink, in: input.grid.size) : wanted
      let crop = graph.append(.crop(.pixels(place)), input.node)
      made.append((crop, PreviewGrid(place, around: wanted)))
    }

    /// The operation of node `id` on an input with the pixels `before`; nil if it has no effect.
    private func reduced(_ operation: Operation, _ id: ID, _ before: PreviewGrid) -> Operation? {
      let (full, grid) = (sizes[self.full.nodes[id].inputs[0]], grids[id])
      switch operation {
      case .crop(let crop):
        let place = grid.crop(to: crop.rectangle(in: full), of: before)
        return place.size == before.size ? nil : .crop(.pixels(place))
      case .warp(let warp): return .warp(warp.scaled(from: before.size, to: grid))
      default: return operation.scaled(by: scales[id], from: full, before.size, to: grid.size)
      }
    }

    mutating func addOutput(_ output: Graph.Output) {
      graph.addOutput(output.name, end(output.node))
    }

    /// Returns the final node of an output.
    ///
    /// Appends a reduction if the output is only the unchanged photo or a crop of it, or if the
    /// output was rendered at a larger size.
    private mutating func end(_ id: ID) -> ID {
      let display = display(id)
      if !full.isSource(id) && scales[id] == display { return made[id].node }
      return self.input(
        id, PreviewGrid(sizes[id], scale: display), clips: clips && !full.isSource(id))
    }

    /// The scale at which node `id` is shown if it is the end of an output.
    private func display(_ id: ID) -> Double {
      min(1, Double(edge) / Double(sizes[id].longEdge))
    }

    /// The pixels of node `input` that node `id` reads.
    private func wanted(_ input: ID, of id: ID) -> PreviewGrid {
      if scales[input] == scales[id], !full.isSource(input) { return grids[input] }
      return grids[id].before(full.nodes[id].operation, from: sizes[input], to: sizes[id])
        ?? PreviewGrid(sizes[input], scale: scales[id])
    }

    private mutating func input(_ input: ID, of id: ID) -> ID {
      self.input(input, wanted(input, of: id))
    }

    /// Returns the node of the preview that gives the image of node `id` of the full graph with the
    /// pixels `grid`.
    ///
    /// Appends a reduction if the image has other pixels. A map keeps its size, because the point
    /// program that reads it stretches it.
    private mutating func input(_ id: ID, _ grid: PreviewGrid, clips: Bool = false) -> ID {
      if full.isMap(id) { return made[id].node }
      if made[id].grid.isSame(as: grid) { return made[id].node }
      var resize = Resize(.pixels(grid.size))
      resize.part = grid.part(of: made[id].grid)
      resize.clips = clips
      return graph.append(.resize(resize), made[id].node)
    }
  }
}
