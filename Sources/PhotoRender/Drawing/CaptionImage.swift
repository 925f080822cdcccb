import PhotoRecipes
import Vips

/// A text as a picture.
struct CaptionImage {
  private let caption: Caption
  private let markup: String
  /// The text with its placeholders filled in, for messages.
  private let text: String
  private let fontFile: [UInt8]?

  init(
    _ caption: Caption, _ files: [String: [UInt8]], _ values: [String: String]
  ) throws(VipsError) {
    self.caption = caption
    markup = caption.content.markup(with: values, isMarkup: caption.isMarkup)
    text = caption.content.filled(with: values)
    fontFile = caption.fontFile.flatMap { files[$0.path] }
    if let file = caption.fontFile, fontFile == nil {
      throw .missingArgument(file.path, operation: Pipeline.Operation.draw.name)
    }
  }

  /// Returns the text as one piece, a picture with its position, or no piece if the text is empty.
  ///
  /// Adds a warning if letters are cut off, and another warning if the font lacks characters.
  ///
  /// A text larger than the frame is clipped at its end. If its lines would be clipped on different
  /// sides, they are first aligned at their starts, so that each line is clipped at its own end. A
  /// box or a shadow is clipped, too.
  func pieces(in frame: Size, _ warnings: WarningLog = WarningLog()) throws -> [Piece] {
    if isEmpty { return [] }
    let edge = Double(frame.shortEdge)
    let size = max(1, caption.size * edge)
    let width = Int(caption.width * Double(frame.width))
    var lettering = try lettering(size: size, width: width, caption.alignment)
    let isTooWide = lettering.image.width > frame.width
    if isTooWide && caption.alignment != .start {
      // Aligns all lines at their starts, so that each line starts at an edge of the available
      // width.
      lettering = try self.lettering(size: size, width: width, .start)
    }
    if let missing = try self.missing { warnings.add(missing.warning) }
    let (drawn, room) = try decorated(lettering.image, size: size)
    let ink = Size(lettering.image.width, lettering.ink.count)
    let across = Self.seen(
      of: room..<room + ink.width, in: drawn.width, frame.width,
      from: room - lettering.left - (frame.width - width) / 2)
    let down = Self.seen(
      of: room + lettering.ink.lowerBound..<room + lettering.ink.upperBound, in: drawn.height,
      frame.height, from: 0)
    let image = try drawn.part(across, down).materialized()
    if isTooWide || ink.height > frame.height {
      warnings.add(
        "the text \(text.quoted(atMost: 40)) is cut off, because it needs \(ink) pixels, but the frame"
          + " has \(frame)"
      )
    }
    let place = Rectangle.placed(
      Size(image.width, image.height), in: frame, caption.gravity,
      margin: Int((caption.margin * edge).rounded()))
    return [Piece(image: image, left: place.left, top: place.top)]
  }

  /// The range of a picture's pixels that is visible along one axis of the frame.
  ///
  /// If all letters fit, the range contains them and is as close as possible to the picture's
  /// centre. If not, the range begins at `start`, or at the nearest position from which letters
  /// fill the range.
  private static func seen(
    of letters: Range<Int>, in picture: Int, _ frame: Int, from start: Int
  ) -> Range<Int> {
    let length = min(picture, frame)
    let (first, last) = (letters.upperBound - length, letters.lowerBound)
    let found =
      first > last
      ? min(max(start, last), first) : min(max((picture - length) / 2, first), last)
    return found..<found + length
  }

  /// True if the text without its markup contains only spaces and invisible characters.
  private var isEmpty: Bool {
    let text = caption.isMarkup ? markup.replacing(/<[^>]*>/, with: "") : markup
    return text.unicodeScalars.allSatisfy { scalar in
      let properties = scalar.properties
      return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
    }
  }

  /// The characters that the font lacks and Pango draws as boxes; nil if there are none.
  private var missing: MissingCharacters? {
    get throws {
      let plain = caption.isMarkup ? text.replacing(/<[^>]*>/, with: "") : text
      let family = try font().family
      // Markup can name fonts other than the caption's.
      let namesFonts = caption.isMarkup && (text.contains("font") || text.contains("face"))
      let isAny = Caption.genericFonts.contains(family) || namesFonts
      return MissingCharacters(
        in: plain, font: isAny ? nil : family, isBold: caption.isBold, isItalic: caption.isItalic)
    }
  }

  /// Drawn letters: a one-band picture with the coverage of each pixel, 0…1.
  private struct Lettering {
    /// The letters, cropped to the width of their ink.
    let image: Image
    /// The left edge of the ink, in pixels from the left edge of the text lines.
    let left: Int
    /// The rows that contain ink.
    let ink: Range<Int>
  }

