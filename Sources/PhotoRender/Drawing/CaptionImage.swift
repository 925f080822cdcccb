import PhotoRecipes
import Vips

/// A text as a picture.
struct CaptionImage {
  private let caption: Caption
  private let markup: String
  private let fontFile: [UInt8]?

  init(
    _ caption: Caption, _ files: [String: [UInt8]], _ values: [String: String]
  ) throws(VipsError) {
    self.caption = caption
    markup = caption.content.markup(with: values, isMarkup: caption.isMarkup)
    fontFile = caption.fontFile.flatMap { files[$0.path] }
    if let file = caption.fontFile, fontFile == nil {
      throw .missingArgument(file.path, operation: Pipeline.Special.draw)
    }
  }

  /// One piece at most: none for a text that came out empty.
  func pieces(in frame: Size) throws -> [Piece] {
    if markup.allSatisfy(\.isWhitespace) { return [] }
    let edge = Double(frame.shortEdge)
    let size = max(1, caption.size * edge)
    let letters = try letters(size: size, width: Int(caption.width * Double(frame.width)))
    let image = try decorated(letters, size: size).cut(to: frame).materialized()
    let place = Rectangle.placed(
      Size(image.width, image.height), in: frame, caption.gravity,
      margin: Int((caption.margin * edge).rounded()))
    return [Piece(image: image, left: place.left, top: place.top)]
  }

  /// How much of each pixel the letters cover, 0…1: one band, no larger than its ink.
  private func letters(size: Double, width: Int) throws -> Image {
    let font = try font()
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
      return try Image.calling("text", arguments).image("out").scaled(by: 1 / 255.0)
        .materialized()
    } catch {
      throw RenderError.unusableText(caption.content.text, "\(error)")
    }
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
  /// The middle of the image, where it is larger than a frame.
  fileprivate func cut(to frame: Size) throws(VipsError) -> Image {
    let size = Size(min(width, frame.width), min(height, frame.height))
    if size == Size(width, height) { return self }
    return try applying(
      "extract_area",
      [
        "left": .integer((width - size.width) / 2), "top": .integer((height - size.height) / 2),
        "width": .integer(size.width), "height": .integer(size.height),
      ])
  }
}
