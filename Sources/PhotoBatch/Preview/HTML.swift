/// A piece of a page: text is escaped wherever it stands, so that names cannot become markup.
indirect enum HTML {
  case text(String)
  case element(String, [(name: String, value: String)], [HTML])
  /// The content of a `style` or `script` element, which HTML takes as it is: only our own.
  case verbatim(StaticString)

  static func element(_ name: String, class style: String? = nil, _ content: HTML...) -> HTML {
    .element(name, style.map { [("class", $0)] } ?? [], content)
  }

  /// Elements that have no content and no end.
  private static let void: Set<String> = ["img", "input", "meta", "br", "source"]

  func write(to text: inout String) {
    switch self {
    case .text(let content): text += content.escaped
    case .verbatim(let content): text += "\(content)"
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
    if !utf8.contains(where: \.isMarkup) { return self }
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

extension UInt8 {
  /// Whether it is one of the characters that are escaped; asked of every byte of every picture.
  fileprivate var isMarkup: Bool {
    switch self {
    case 0, 0x22, 0x26, 0x27, 0x3C, 0x3E: true
    default: false
    }
  }
}
