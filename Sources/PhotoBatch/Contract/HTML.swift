import Notation

/// A piece of an HTML page.
///
/// All text is escaped, so that names cannot become markup.
package indirect enum HTML {
  case text(String)
  case element(String, [(name: String, value: String)], [HTML])
  /// A picture element with an embedded JPEG file.
  case picture(class: String, alternative: String, [UInt8])
  /// The unescaped content of a `style` or `script` element; only constants of this program.
  case verbatim(StaticString)

  package static func element(
    _ name: String, class style: String? = nil, _ content: HTML...
  ) -> HTML {
    .element(name, style.map { [("class", $0)] } ?? [], content)
  }

  /// Elements that have no content and no end tag.
  private static let void: Set<String> = ["input", "meta", "br", "source", "img"]

  /// The bytes of a file with this piece as an HTML document, in UTF-8; the file ends with a line
  /// end.
  package var document: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(size)
    text += "<!DOCTYPE html>\n".utf8
    write(to: &text)
    text.append(UInt8(ascii: "\n"))
    return text
  }

  /// Appends the HTML text of this piece, in UTF-8.
  package func write(to text: inout [UInt8]) {
    switch self {
    case .text(let content): text += content.escaped.utf8
    case .verbatim(let content): text += "\(content)".utf8
    case .picture(let style, let alternative, let bytes):
      text += "<img class=\"\(style.escaped)\" alt=\"\(alternative.escaped)\"".utf8
      text += " src=\"data:image/jpeg;base64,".utf8
      // The bytes are encoded in small pieces to save memory, because a page may contain a hundred
      // megabytes of pictures.
      for start in stride(from: 0, to: bytes.count, by: Self.piece) {
        text += Base64.encode(bytes[start..<min(start + Self.piece, bytes.count)]).utf8
      }
      text += "\">".utf8
    case .element(let name, let attributes, let content):
      text += "<\(name)".utf8
      for (name, value) in attributes { text += " \(name)=\"\(value.escaped)\"".utf8 }
      text.append(UInt8(ascii: ">"))
      if Self.void.contains(name) { return }
      for piece in content { piece.write(to: &text) }
      text += "</\(name)>".utf8
    }
  }

  /// The number of a picture's bytes that are encoded at once; a multiple of 3, so that Base64 adds
  /// no padding.
  private static let piece = 48 << 10

  /// The approximate size of the HTML text, in bytes.
  private var size: Int {
    switch self {
    case .text(let content): content.utf8.count
    case .verbatim(let content): content.utf8CodeUnitCount
    case .picture(_, _, let bytes): bytes.count / 3 * 4 + 200
    case .element(_, _, let content): content.reduce(100) { $0 + $1.size }
    }
  }
}

extension String {
  /// The text with HTML escapes, valid between tags and in quoted attributes.
  fileprivate var escaped: String { spelling(Self.htmlEscapes) }

  /// The character references for characters that have a meaning in HTML and XML.
  package static let markupEscapes: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;",
  ]

  private static let htmlEscapes = markupEscapes.merging(["'": "&#39;", "\0": "\u{FFFD}"]) { $1 }

  /// The text in which each Unicode scalar that is a key of `spellings` is replaced by its value.
  ///
  /// Single scalars are replaced, because a `Character` may have several: CR LF is one `Character`,
  /// as is a letter with its accents.
  package func spelling(_ spellings: [Unicode.Scalar: String]) -> String {
    var text = ""
    for scalar in unicodeScalars {
      if let spelling = spellings[scalar] {
        text += spelling
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
