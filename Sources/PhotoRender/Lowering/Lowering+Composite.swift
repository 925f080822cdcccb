import PhotoRecipes

extension Lowering {
  /// Draws on a part of the photo; the rest does not change.
  mutating func draw(_ drawing: Drawing, on raster: inout Raster) {
    settle(&raster)
    if case .corners(let corners) = drawing, corners.colour.alpha < 255, !raster.hasAlpha {
      addAlpha(&raster)
    }
    apply(.draw, ["drawing": .drawing(drawing, raster.format)], to: &raster)
  }

  /// Adds a shadow.
  ///
  /// The result has alpha, unless the shadow falls on an opaque colour.
  mutating func shadow(_ raster: inout Raster, _ shadow: Shadow) {
    settle(&raster)
    apply(.shadow, ["shadow": .shadow(shadow, raster.format)], to: &raster)
    raster.hasAlpha = true
    raster.size = shadow.placement(of: raster.size).frame
    if shadow.background.alpha > 0 { flatten(&raster, shadow.background) }
  }

  mutating func addAlpha(_ raster: inout Raster) {
    settleLayers(&raster)
    apply(.vips(.bandjoinConst), ["c": .numbers([raster.format.maximum])], to: &raster)
    raster.hasAlpha = true
  }

  mutating func flatten(_ raster: inout Raster, _ colour: Colour) {
    guard raster.hasAlpha else { return }
    settle(&raster)
    apply(
      .vips(.flatten),
      [
        "background": .numbers(colour.samples(as: raster.format, alpha: false)),
        "max-alpha": .number(raster.format.maximum),
      ], to: &raster)
    raster.hasAlpha = false
  }
}

extension Colour {
  /// The colour as samples of a format.
  func samples(as format: SampleFormat, alpha hasAlpha: Bool) -> [Double] {
    ([red, green, blue] + (hasAlpha ? [alpha] : [])).map { Double($0) / 255 * format.maximum }
  }
}
