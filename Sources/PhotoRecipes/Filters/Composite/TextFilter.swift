public import Notation

/// Writes text on the photo.
///
/// Placeholders such as `{stem}` and `{date:yyyy}` in the content are replaced by facts about the
/// photo; see `TextTemplate`. A font that is not installed is an error. A character that the named
/// font lacks is shown as a box, not in another font; a character that no font has is also shown as
/// a box. In both cases the report has a warning. Text larger than the photo is clipped at its end,
/// with a warning. The background box and the shadow are narrower where there is too little room.
/// The step's `blend` blends the text, with its box and its shadow, with the photo below it.
public struct TextFilter: MarkFilter {
  public static let name = "text"
  public static let summary =
    "Writes text on the photo; {stem}, {date} and others insert facts about it."
  public static let category = FilterCategory.composite
  public static let space = WorkingSpace.encoded
  public static let revision = 7
  public static let settings: [Setting<Self>] = [
    Setting("content", \.content, .text, "The text; required."),
    Setting(
      "markup", \.isMarkup, .flag,
      "Whether the text is Pango markup, such as <b>bold</b>; markup cannot change the colour."),
    Setting("font", \.font, .text, "A font family, such as DejaVu Sans; sans-serif if left out."),
    Setting("fontFile", \.fontFile, .file, "A font file, in place of 'font'."),
    Setting("bold", \.isBold, .flag, "Whether the letters are bold."),
    Setting("italic", \.isItalic, .flag, "Whether the letters are italic."),
    Setting(
      "size", \.size, .number(.fraction, 0.005...1),
      "The font size, as a fraction of the photo's shorter edge."
    ).usually(0.01...0.15),
    Setting("colour", \.colour, .colour, "The letters' colour."),
    Setting("gravity", \.gravity, Gravity.kind, "The position of the text."),
    Setting(
      "margin", \.margin, .number(.fraction, 0...0.5),
      "The distance from the photo's edges, as a fraction of its shorter edge."),
    Setting(
      "width", \.width, .number(.fraction, 0.05...1),
      "The maximum length of a line, as a fraction of the photo's width."),
    Setting(
      "align", \.align, Caption.Alignment.kind,
      "The alignment of the lines; start is right for Arabic and Hebrew, otherwise left."),
    Setting(
      "background", \.background, .colour,
      "The colour of a box behind the text; it extends beyond the text by half the font size."),
    Setting("shadow", \.shadow, .colour, "The colour of a soft shadow behind the text."),
  ]

  public var content = TextTemplate.empty
  public var isMarkup = false
  public var font: String?
  public var fontFile: NamedFile?
  public var isBold = false
  public var isItalic = false
  public var size = 0.04
  public var colour = Colour.white
  public var gravity = Gravity.southeast
  public var margin = 0.03
  public var width = 0.9
  public var align = Caption.Alignment.start
  public var background: Colour?
  public var shadow: Colour?

  public init() {}

  public static var example: Self {
    with { $0.content = (try? TextTemplate("phbatch · {date:yyyy}")) ?? .empty }
  }

  /// The maximum number of characters; longer text takes seconds to lay out.
  private static let longest = 5000

  public var contradiction: Problem? {
    let length = content.text.unicodeScalars.count
    if length > Self.longest {
      return .wrongCount(length, of: "character", expected: "at most \(Self.longest)")
    }
    if content.text.isEmpty { return .missingKey("content", in: "'text'") }
    if font != nil && fontFile != nil {
      return .contradiction("'text' has both 'font' and 'fontFile'", remedy: "keep one of them")
    }
    if let font, font.isEmpty || font.contains(where: { ",;:-<>&\"\n".contains($0) }) {
      return .contradiction("\"\(font)\" is not the name of a font", remedy: "give one font family")
    }
    return nil
  }

  public func drawing(blended mode: BlendMode) -> Drawing {
    let caption = Caption(
      content: content, isMarkup: isMarkup, font: font, fontFile: fontFile, isBold: isBold,
      isItalic: isItalic, size: size, colour: colour, gravity: gravity, margin: margin,
      width: width, alignment: align, background: background, shadow: shadow, mode: mode)
    return .text(caption)
  }
}
