extension BlendMode {
  typealias Vector = ColourMatrix.Vector

  /// The result of blending a colour over a backdrop.
  ///
  /// Colour and backdrop are first clipped to 0…1. The mode `normal` and the compositions return
  /// the colour unchanged.
  ///
  /// - Source: W3C, Compositing and Blending Level 1, sections 9 and 10.
  func callAsFunction(_ source: Vector, on backdrop: Vector) -> Vector {
    if self == .normal || isComposition { return source }
    let s = source.clamped(lowerBound: .zero, upperBound: .one)
    let b = backdrop.clamped(lowerBound: .zero, upperBound: .one)
    switch self {
    case .hue: return Self.with(luminosity(b), Self.with(saturation: b.max() - b.min(), s))
    case .saturation: return Self.with(luminosity(b), Self.with(saturation: s.max() - s.min(), b))
    case .colour: return Self.with(luminosity(b), s)
    case .luminosity: return Self.with(luminosity(s), b)
    default: return Vector(channel(s.x, b.x), channel(s.y, b.y), channel(s.z, b.z))
    }
  }

  private func channel(_ s: Double, _ b: Double) -> Double {
    switch self {
    case .multiply: b * s
    case .screen: b + s - b * s
    case .overlay: BlendMode.hardLight.channel(b, s)
    case .darken: min(b, s)
    case .lighten: max(b, s)
    case .colourDodge: b <= 0 ? 0 : s >= 1 ? 1 : min(1, b / (1 - s))
    case .colourBurn: b >= 1 ? 1 : s <= 0 ? 0 : 1 - min(1, (1 - b) / s)
    case .hardLight: s <= 0.5 ? 2 * b * s : b + (2 * s - 1) - b * (2 * s - 1)
    case .softLight: softLight(s, b)
    case .difference: abs(b - s)
    case .exclusion: b + s - 2 * b * s
    case .add: min(1, b + s)
    case .subtract: max(0, b - s)
    case .normal, .hue, .saturation, .colour, .luminosity, .clear, .source, .over, .inside, .out,
      .atop, .dest, .destOver, .destIn, .destOut, .destAtop, .xor, .saturate:
      s
    }
  }

  private func softLight(_ s: Double, _ b: Double) -> Double {
    if s <= 0.5 { return b - (1 - 2 * s) * b * (1 - b) }
    let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
    return b + (2 * s - 1) * (d - b)
  }

  private func luminosity(_ c: Vector) -> Double { (Vector(0.3, 0.59, 0.11) * c).sum() }

  /// The colour shifted to another luminosity; if channels are then outside 0…1, their distances
  /// from the luminosity are reduced.
  private static func with(_ luminosity: Double, _ c: Vector) -> Vector {
    let shifted = c + (luminosity - (Vector(0.3, 0.59, 0.11) * c).sum())
    let (low, high) = (shifted.min(), shifted.max())
    let up = low < 0 ? luminosity / (luminosity - low) : 1
    let down = high > 1 ? (1 - luminosity) / (high - luminosity) : 1
    return luminosity + min(up, down) * (shifted - luminosity)
  }

  /// The colour with its channels shifted and scaled so that the least is 0 and the greatest is
  /// `saturation`; black for a grey.
  private static func with(saturation: Double, _ c: Vector) -> Vector {
    let range = c.max() - c.min()
    return range > 0 ? (c - c.min()) * (saturation / range) : .zero
  }
}
