import PhotoRecipes

/// Nodes that change each pixel by itself.
extension Lowering {
  /// Carries out the pending program, into samples of `format`.
  mutating func flush(_ raster: inout Raster, to format: SampleFormat) {
    if raster.pending.isIdentity && raster.format == format { return }
    let program = Pipeline.Value.program(
      raster.pending, input: raster.format, size: raster.size, end(format))
    let images = ["layers": raster.layers, "maps": raster.maps].filter { !$0.value.isEmpty }
    raster.call = pipeline.append(
      .init(.kernel(.point), ["program": program, "format": .choice(format.rawValue)]),
      [raster.call], images: images)
    // A table is off by a level for samples that are written, by half a level for a kernel that
    // reads them.
    if images.isEmpty && mayMakeTables && raster.format == .uchar && format != .ushort {
      pipeline.allowTable(of: raster.call, error: (format == .uchar ? 1 : 0.5) / 255)
    }
    raster.pending = PointProgram()
    raster.layers = []
    raster.maps = []
    raster.isUntouched = false
    raster.format = format
  }

  /// The use of the samples that a program writes as `format`.
  func end(_ format: SampleFormat) -> ProgramEnd {
    isForDisplay ? format == .uchar ? .shown : .display : .fine
  }

  /// Carries out a pending program that reads layers, before the frame changes.
  mutating func settleLayers(_ raster: inout Raster) {
    if !raster.layers.isEmpty { flush(&raster, to: .float) }
  }

  /// Makes a program pending; the images that it reads must exist when it runs.
  mutating func run(
    _ program: PointProgram, on raster: inout Raster, _ images: [Raster]
  ) {
    if raster.layers.count + raster.maps.count + images.count > PointProgram.mostImages {
      flush(&raster, to: .float)
    }
    if !raster.hasAlpha && (program.makesAlpha || images.contains(where: \.hasAlpha)) {
      addAlpha(&raster)
    }
    var numbers: [Int] = []
    for var image in images {
      if image.isMap {
        numbers.append(raster.maps.count)
        raster.maps.append(image.call)
        continue
      }
      if raster.hasAlpha && !image.hasAlpha { addAlpha(&image) }
      settle(&image)
      numbers.append(raster.layers.count)
      raster.layers.append(image.call)
    }
    raster.pending.append(program.renumbered { numbers[$0] }.instructions)
    raster.isUntouched = false
  }

  /// Makes the samples display-encoded sRGB: as they are if nothing is pending, else unclipped.
  mutating func settle(_ raster: inout Raster) {
    flush(&raster, to: raster.pending.isIdentity ? raster.format : .float)
  }

  /// Makes the samples unclipped floats, display-encoded sRGB.
  mutating func settleToFloat(_ raster: inout Raster) { flush(&raster, to: .float) }
}
