import PhotoRecipes

extension Lowering {
  /// Draws on a part of the photo; the rest of it is untouched.
  mutating func draw(_ drawing: Drawing, on raster: inout Raster) {
    settle(&raster)
    if case .corners(let corners) = drawing, corners.colour.alpha < 255, !raster.hasAlpha {
      addAlpha(&raster)
    }
    apply(Pipeline.Special.draw, ["drawing": .drawing(drawing, raster.format)], to: &raster)
  }

  /// The result has alpha, unless the shadow falls on an opaque colour.
  mutating func shadow(_ raster: inout Raster, _ shadow: Shadow) {
    settle(&raster)
    apply(Pipeline.Special.shadow, ["shadow": .shadow(shadow, raster.format)], to: &raster)
    raster.hasAlpha = true
    raster.size = shadow.placement(of: raster.size).frame
    if shadow.background.alpha > 0 { flatten(&raster, shadow.background) }
  }
}
