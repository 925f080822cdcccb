import PhotoRecipes

/// Nodes that change the frame.
extension Lowering {
  mutating func crop(_ raster: inout Raster, _ rectangle: Rectangle) {
    settleLayers(&raster)
    apply(
      .vips(.extractArea),
      [
        "left": .integer(rectangle.left), "top": .integer(rectangle.top),
        "width": .integer(rectangle.size.width), "height": .integer(rectangle.size.height),
      ], to: &raster)
    raster.pending = raster.pending.cropped(to: rectangle, of: raster.size)
    raster.size = rectangle.size
  }

  mutating func turn(_ raster: inout Raster, _ quarters: Int) {
    settleLayers(&raster)
    apply(.vips(.rot), ["angle": .choice("d\(quarters * 90)")], to: &raster)
    raster.pending = raster.pending.turned(quarters)
    if !quarters.isMultiple(of: 2) { raster.size = raster.size.turned }
  }

  mutating func flip(_ raster: inout Raster, _ axis: Operation.Axis) {
    settleLayers(&raster)
    apply(.vips(.flip), ["direction": .choice(axis.rawValue)], to: &raster)
    raster.pending = raster.pending.flipped(axis)
  }

  mutating func resize(_ raster: inout Raster, _ resize: Resize) {
    let target = resize.size(from: raster.size)
    // If a pending point program must run before the resize anyway, it also converts to linear
    // light; the resize then need not decode and encode the samples itself.
    let isLight = resize.linear && !raster.pending.isIdentity
    if resize.clips {
      flush(&raster, to: .uchar)
    } else if isLight {
      raster.pending.append([.curve(.decode)])
      flush(&raster, to: .float)
    } else if !(raster.isUntouched && rendering == .balanced) {
      settle(&raster)
    }
    var arguments: [String: Pipeline.Value] = [
      "width": .integer(target.width), "height": .integer(target.height),
    ]
    if resize.kernel == .nearest {
      apply(.pick, arguments, to: &raster)
    } else {
      arguments["kernel"] = .choice(resize.kernel.rawValue)
      arguments["format"] = .choice(raster.format.rawValue)
      if resize.linear && !isLight { arguments["linear"] = .flag(true) }
      if resize.part != .whole {
        arguments["left"] = .number(resize.part.start.x)
        arguments["top"] = .number(resize.part.start.y)
        arguments["across"] = .number(resize.part.length.x)
        arguments["down"] = .number(resize.part.length.y)
      }
      apply(
        .kernel(raster.planes == nil ? .resize : .resizePlanes), arguments, to: &raster)
      raster.planes = nil
    }
    raster.size = target
    if isLight { raster.pending.append([.curve(.encode)]) }
  }

  mutating func pad(_ raster: inout Raster, _ pad: Pad) {
    settle(&raster)
    let (frame, place) = pad.placement(of: raster.size)
    if pad.colour.alpha < 255 && !raster.hasAlpha { addAlpha(&raster) }
    apply(
      .vips(.embed),
      [
        "x": .integer(place.left), "y": .integer(place.top), "width": .integer(frame.width),
        "height": .integer(frame.height), "extend": .choice("background"),
        "background": .numbers(pad.colour.samples(as: raster.format, alpha: raster.hasAlpha)),
      ], to: &raster)
    raster.size = frame
  }

  /// Resamples the image at positions between its pixels.
  ///
  /// If the image has alpha, its colours are premultiplied while they are resampled.
  ///
  /// The rendering mode `balanced` may resample the stored samples, before they are converted from
  /// the photo's colour profile. It does so if the image has no alpha, if no step has changed the
  /// colours, and if the warp adds no colour around the image.
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
    if let lens = warp.lens { arguments["lens"] = .numbers(lens.numbers) }
    if showsColour {
      arguments["background"] = .numbers(warp.colour.premultiplied(alpha: raster.hasAlpha))
    }
    premultiplied(&raster) { lowering, raster in
      lowering.apply(.kernel(.warp), arguments, to: &raster)
    }
    raster.size = size
  }
}

extension Colour {
  /// The colour as values of 0…1, multiplied by its alpha if the image has alpha.
  fileprivate func premultiplied(alpha hasAlpha: Bool) -> [Double] {
    let light = [red, green, blue].map { Double($0) / 255 }
    let alpha = Double(self.alpha) / 255
    return hasAlpha ? light.map { $0 * alpha } + [alpha] : light
  }
}
