extension PointProgram {
  /// One step of a program on (R, G, B).
  public enum Instruction: Sendable, Hashable {
    /// A function of each channel: what follows in the list is applied in turn.
    case channels(red: [Curve], green: [Curve], blue: [Curve])
    case matrix(ColourMatrix)
    /// On OKLab: chroma × (1 + g), `g = amount × (1 − min(1, 4 × chroma))`; growth is held in sRGB.
    case vibrance(Double)
    /// On OKLab: chroma × (1 + amount), held in sRGB; the amount is positive.
    case saturate(Double)
    /// On OKLab: brightness and chroma are held in sRGB, as far as the pixel last saved was in it, which
    /// is used up.
    case hold
    case hues(HueMap)
    case grade(Grade)
    /// `floor(n × x)` of `n` even steps, 0…1, of each channel.
    case steps(Int)
    case radial(RadialGain)
    case cube(ColourCube)
    /// Stands for the table of a file.
    case lookup(NamedFile)
    case grain(Grain)
    /// Noise before samples are rounded; only as the last instruction.
    case dither(Dither)
    /// Keeps the pixel for a later `mix`.
    case save
    /// The pixel of another of the program's images, at the same place; images count from 0.
    case layer(Int)
    /// This pixel as it looks on the one last saved, both clipped to 0…1.
    case blend(BlendMode)
    /// The pixel last saved and not yet mixed, moved towards this one by `opacity`, 0…1; if
    /// `isMasked` by opacity × the coverage computed last, which is then used up.
    case mix(opacity: Double, isMasked: Bool)
    /// The pixel last saved and not yet mixed, and this one, laid on it by their alphas; this one's
    /// is × opacity, and × the coverage as for `mix`.
    case compose(BlendMode, opacity: Double, isMasked: Bool)
    /// Computes a coverage, 0…1.
    case cover(Cover)
    /// Makes the two coverages computed last one.
    case combine(Cover.Combination)
    /// The coverage computed last × gain + offset, clipped to 0…1.
    case fade(gain: Double, offset: Double)
    case local(LocalTone)
    case dehaze(HazeRemoval)
    case tiles(TileCurves)
    /// On OKLab: alpha by the distance from a colour.
    case key(ColourKey)
  }
}

extension PointProgram.Instruction {
  /// One curve for all three channels.
  public static func curve(_ curve: Curve) -> Self {
    .channels(red: [curve], green: [curve], blue: [curve])
  }

  /// Puts the pixel last saved back.
  static let restore = Self.mix(opacity: 0, isMasked: false)

  /// The same instruction with the places that it depends on moved.
  func moved(_ change: (Placement) -> Placement) -> Self {
    switch self {
    case .radial(var gain):
      gain.placement = change(gain.placement)
      return .radial(gain)
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
    case .channels, .matrix, .vibrance, .saturate, .hold, .hues, .grade, .steps, .cube, .lookup,
      .dither, .save, .layer, .blend, .mix, .compose, .combine, .fade, .key:
      return self
    }
  }

  /// The same instruction with its images numbered anew.
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
    case .channels, .matrix, .vibrance, .saturate, .hold, .hues, .grade, .steps, .radial, .cube,
      .lookup, .grain, .dither, .save, .blend, .mix, .compose, .combine, .fade, .key:
      return self
    }
  }

  /// True if the result depends on a pixel's position in the frame.
  var dependsOnPosition: Bool {
    switch self {
    case .radial, .local, .dehaze, .tiles, .grain, .dither: true
    case .cover(let cover): cover.dependsOnPosition
    case .channels, .matrix, .vibrance, .saturate, .hold, .hues, .grade, .steps, .cube, .lookup,
      .save, .layer, .blend, .mix, .compose, .combine, .fade, .key:
      false
    }
  }

  /// True if the result differs from pixel to pixel, so that it is meaningless on a reduced image.
  var dependsOnPixels: Bool {
    switch self {
    case .grain, .dither: true
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
    case .matrix(let matrix): "matrix [\(matrix)]"
    case .vibrance(let amount): "vibrance \(amount.short)"
    case .saturate(let amount): "saturate \(amount.short)"
    case .hold: "hold in sRGB"
    case .hues(let map): "hues \(map)"
    case .grade(let grade): "grade \(grade)"
    case .steps(let count): "\(count) steps"
    case .radial(let gain): "radial \(gain)"
    case .cube(let cube): "\(cube)"
    case .lookup(let file): "look up in \(file.path)"
    case .grain(let grain): "grain \(grain)"
    case .dither(let dither): "dither to \(dither.levels + 1) levels"
    case .save: "save"
    case .layer(let image): "image \(image)"
    case .blend(let mode): mode.rawValue
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
