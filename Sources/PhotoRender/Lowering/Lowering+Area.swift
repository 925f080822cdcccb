import PhotoRecipes

/// Nodes that compute each pixel from its neighbours.
extension Lowering {
  /// Adds a kernel that reads neighbouring pixels.
  ///
  /// If the image has alpha, the kernel reads and writes colours that are multiplied by alpha, and
  /// the image stays premultiplied.
  ///
  /// `maps` are images that the kernel stretches over the frame. If `isWide` is true, samples that
  /// the kernel makes brighter than white or darker than black are kept, because output spaces
  /// larger than sRGB can represent them.
  mutating func filter(
    _ raster: inout Raster, _ area: AreaOperation, _ maps: [Raster], isWide: Bool
  ) {
    if raster.hasAlpha { premultiply(&raster) } else { settle(&raster) }
    if isWide && area.kernel.overshoots { raster.format = .float }
    var arguments = area.arguments.mapValues(Pipeline.Value.init)
    arguments["format"] = .choice(raster.format.rawValue)
    raster.call = pipeline.append(
      .init(.kernel(.area(area.kernel)), arguments), [raster.call],
      images: maps.isEmpty ? [:] : ["maps": maps.map(\.call)])
  }

  /// Multiplies the colours by alpha, as floats, unless they are already multiplied.
  private mutating func premultiply(_ raster: inout Raster) {
    if raster.isPremultiplied { return }
    flush(&raster, to: .float)
    apply(.vips(.premultiply), ["max-alpha": .number(raster.format.maximum)], to: &raster)
    raster.isPremultiplied = true
  }

  /// Divides the colours by alpha if they are multiplied by it.
  mutating func unpremultiply(_ raster: inout Raster) {
    guard raster.isPremultiplied else { return }
    apply(.vips(.unpremultiply), ["max-alpha": .number(raster.format.maximum)], to: &raster)
    raster.isPremultiplied = false
  }

  /// Calls `body`, which adds operations; if the image has alpha, they get colours that are
  /// multiplied by alpha.
  mutating func premultiplied(
    _ raster: inout Raster, _ body: (inout Lowering, inout Raster) -> Void
  ) {
    guard raster.hasAlpha else { return body(&self, &raster) }
    let format = raster.format
    let full = Pipeline.Value.number(format.maximum)
    apply(.vips(.premultiply), ["max-alpha": full], to: &raster)
    body(&self, &raster)
    apply(.vips(.unpremultiply), ["max-alpha": full], to: &raster)
    if format == .float { return }
    apply(.vips(.round), ["round": .choice("rint")], to: &raster)
    apply(.vips(.cast), ["format": .choice(format.rawValue)], to: &raster)
  }
}

extension Graph {
  /// The neighbourhood operations whose results are read only by other neighbourhood operations, so
  /// that the colours between them stay multiplied by alpha.
  var nodesBetweenAreas: Set<ID> {
    let ends = Set(outputs.map(\.node))
    var found = Set(nodes.indices.filter { nodes[$0].isArea && !ends.contains($0) })
    for node in nodes where !node.isArea { found.subtract(node.inputs) }
    return found
  }
}

extension Graph.Node {
  fileprivate var isArea: Bool { if case .area = operation { true } else { false } }
}

extension Pipeline.Value {
  fileprivate init(_ argument: AreaOperation.Argument) {
    self =
      switch argument {
      case .length(let number), .number(let number), .arc(_, let number), .part(let number, _):
        .number(number)
      case .haloOfSigma: .number(0)
      case .integer(let number): .integer(number)
      case .numbers(let numbers): .numbers(numbers)
      case .flag(let flag): .flag(flag)
      case .choice(let name): .choice(name)
      case .spots: .numbers([])
      }
  }
}
