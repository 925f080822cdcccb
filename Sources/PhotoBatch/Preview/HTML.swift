import PhotoLibrary

/// A piece of a page: text is escaped wherever it stands, so that names cannot become markup.
indirect enum HTML {
  case text(String)
  case element(String, [(name: String, value: String)], [HTML])
  /// A JPEG file, in the page itself.
  case picture(class: String, alternative: String, [UInt8])
  /// The content of a `style` or `script` element, which HTML takes as it is: only our own.
  case verbatim(StaticString)

  static func element(_ name: String, class style: String? = nil, _ content: HTML...) -> HTML {
    .element(name, style.map { [("class", $0)] } ?? [], content)
  }

  /// Elements that have no content and no end.
  private static let void: Set<String> = ["input", "meta", "br", "source", "img"]

  func write(to text: inout String) {
    switch self {
    case .text(let content): text += content.escaped
    case .verbatim(let content): text += "\(content)"
    case .picture(let style, let alternative, let bytes):
      text += "<img class=\"\(style.escaped)\" alt=\"\(alternative.escaped)\""
      text += " src=\"data:image/jpeg;base64,\(Base64.encode(bytes))\">"
    case .element(let name, let attributes, let content):
      text += "<\(name)"
      for (name, value) in attributes { text += " \(name)=\"\(value.escaped)\"" }
      text += ">"
      if Self.void.contains(name) { return }
      for piece in content { piece.write(to: &text) }
      text += "</\(name)>"
    }
  }
}

extension String {
  /// The text for HTML, between tags as well as in a quoted attribute.
  fileprivate var escaped: String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\0": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
