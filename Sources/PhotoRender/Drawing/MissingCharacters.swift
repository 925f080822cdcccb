import Notation
import Vips

/// The characters of a text that its font does not contain; Pango draws boxes for them.
struct MissingCharacters: Hashable {
  /// The characters in the order of the text, each once.
  let scalars: [Unicode.Scalar]
  /// The only font that may draw the text; nil if any installed font may.
  let font: String?

  init(_ scalars: [Unicode.Scalar], of font: String?) {
    self.scalars = scalars
    self.font = font
  }

  /// The missing characters of a text; nil if there are none.
  init?(in text: String, font: String?, isBold: Bool, isItalic: Bool) {
    let forms = Set(text).map { FontLibrary.equivalents(of: String($0)) }
    let visible = Set(forms.joined().flatMap { $0.unicodeScalars }.filter(Self.isVisible))
    let lacking = FontLibrary.lacking(visible, family: font, isBold: isBold, isItalic: isItalic)
    guard !lacking.isEmpty else { return nil }
    let undrawn = forms.filter { forms in
      !forms.contains { form in form.unicodeScalars.allSatisfy { !lacking.contains($0) } }
    }
    let found = Set(undrawn.flatMap { $0[0].unicodeScalars }.filter(lacking.contains)).sorted()
    guard !found.isEmpty else { return nil }
    self.init(found, of: font)
  }

  /// False for characters that are invisible, so that a font need not contain them.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
      && properties.generalCategory != .control
  }

  private static let mostShown = 8

  var warning: String {
    let shown = scalars.prefix(Self.mostShown).map { scalar in
      "U+\(scalar.value.digits(4, radix: 16, uppercase: true)) \(scalar)"
    }
    let rest = scalars.count - shown.count
    let list = shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    guard let font else {
      let remedy = package.map { "install \($0)" } ?? "use 'fontFile' with a font that has them"
      return "the text shows boxes for characters that no installed font has: \(list); \(remedy)"
    }
    return "the text shows boxes for characters that the font '\(font)' lacks: \(list);"
      + " use another font, or none for all that are installed"
  }

  /// The Debian packages with fonts that contain the missing characters; nil if all these
  /// characters are private-use or unassigned.
  private var package: String? {
    let names = Set(scalars.compactMap(Self.package)).sorted()
    return names.isEmpty ? nil : names.joined(separator: " and ")
  }

  private static func package(of scalar: Unicode.Scalar) -> String? {
    if [.privateUse, .unassigned].contains(scalar.properties.generalCategory) { return nil }
    switch scalar.value {
    // Hangul, Bopomofo, Kana, Han, and the forms of full width.
    case 0x1100...0x11FF, 0x2E80...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF,
      0xFE30...0xFE4F, 0xFF00...0xFFEF, 0x1B000...0x1B16F, 0x1F200...0x1F2FF, 0x20000...0x3FFFF:
      return "fonts-noto-cjk"
    default:
      return scalar.properties.isEmojiPresentation ? "fonts-symbola" : "fonts-noto-core"
    }
  }
}
