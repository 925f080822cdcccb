extension PointProgram {
  /// One operation of a point program on the (R, G, B) of a pixel.
  public enum Instruction: Sendable, Hashable {
    /// Applies a list of curves to each channel, in order.
    case channels(red: [Curve], green: [Curve], blue: [Curve])
    /// Applies a list of curves, in order, to the greatest and to the least channel. The middle
    /// channel keeps its relative place between them, and thus the pixel its hue in HSV.
    case tone([Curve])
    case matrix(ColourMatrix)
    case colour(ColourFunction)
    /// On OKLab: limits brightness and chroma so that the pixel exceeds sRGB no more than the last
    /// saved pixel does; that saved pixel is removed.
    case hold
    case radial(RadialGain)
    case falloff(LensFalloff)
    /// A placeholder for the lookup table in a file.
    case lookup(NamedFile)
    case grain(Grain)
    /// Adds noise before samples are rounded; allowed only as the last instruction.
    case dither(Dither)
    /// Saves the pixel for a later `mix`, `compose`, `multiply` or `hold`.
    case save
    /// Replaces the pixel by the pixel at the same position in another image that the program
    /// reads; the value is the index of that image, from 0.
    case layer(Int)
    /// Blends this pixel over the last saved pixel, both clipped to 0…1.
    case blend(BlendMode)
    /// Multiplies each channel by that of the last saved pixel, without clipping; alpha becomes that
    /// of the saved pixel, which is removed.
    case multiply
    /// Mixes the last saved pixel with this pixel by `opacity`, 0…1; if `isMasked`, by opacity ×
    /// the last computed coverage. The saved pixel and the coverage are removed.
    case mix(opacity: Double, isMasked: Bool)
    /// Composes this pixel over the last saved pixel by their alphas. The alpha of this pixel is
    /// multiplied by opacity and, if `isMasked`, by the coverage, as in `mix`.
    case compose(BlendMode, opacity: Double, isMasked: Bool)
    /// Computes a coverage, 0…1.
    case cover(Cover)
    /// Combines the two last computed coverages to one.
    case combine(Cover.Combination)
    /// Replaces the last computed coverage by coverage × gain + offset, clipped to 0…1.
    case fade(gain: Double, offset: Double)
    case local(LocalTone)
    case dehaze(HazeRemoval)
    case tiles(TileCurves)
    /// On OKLab: makes colours near a key colour transparent, and removes reflections of the key
    /// colour.
    case key(ColourKey)
  }
}

extension PointProgram.Instruction {
  /// Applies one curve to all three channels.
  public static func curve(_ curve: Curve) -> Self {
    .channels(red: [curve], green: [curve], blue: [curve])
  }

  /// Restores the last saved pixel.
  static let restore = Self.mix(opacity: 0, isMasked: false)

  /// The same instruction with `change` applied to its placement in the frame, if it has one.
  func moved(_ change: (Placement) -> Placement) -> Self {
    switch self {
    case .radial(var gain):
      gain.placement = change(gain.placement)
      return .radial(gain)
    case .falloff(var falloff):
      falloff.placement = change(falloff.placement)
      return .falloff(falloff)
    case .cover(var cover):
      cover.placement = change(cover.placement)
      return .cover(cover)
    case .local(var tone):
      tone.placement = change(tone.placement)
      return .local(tone)
    case .dehaze(var haze):
      haze.placement = change(haze.placement)
      return .dehaze(haze)
    case .tiles(var curves):
      curves.placement = change(curves.placement)
      return .tiles(curves)
    case .grain(var grain):
      grain.placement = change(grain.placement)
      return .grain(grain)
    case .channels, .tone, .matrix, .colour, .hold, .lookup, .dither, .save, .layer, .blend,
      .multiply, .mix, .compose, .combine, .fade, .key:
      return self
    }
  }

  /// The same instruction with other indices of images.
  func renumbered(_ change: (Int) -> Int) -> Self {
    switch self {
    case .layer(let image): return .layer(change(image))
    case .cover(var cover):
      if case .map(let image) = cover.shape { cover.shape = .map(change(image)) }
      return .cover(cover)
    case .local(var tone):
      tone.map = change(tone.map)
      return .local(tone)
    case .dehaze(var haze):
      haze.map = change(haze.map)
      return .dehaze(haze)
    case .tiles(var curves):
      curves.map = change(curves.map)
      return .tiles(curves)
    case .channels, .tone, .matrix, .colour, .hold, .radial, .falloff, .lookup, .grain, .dither,
      .save, .blend, .multiply, .mix, .compose, .combine, .fade, .key:
      return self
    }
  }

  /// True if the result depends on a pixel's position in the frame.
  var dependsOnPosition: Bool {
    switch self {
    case .radial, .falloff, .local, .dehaze, .tiles, .grain, .dither: true
    case .cover(let cover): cover.dependsOnPosition
    case .channels, .tone, .matrix, .colour, .hold, .lookup, .save, .layer, .blend, .multiply, .mix,
      .compose, .combine, .fade, .key:
      false
    }
  }

  /// True if the result depends on the individual pixel, so that it is meaningless on a reduced
  /// image: the pixel has its own noise, or is on one side of a step.
  var dependsOnPixels: Bool {
    switch self {
    case .grain, .dither, .colour(.steps): true
    default: false
    }
  }
}

extension PointProgram.Instruction: CustomStringConvertible {
  public var description: String {
    switch self {
    case .channels(let red, let green, let blue):
      red == green && green == blue
        ? Self.text(red) : "R \(Self.text(red)), G \(Self.text(green)), B \(Self.text(blue))"
    case .tone(let curves): "tone \(Self.text(curves))"
    case .matrix(let matrix): "matrix [\(matrix)]"
    case .colour(let function): "\(function)"
    case .hold: "hold in sRGB"
    case .radial(let gain): "radial \(gain)"
    case .falloff(let falloff): "lens falloff \(falloff)"
    case .lookup(let file): "look up in \(file.path)"
    case .grain(let grain): "grain \(grain)"
    case .dither(let dither): "dither to \(dither.levels + 1) levels"
    case .save: "save"
    case .layer(let image): "image \(image)"
    case .blend(let mode): mode.rawValue
    case .multiply: "multiply by the saved"
    case .mix(let opacity, let isMasked): "mix \(opacity.short)\(isMasked ? " × mask" : "")"
    case .compose(let mode, let opacity, let isMasked):
      "\(mode.rawValue) \(opacity.short)\(isMasked ? " × mask" : "")"
    case .cover(let cover): "mask \(cover)"
    case .combine(let combination): combination.rawValue
    case .fade(let gain, let offset): "mask × \(gain.short) + \(offset.short)"
    case .local(let tone): "local \(tone)"
    case .dehaze(let haze): "dehaze \(haze)"
    case .tiles(let curves): "tile curves \(curves)"
    case .key(let key): "key \(key)"
    }
  }

  private static func text(_ curves: [Curve]) -> String {
    curves.isEmpty ? "—" : curves.map(\.description).joined(separator: " · ")
  }
}
