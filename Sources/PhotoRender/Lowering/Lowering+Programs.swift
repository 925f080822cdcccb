import PhotoRecipes

/// Nodes that compute each pixel independently.
extension Lowering {
  /// Adds a pipeline operation (call) that runs the pending program and writes samples of `format`.
  mutating func flush(_ raster: inout Raster, to format: SampleFormat) {
    if raster.pending.isIdentity && raster.format == format { return }
    let program = Pipeline.Value.program(
      raster.pending, input: raster.format, size: raster.size, end(format))
    let images = ["layers": raster.layers, "maps": raster.maps].filter { !$0.value.isEmpty }
    raster.call = pipeline.append(
      .init(.kernel(.point), ["program": program, "format": .choice(format.rawValue)]),
      [raster.call], images: images)
    // The table may differ from the program by one 8-bit level if its samples are written to a
    // file, and by half a level if a kernel reads them.
    if images.isEmpty && mayMakeTables && raster.format == .uchar && format != .ushort {
      pipeline.allowTable(of: raster.call, error: (format == .uchar ? 1 : 0.5) / 255)
    }
    raster.pending = PointProgram()
    raster.layers = []
    raster.maps = []
    raster.isUntouched = false
    raster.format = format
  }

  /// The later use of the samples that a program writes in `format`; it determines the precision
  /// that the program needs.
  func end(_ format: SampleFormat) -> ProgramEnd {
    isForDisplay ? format == .uchar ? .shown : .display : .fine
  }

  /// Runs the pending program if it reads layers.
  ///
  /// The layers have the size of the current frame, and the caller is about to change the frame.
  mutating func settleLayers(_ raster: inout Raster) {
    if !raster.layers.isEmpty { flush(&raster, to: .float) }
  }

  /// Adds a program to the pending one.
  ///
  /// The images that the program reads are completed first, because they must exist when it runs.
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

  /// Converts the samples to display-encoded sRGB.
  ///
  /// If a program is pending, it runs, and the samples become unclipped floats; otherwise they do
  /// not change.
  mutating func settle(_ raster: inout Raster) {
    flush(&raster, to: raster.pending.isIdentity ? raster.format : .float)
  }

  /// Converts the samples to unclipped floats in display-encoded sRGB.
  mutating func settleToFloat(_ raster: inout Raster) { flush(&raster, to: .float) }
}
