public import Notation

/// The mode in which a step's result is blended over its input.
///
/// The modes work on display-encoded values; all modes from `multiply` to `luminosity` clip both
/// inputs to 0…1. `hue` to `luminosity` use one property of the result and the other properties of
/// the input. The modes from `clear` on use the alphas to determine how much of result and input
/// remains; the result's alpha is multiplied by opacity × mask.
/// - Source: W3C, Compositing and Blending Level 1, sections 9 and 10; `add` is `plus-lighter`,
///   `source` is `copy`. `saturate`: OpenGL 1.0, `SRC_ALPHA_SATURATE`.
public enum BlendMode: String, Choice {
  case normal, multiply, screen, overlay, darken, lighten
  case colourDodge = "colour-dodge"
  case colourBurn = "colour-burn"
  case hardLight = "hard-light"
  case softLight = "soft-light"
  case difference, exclusion, add, subtract
  case hue, saturation, colour, luminosity
  case clear, source, over
  case inside = "in"
  case out, atop, dest
  case destOver = "dest-over"
  case destIn = "dest-in"
  case destOut = "dest-out"
  case destAtop = "dest-atop"
  case xor, saturate
}

extension BlendMode {
  /// The W3C recommendation's spellings of three modes.
  private static let otherSpellings: KeyValuePairs<String, BlendMode> = [
    "color-dodge": .colourDodge, "color-burn": .colourBurn, "color": .colour,
  ]

  static var kind: SettingKind { .choice(allCases.map(\.rawValue) + otherSpellings.map(\.key)) }

  /// Reads the name of a mode, in phbatch's or the W3C's spelling; `json` is in phbatch's spelling.
  public static func read(_ json: JSON, as kind: SettingKind) -> Result<BlendMode, Problem> {
    guard let name = json.string else { return wrongType(json, kind) }
    if let mode = BlendMode(rawValue: name)
      ?? otherSpellings.first(where: { $0.key == name })?.value
    {
      return .success(mode)
    }
    return .failure(.unknownChoice(name, choices: allCases.map(\.rawValue)))
  }
}

extension BlendMode {
  /// True if the alphas determine which parts of result and input remain.
  public var isComposition: Bool {
    switch self {
    case .clear, .source, .over, .inside, .out, .atop, .dest, .destOver, .destIn, .destOut,
      .destAtop, .xor, .saturate:
      true
    case .normal, .multiply, .screen, .overlay, .darken, .lighten, .colourDodge, .colourBurn,
      .hardLight, .softLight, .difference, .exclusion, .add, .subtract, .hue, .saturation, .colour,
      .luminosity:
      false
    }
  }

  /// True if the photo remains in areas that the result does not cover.
  var keepsUncovered: Bool {
    switch self {
    case .clear, .source, .inside, .out, .destIn, .destAtop: false
    default: true
    }
  }

  /// True if an opaque photo and an opaque result can give transparent pixels; `isPartial` is true
  /// if the result covers only a part of the photo.
  func makesAlpha(isPartial: Bool) -> Bool {
    switch self {
    case .clear, .out, .destOut, .xor: true
    case .source, .inside, .destIn, .destAtop: isPartial
    default: false
    }
  }
}
