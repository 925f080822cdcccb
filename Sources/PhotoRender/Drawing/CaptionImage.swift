import PhotoRecipes
import Vips

/// A text as a picture.
struct CaptionImage {
  private let caption: Caption
  private let markup: String
  /// As it is read, for messages.
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
      throw .missingArgument(file.path, operation: Pipeline.Special.draw)
    }
  }

  /// One piece at most: none for a text that came out empty.
  ///
  /// Of a text that is larger than the frame the start is seen, at the edges where it is too long.
  func pieces(in frame: Size) throws -> [Piece] {
    if isEmpty { return [] }
    let edge = Double(frame.shortEdge)
    let size = max(1, caption.size * edge)
    let letters = try letters(size: size, width: Int(caption.width * Double(frame.width)))
    let drawn = try decorated(letters, size: size)
    let image = try drawn.start(in: frame).materialized()
    let place = Rectangle.placed(
      Size(image.width, image.height), in: frame, caption.gravity,
      margin: Int((caption.margin * edge).rounded()))
    var piece = Piece(image: image, left: place.left, top: place.top)
    if image.width < drawn.width || image.height < drawn.height {
      let all = Size(drawn.width, drawn.height)
      piece.remark =
        "the text \"\(text.prefix(40))\" is cut off: it takes \(all) pixels of \(frame)"
    }
    return [piece]
  }

  /// Whether nothing but spaces and what is never seen stands in the text, and in its markup.
  private var isEmpty: Bool {
    let text = caption.isMarkup ? markup.replacing(/<[^>]*>/, with: "") : markup
    return text.unicodeScalars.allSatisfy { scalar in
      let properties = scalar.properties
      return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
    }
  }

  /// How much of each pixel the letters cover, 0…1: one band, as wide as its ink.
  ///
  /// From the ascenders of the first line to the descenders of the last, whether the text has any or
  /// not, so that texts in the same place stand on the same line.
  private func letters(size: Double, width: Int) throws -> Image {
    let font = try font()
    func ink(_ text: String) throws -> Ink { try self.ink(text, font, size: size, width: width) }
    let text = try ink(markup)
    // What ends at the top of a line below tells how high the lines above it are.
    let tall = try ink(Self.tall)
    let line = try ink("\(Self.tall)\n\(Self.tall)").bottom - tall.bottom
    let lines = try ink("\(markup)\n\(Self.tall)").bottom - tall.bottom
    let top = min(text.top, tall.top)
    let bottom = max(text.bottom, lines - line + tall.bottom)
    return try text.image.embedded(
      0, text.top - top, in: Size(text.image.width, bottom - top)
    ).materialized()
  }

  /// An ascender and a descender.
  private static let tall = "dg"

  /// What of a text is drawn, and where from the top of its first line.
  private struct Ink {
    let image: Image
    let top: Int
    var bottom: Int { top + image.height }
  }

  private func ink(
    _ markup: String, _ font: (family: String, path: String?), size: Double, width: Int
  ) throws -> Ink {
    let isGeneric = Caption.genericFonts.contains(font.family)
    let style = [caption.isBold ? "Bold" : nil, caption.isItalic ? "Italic" : nil]
      .compactMap { $0 }.joined(separator: " ")
    let text = isGeneric ? markup : "<span fallback=\"false\">\(markup)</span>"
    var arguments: [String: Argument] = [
      "text": .text(text), "font": .text("\(font.family), \(style) \(size)"),
      "width": .integer(max(1, width)), "dpi": .integer(72),
      "align": .choice(caption.alignment.nickname),
    ]
    if let path = font.path { arguments["fontfile"] = .text(path) }
    do throws(VipsError) {
      let image = try Image.calling("text", arguments).image("out")
      return Ink(
        image: try image.scaled(by: 1 / 255.0).materialized(), top: image.integer("yoffset") ?? 0)
    } catch {
      throw RenderError.unusableText(
        UnusableText(
          content: caption.content.text, text: self.text,
          isBadMarkup: caption.isMarkup && !Self.isReadable(markup), detail: "\(error)"))
    }
  }

  /// Whether markup can be set at all, be it in small letters.
  private static func isReadable(_ markup: String) -> Bool {
    let arguments: [String: Argument] = [
      "text": .text(markup), "font": .text("\(Caption.genericFonts[0]) 1"), "dpi": .integer(72),
    ]
    // Which error it is does not matter.
    return (try? Image.calling("text", arguments).image("out")) != nil
  }

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

  /// The letters in their colour, on their shadow, on their box.
  private func decorated(_ letters: Image, size: Double) throws(VipsError) -> Image {
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
          "phbatch_blur", ["sigma": .number(min(sigma, 250)), "format": .choice("float")])
      }
      image = try image.over(dark.painted(shadow))
    }
    if let background = caption.background {
      let box = try Image(samples: [Float(1)], width: 1, height: 1, bands: 1).applying(
        "replicate", ["across": .integer(outer.width), "down": .integer(outer.height)])
      image = try image.over(box.painted(background))
    }
    return image
  }
}

extension Caption.Alignment {
  /// What libvips calls it.
  fileprivate var nickname: String {
    switch self {
    case .left: "low"
    case .center: "centre"
    case .right: "high"
    }
  }
}

extension Image {
  /// What of the image a frame holds, from the upper left corner.
  fileprivate func start(in frame: Size) throws(VipsError) -> Image {
    let size = Size(min(width, frame.width), min(height, frame.height))
    if size == Size(width, height) { return self }
    return try applying(
      "extract_area",
      [
        "left": .integer(0), "top": .integer(0), "width": .integer(size.width),
        "height": .integer(size.height),
      ])
  }
}