  /// Draws the letters in a picture that extends from the ascenders of the first line to the
  /// descenders of the last line, even if the text has no ascenders or descenders.
  ///
  /// Texts at the same position thus share a baseline.
  private func lettering(
    size: Double, width: Int, _ alignment: Caption.Alignment
  ) throws -> Lettering {
    let font = try font()
    let markup = [.left, .right].contains(alignment) ? markup.leftToRight : markup
    func ink(_ text: String) throws -> Ink {
      try self.ink(text, font, size: size, width: width, alignment)
    }
    let text = try ink(markup)
    // Draws the text again with a known line below it. The position of the known line shows the
    // height of the text's lines.
    let tall = try ink(Self.tall)
    let line = try ink("\(Self.tall)\n\(Self.tall)").bottom - tall.bottom
    let lines = try ink("\(markup)\n\(Self.tall)").bottom - tall.bottom
    let top = min(text.top, tall.top)
    let bottom = max(text.bottom, lines - line + tall.bottom)
    let image = try text.image.embedded(
      0, text.top - top, in: Size(text.image.width, bottom - top)
    ).materialized()
    return Lettering(image: image, left: text.left, ink: text.top - top..<text.bottom - top)
  }

  /// A letter with an ascender and one with a descender.
  private static let tall = "dg"

  /// The ink of a text, with its position relative to the left edge of the lines and the top of the
  /// first line.
  private struct Ink {
    let image: Image
    let left, top: Int
    var bottom: Int { top + image.height }
  }

  private func ink(
    _ markup: String, _ font: (family: String, path: String?), size: Double, width: Int,
    _ alignment: Caption.Alignment
  ) throws -> Ink {
    let isGeneric = Caption.genericFonts.contains(font.family)
    let style = [caption.isBold ? "Bold" : nil, caption.isItalic ? "Italic" : nil]
      .compactMap { $0 }.joined(separator: " ")
    let text = isGeneric ? markup : "<span fallback=\"false\">\(markup)</span>"
    var arguments: [String: Argument] = [
      "text": .text(text), "font": .text("\(font.family), \(style) \(size)"),
      "width": .integer(max(1, width)), "dpi": .integer(72),
      "align": .choice(alignment.nickname),
    ]
    if let path = font.path { arguments["fontfile"] = .text(path) }
    do throws(VipsError) {
      let image = try Image.calling("text", arguments).image("out")
      return Ink(
        image: try image.scaled(by: 1 / 255.0).materialized(),
        left: image.integer("xoffset") ?? 0, top: image.integer("yoffset") ?? 0)
    } catch {
      throw RenderError.unusableText(
        UnusableText(
          content: caption.content.text, text: self.text,
          isBadMarkup: caption.isMarkup && error.reason.contains(Self.badMarkup),
          detail: error.reason))
    }
  }

  /// The text in libvips's error when Pango's parser rejects the markup.
  private static let badMarkup = "invalid markup"

  private func font() throws -> (family: String, path: String?) {
    if let bytes = fontFile {
      let path = caption.fontFile?.path ?? ""
      guard let font = try FontLibrary.add(bytes) else {
        throw RenderError.unreadableFont(path)
      }
      return (font.family, font.path)
    }
    let family = caption.font ?? Caption.genericFonts[0]
    if !Caption.genericFonts.contains(family), !FontLibrary.has(family: family) {
      throw RenderError.missingFont(family)
    }
    return (family, nil)
  }

  /// Draws the letters in their colour over their shadow and their box.
  ///
  /// Also returns the number of pixels that the shadow or the box adds on each side.
  private func decorated(
    _ letters: Image, size: Double
  ) throws(VipsError) -> (Image, room: Int) {
    let sigma = size / 12
    let room = Int(
      (caption.background != nil ? size / 2 : caption.shadow != nil ? 4 * sigma : 0).rounded(.up))
    let outer = Size(letters.width + 2 * room, letters.height + 2 * room)
    var image = try letters.embedded(room, room, in: outer).painted(caption.colour)
    if let shadow = caption.shadow {
      let offset = Int((size / 20).rounded())
      var dark = try letters.embedded(room + offset, room + offset, in: outer)
      if sigma >= 0.3 {
        dark = try dark.applying(
          .area(.blur), ["sigma": .number(min(sigma, 250)), "format": .choice("float")])
      }
      image = try image.over(dark.painted(shadow))
    }
    if let background = caption.background {
      let box = try Image(samples: [Float(1)], width: 1, height: 1, bands: 1).applying(
        "replicate", ["across": .integer(outer.width), "down": .integer(outer.height)])
      image = try image.over(box.painted(background))
    }
    return (image, room)
  }
}

extension Caption.Alignment {
  /// The libvips nickname of the alignment; "low" is the start of a paragraph.
  fileprivate var nickname: String {
    switch self {
    case .start, .left: "low"
    case .center: "centre"
    case .right: "high"
    }
  }
}

extension Image {
  fileprivate func part(_ across: Range<Int>, _ down: Range<Int>) throws(VipsError) -> Image {
    if across.count == width && down.count == height { return self }
    return try applying(
      "extract_area",
      [
        "left": .integer(across.lowerBound), "top": .integer(down.lowerBound),
        "width": .integer(across.count), "height": .integer(down.count),
      ])
  }
}
