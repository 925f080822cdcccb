import CFontconfig
import Synchronization

extension FontLibrary {
  /// The key of the characters found so far: a family with a style, or all installed fonts if the
  /// family is nil.
  private struct Style: Hashable {
    let family: String?
    let isBold: Bool
    let isItalic: Bool
  }

  /// The characters that each style is known to contain; a search of all fonts for each photo would
  /// take too long.
  private static let found = Mutex<[Style: Set<Unicode.Scalar>]>([:])

  /// The characters that the font of a family and style does not contain; without a family, the
  /// characters that no installed font contains.
  public static func lacking(
    _ scalars: Set<Unicode.Scalar>, family: String?, isBold: Bool, isItalic: Bool
  ) -> Set<Unicode.Scalar> {
    let style = Style(
      family: family, isBold: family != nil && isBold, isItalic: family != nil && isItalic)
    let sought = scalars.subtracting(found.withLock { $0[style] ?? [] })
    if sought.isEmpty { return [] }
    let lacking = serialized {
      if let family {
        return without(sought, familysFont: family, isBold: isBold, isItalic: isItalic)
      }
      return withoutAnyFont(sought)
    }
    found.withLock { $0[style, default: []].formUnion(sought.subtracting(lacking)) }
    return lacking
  }

  /// Returns the characters that are missing from the font that Pango uses if font fallback is off.
  private static func without(
    _ scalars: Set<Unicode.Scalar>, familysFont family: String, isBold: Bool, isItalic: Bool
  ) -> Set<Unicode.Scalar> {
    guard let pattern = FcPatternCreate() else { return [] }
    defer { FcPatternDestroy(pattern) }
    FcPatternAddString(pattern, FC_FAMILY, family)
    FcPatternAddInteger(pattern, FC_WEIGHT, isBold ? FC_WEIGHT_BOLD : FC_WEIGHT_REGULAR)
    FcPatternAddInteger(pattern, FC_SLANT, isItalic ? FC_SLANT_ITALIC : FC_SLANT_ROMAN)
    FcConfigSubstitute(nil, pattern, FcMatchPattern)
    FcDefaultSubstitute(pattern)
    var result = FcResultMatch
    guard let font = FcFontMatch(nil, pattern, &result) else { return [] }
    defer { FcPatternDestroy(font) }
    return without(scalars, font)
  }

  private static func withoutAnyFont(_ scalars: Set<Unicode.Scalar>) -> Set<Unicode.Scalar> {
    guard let pattern = FcPatternCreate(), let set = FcObjectSetCreate() else { return [] }
    defer {
      FcPatternDestroy(pattern)
      FcObjectSetDestroy(set)
    }
    FcObjectSetAdd(set, FC_CHARSET)
    FcObjectSetAdd(set, FC_FONTFORMAT)
    guard let found = FcFontList(nil, pattern, set) else { return [] }
    defer { FcFontSetDestroy(found) }
    var rest = scalars
    for index in 0..<Int(found.pointee.nfont) where !rest.isEmpty {
      guard let font = found.pointee.fonts[index], isUsable(font) else { continue }
      rest = without(rest, font)
    }
    return rest
  }

  /// True for the formats of fonts that Pango draws.
  private static func isUsable(_ font: OpaquePointer) -> Bool {
    var format: UnsafeMutablePointer<FcChar8>?
    guard FcPatternGetString(font, FC_FONTFORMAT, 0, &format) == FcResultMatch, let format else {
      return false
    }
    return ["TrueType", "CFF"].contains(String(cString: format))
  }

  private static func without(
    _ scalars: Set<Unicode.Scalar>, _ font: OpaquePointer
  ) -> Set<Unicode.Scalar> {
    var covered: OpaquePointer?
    guard FcPatternGetCharSet(font, FC_CHARSET, 0, &covered) == FcResultMatch, let covered else {
      return scalars
    }
    return scalars.filter { FcCharSetHasChar(covered, $0.value) == FcFalse }
  }
}
