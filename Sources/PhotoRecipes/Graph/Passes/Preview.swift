extension Graph {
  /// The names of the outputs that `previewed` makes: the edited photo, and the same frame of it
  /// without what filters did to its pixels.
  public enum Preview {
    public static let after = "after"
    public static let before = "before"

    /// Loaders may do all of a reduction, within the rounding of its size.
    fileprivate static let headroom = 0.999
    /// How much less than the pixels asked for a picture may have, so that a loader reduces all.
    fileprivate static let leastShare = 0.8

    /// What another output of the recipe is called.
    public static func output(_ name: String) -> String { "output \(name)" }

    /// JPEG in sRGB, in the order of the graph's outputs; what is only there to compare with is
    /// encoded as is usual for the web.
    public static func outputs(quality: Int) -> [PhotoRecipes.Output] {
      [after, before].map { name in
        var format = JPEGFormat()
        format.quality = .level(name == after ? quality : min(quality, 85))
        // Fitting tables takes longer than the few bytes are worth that it saves.
        format.optimize = false
        return PhotoRecipes.Output(name: name, format: format, metadata: .none)
      }
    }
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
    for photo: PhotoShape, _ rendering: Recipe.Rendering, previewEdge edge: Int
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
  /// Whether its cost grows with the pixels before a reduction that follows it.
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
    var reducing = Reducing(self, sizes(for: photo), scales(toLongEdge: edge, for: photo))
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

  /// Whether pixels are moved to places between others.
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

  /// The factor by which each node's image is reduced: the largest that anything after it asks for.
  private func scales(toLongEdge edge: Int, for photo: PhotoShape) -> [Double] {
    let sizes = sizes(for: photo)
    func display(_ id: ID) -> Double { min(1, Double(edge) / Double(sizes[id].longEdge)) }
    var scales = Array(repeating: 0.0, count: nodes.count)
    for output in outputs { scales[output.node] = display(output.node) }
    for (id, node) in nodes.enumerated().reversed() {
      for input in node.inputs {
        var scale = scales[id]
        if case .resize = node.operation {
          let across = Double(sizes[id].width) / Double(sizes[input].width)
          let down = Double(sizes[id].height) / Double(sizes[input].height)
          // What comes before a reduction is seen in the display's detail even so.
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
    /// What stands for each node, and its size.
    private var made: [(node: ID, size: Size)] = []
    private(set) var graph = Graph()

    init(_ full: Graph, _ sizes: [Size], _ scales: [Double]) {
      (self.full, self.sizes, self.scales) = (full, sizes, scales)
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

    mutating func addOutput(_ output: Output) {
      graph.addOutput(output.name, end(output.node))
    }

    /// An output that does nothing but show the photo is reduced here.
    private mutating func end(_ id: ID) -> ID {
      isSource(id) ? input(id, scales[id]) : made[id].node
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

extension Operation {
  /// The same operation on a photo reduced by `factor` from `full` to `input`, with a result of
  /// `result`; nil where nothing is left of it.
  fileprivate func scaled(
    by factor: Double, from full: Size, _ input: Size, to result: Size
  ) -> Operation? {
    switch self {
    case .crop(let crop):
      let place = crop.rectangle(in: full).scaled(by: factor, size: result, in: input)
      return place.size == input ? nil : .crop(.pixels(place))
    case .pad(var pad):
      let place = pad.placement(of: full).photo.scaled(by: factor, size: input, in: result)
      pad.frame = .pixels(place, frame: result)
      return result == input ? nil : .pad(pad)
    case .warp(let warp): return .warp(warp.scaled(from: input, to: result))
    case .area(let area): return area.scaled(by: factor).map { .area($0) }
    case .program(let program): return .program(program.scaled(by: factor))
    case .drawn(.corners(var corners)):
      corners.radius = .pixels(
        Int((Double(corners.radius(in: full)) * factor).rounded()))
      return .drawn(.corners(corners))
    case .drawn, .shadow, .turn, .flip, .flatten, .original, .orient, .map, .measured, .resize,
      .blend, .external, .replacement:
      return self
    }
  }

  /// What becomes of an image of `input`, where `planned` was planned: a shadow's lengths are rounded
  /// for the frame that it has.
  fileprivate func size(_ input: Size, _ planned: Size) -> Size {
    if case .shadow(let shadow) = self { shadow.placement(of: input).frame } else { planned }
  }
}

extension Rectangle {
  /// A rectangle of `size` at this one's place times `factor`, held inside `frame`.
  fileprivate func scaled(by factor: Double, size: Size, in frame: Size) -> Rectangle {
    func start(_ edge: Int, _ room: Int) -> Int {
      max(0, min(Int((Double(edge) * factor).rounded()), room))
    }
    return Rectangle(
      left: start(left, frame.width - size.width), top: start(top, frame.height - size.height),
      size: size)
  }
}

extension PointProgram {
  /// The same program for the photo reduced by `factor`.
  fileprivate func scaled(by factor: Double) -> PointProgram {
    if factor >= 1 { return self }
    return PointProgram(
      instructions.flatMap { instruction -> [Instruction] in
        guard case .grain(let grain) = instruction else { return [instruction] }
        return grain.averaged(by: factor)
      })
  }
}

extension Grain {
  /// The most places in a pixel, each way, at which noise is taken.
  private static let mostSamples = 3

  /// The same grain averaged as the photo is that was reduced by `factor`.
  ///
  /// It is taken at even steps within each pixel; where these are too few, it is as much weaker as
  /// more would make it.
  fileprivate func averaged(by factor: Double) -> [PointProgram.Instruction] {
    let covered = 1 / factor
    let count = min(max(1, Int(covered.rounded())), Self.mostSamples)
    var part = self
    part.amount *= min(1, size * Double(count) / covered) / Double(count * count)
    return (0..<count * count).map { index -> PointProgram.Instruction in
      let place = Placement.Point(Double(index % count), Double(index / count))
      part.sample = (place + 0.5) / Double(count)
      return .grain(part)
    }
  }
}

extension AreaOperation {
  /// The least sigma that kernels can do.
  private static let leastSigma = 0.3

  /// The same operation on a photo reduced by `factor`; nil where nothing is left of it.
  func scaled(by factor: Double) -> AreaOperation? {
    if factor >= 1 { return self }
    var scaled = self
    scaled.arguments = arguments.mapValues { argument in
      switch argument {
      case .length(let length): .length(length * factor)
      case .arc(let minutes, let least): .arc(minutes: minutes, least: least * factor)
      case .integer(let pixels): .integer(Int((Double(pixels) * factor).rounded()))
      case .number, .numbers, .flag, .choice: argument
      }
    }
    return scaled.withinReach(factor)
  }

  /// The same operation with arguments that its kernel takes.
  private func withinReach(_ factor: Double) -> AreaOperation? {
    var result = self
    switch kernel {
    case "unsharp": return sharpening
    case "blur": return sigma < Self.leastSigma ? nil : self
    case "bloom", "soften": result.arguments["sigma"] = .length(max(Self.leastSigma, sigma))
    case "tilt":
      if sigma < 1.5 * Self.leastSigma { return nil }
      result.arguments["sigma"] = .length(max(3 * Self.leastSigma, sigma))
    case "median", "surface": return arguments["radius"] == .integer(0) ? nil : self
    case "pixelate":
      // Squares that are hardly larger than a pixel are not seen.
      if square < 1.5 { return nil }
    case "censor":
      if square > 0 { result.arguments["size"] = .length(max(1, square)) }
    case "denoise":
      // The reduction has averaged as much of the noise.
      for name in ["luma", "chroma"] {
        guard case .number(let strength) = arguments[name] else { continue }
        result.arguments[name] = .number(strength * factor)
      }
    default: break
    }
    return result
  }

  private var sigma: Double {
    if case .length(let sigma) = arguments["sigma"] { sigma } else { 0 }
  }

  /// The side of a square; 0 for none.
  private var square: Double {
    if case .length(let size) = arguments["size"] { size } else { 0 }
  }

  /// Below the least sigma the mask is sigma² of the Laplacian.
  private var sharpening: AreaOperation? {
    guard sigma < Self.leastSigma, case .number(let amount) = arguments["amount"] else {
      return self
    }
    let part = (sigma / Self.leastSigma) * (sigma / Self.leastSigma)
    if part < 0.01 { return nil }
    var result = self
    result.arguments["sigma"] = .length(Self.leastSigma)
    result.arguments["amount"] = .number(amount * part)
    return result
  }
}
