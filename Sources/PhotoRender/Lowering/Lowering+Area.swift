import PhotoRecipes

/// Nodes that compute each pixel from its neighbours.
extension Lowering {
  /// Adds a kernel that reads neighbouring pixels; it works on premultiplied alpha if the image has
  /// alpha.
  ///
  /// `maps` are images that the kernel stretches over the frame. With `isWide`, samples that the
  /// kernel makes brighter than white or darker than black are kept, because larger spaces can
  /// represent them.
  mutating func filter(
    _ raster: inout Raster, _ area: AreaOperation, _ maps: [Raster], isWide: Bool
  ) {
    settle(&raster)
    if raster.hasAlpha { flush(&raster, to: .float) }
    if isWide && area.kernel.overshoots { raster.format = .float }
    var arguments = area.arguments.mapValues(Pipeline.Value.init)
    arguments["format"] = .choice(raster.format.rawValue)
    let full = Pipeline.Value.number(raster.format.maximum)
    if raster.hasAlpha { apply(.vips(.premultiply), ["max-alpha": full], to: &raster) }
    raster.call = pipeline.append(
      .init(.kernel(.area(area.kernel)), arguments), [raster.call],
      images: maps.isEmpty ? [:] : ["maps": maps.map(\.call)])
    if raster.hasAlpha { apply(.vips(.unpremultiply), ["max-alpha": full], to: &raster) }
  }

  /// Adds operations that work on premultiplied alpha if the image has alpha.
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

extension Pipeline.Value {
  fileprivate init(_ argument: AreaOperation.Argument) {
    self =
      switch argument {
      case .length(let number), .number(let number), .arc(_, let number), .part(let number):
        .number(number)
      case .integer(let number): .integer(number)
      case .numbers(let numbers): .numbers(numbers)
      case .flag(let flag): .flag(flag)
      case .choice(let name): .choice(name)
      }
  }
}
