/// Text on a photo.
///
/// Lengths are fractions of the frame's shorter edge.
public struct Caption: Sendable, Hashable {
  /// The edge at which lines are aligned.
  public enum Alignment: String, Choice {
    /// Left or right, where the letters of a paragraph begin.
    case start
    case left, center, right
  }

  public var content: TextTemplate
  /// True if the content is Pango markup; the values of placeholders are always plain text.
  public var isMarkup = false
  /// The font family; with `fontFile`, a family in that file.
  public var font: String?
  public var fontFile: NamedFile?
  public var isBold = false
  public var isItalic = false
  /// The font size, as a fraction of the frame's shorter edge.
  public var size: Double
  public var colour: Colour
  public var gravity: Gravity
  public var margin: Double
  /// The width at which lines break, as a fraction of the frame's width.
  public var width: Double
  public var alignment: Alignment
  /// The colour of a box behind the text; nil for no box.
  ///
  /// The box extends beyond the text by half the font size on every side, but not beyond the frame.
  public var background: Colour?
  /// The colour of the blurred copy that is drawn behind the text; nil for no copy.
  public var shadow: Colour?
  /// The mode in which the text is blended with the photo below it.
  public var mode = BlendMode.normal

  /// Font families that every font system resolves.
  public static let genericFonts = ["sans-serif", "serif", "monospace"]
}

extension Caption: CustomStringConvertible {
  public var description: String {
    let font = fontFile?.path ?? font ?? Self.genericFonts[0]
    return "\"\(content)\" \(font) \(size.short) \(gravity.rawValue) margin \(margin.short)"
      + (mode == .normal ? "" : " \(mode.rawValue)")
  }
}
