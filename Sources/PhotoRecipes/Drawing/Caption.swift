/// Text on a photo.
///
/// Lengths are parts of the frame's shorter edge.
public struct Caption: Sendable, Hashable {
  public enum Alignment: String, Choice {
    case left, center, right
  }

  public var content: TextTemplate
  /// True if the content is Pango markup; the values of placeholders never are.
  public var isMarkup = false
  /// A family; with a font file, the file's.
  public var font: String?
  public var fontFile: NamedFile?
  public var isBold = false
  public var isItalic = false
  /// The font's size.
  public var size: Double
  public var colour: Colour
  public var gravity: Gravity
  public var margin: Double
  /// Where lines break, as a part of the frame's width.
  public var width: Double
  public var alignment: Alignment
  /// A box behind the text, wider than it by half its size on every side, as far as the frame goes.
  public var background: Colour?
  /// A blurred copy behind the text.
  public var shadow: Colour?

  /// Font families that every font system resolves.
  public static let genericFonts = ["sans-serif", "serif", "monospace"]
}

extension Caption: CustomStringConvertible {
  public var description: String {
    let font = fontFile?.path ?? font ?? Self.genericFonts[0]
    return "\"\(content)\" \(font) \(size.short) \(gravity.rawValue) margin \(margin.short)"
  }
}
