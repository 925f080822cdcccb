import PhotoRecipes

extension Lowering {
  /// Resamples between pixels, premultiplied; an untouched photo as it is stored.
  mutating func warp(_ raster: inout Raster, _ warp: Warp) {
    let (map, size) = warp.resolved(for: raster.size)
    let showsColour = warp.keeping == .all
    if showsColour || !(raster.isUntouched && rendering == .balanced) { settle(&raster) }
    if showsColour && warp.colour.alpha < 255 && !raster.hasAlpha { addAlpha(&raster) }
    if raster.hasAlpha && raster.format != .float { settleToFloat(&raster) }
    var arguments: [String: Pipeline.Value] = [
      "matrix": .numbers(map.numbers), "width": .integer(size.width),
      "height": .integer(size.height), "format": .choice(raster.format.rawValue),
    ]
    if showsColour {
      arguments["background"] = .numbers(warp.colour.premultiplied(alpha: raster.hasAlpha))
    }
    premultiplied(&raster) { lowering, raster in
      lowering.apply("phbatch_warp", arguments, to: &raster)
    }
    raster.size = size
  }
}

extension Colour {
  /// 0…1; without alpha the colour itself.
  fileprivate func premultiplied(alpha hasAlpha: Bool) -> [Double] {
    let light = [red, green, blue].map { Double($0) / 255 }
    let alpha = Double(self.alpha) / 255
    return hasAlpha ? light.map { $0 * alpha } + [alpha] : light
  }
}
