import PhotoRecipes

/// What is done to pixels by themselves.
extension Lowering {
  /// Carries out what is pending, into samples of `format`.
  mutating func flush(_ raster: inout Raster, to format: SampleFormat) {
    if raster.pending.isIdentity && raster.format == format { return }
    let program = Pipeline.Value.program(
      baked(raster, to: format) ?? raster.pending, input: raster.format, size: raster.size,
      end(format))
    let images = ["layers": raster.layers, "maps": raster.maps].filter { !$0.value.isEmpty }
    raster.call = pipeline.append(
      .init("phbatch_point", ["program": program, "format": .choice(format.rawValue)]),
      [raster.call], images: images)
    raster.pending = PointProgram()
    raster.layers = []
    raster.maps = []
    raster.isUntouched = false
    raster.format = format
  }

  /// What becomes of the samples that a program writes as `format`.
  func end(_ format: SampleFormat) -> ProgramEnd {
    isForDisplay ? format == .uchar ? .shown : .display : .fine
  }

  /// What is pending as a table, where that pays: within a level for samples to be written, half a
  /// level for a kernel that goes on with them.
  private func baked(_ raster: Raster, to format: SampleFormat) -> PointProgram? {
    guard mayBake, raster.format == .uchar, format != .ushort, raster.layers.isEmpty,
      raster.maps.isEmpty
    else { return nil }
    return Bake.replacement(
      for: raster.pending, input: raster.format, bound: (format == .uchar ? 1 : 0.5) / 255,
      pixels: raster.size.pixels)
  }

  /// Carries out a pending program that reads other images at the same place, which is about to
  /// change.
  mutating func settleLayers(_ raster: inout Raster) {
    if !raster.layers.isEmpty { flush(&raster, to: .float) }
  }

  /// Lets a program wait; the images that it reads must be there when it runs.
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

  /// Makes the samples display-encoded sRGB: as they are where nothing is pending, else unclipped.
  mutating func settle(_ raster: inout Raster) {
    flush(&raster, to: raster.pending.isIdentity ? raster.format : .float)
  }

  /// Makes the samples unclipped floats, display-encoded sRGB.
  mutating func settleToFloat(_ raster: inout Raster) { flush(&raster, to: .float) }
}
