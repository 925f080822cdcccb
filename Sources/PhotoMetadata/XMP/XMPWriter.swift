import Notation
import PhotoRecipes

extension XMP {
  /// The packet in canonical form: equal properties give equal bytes.
  public var packet: [UInt8] {
    var writer = XMPWriter()
    return Array(writer.packet(properties).utf8)
  }
}

/// Writes properties as RDF.
private struct XMPWriter {
  /// The namespaces used so far, in the order of their first use.
  private var namespaces: [String] = []
  /// The prefixes of these namespaces.
  private var prefixes: [String: String] = [:]

  mutating func packet(_ properties: [MarkupElement]) -> String {
    var body = ""
    var attributes: [(name: String, value: String)] = []
    for property in properties {
      if Self.isAttribute(property) {
        attributes.append((name(property.name), property.text))
      } else {
        write(property, to: &body, depth: 3)
      }
    }
    let texts = attributes.map { "\n    \($0.name)=\"\(Self.quoted($0.value))\"" }
    let declarations = namespaces.map {
      "\n    xmlns:\(prefixes[$0] ?? "")=\"\(Self.quoted($0))\""
    }
    let rdf = MarkupName.rdf("").namespace
    return """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="\(rdf)">
        <rdf:Description rdf:about=""\((declarations + texts).joined())>
      \(body)  </rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>
      """
  }

  /// True for descriptions of gain maps, which many readers find only as attributes.
  private static func isAttribute(_ property: MarkupElement) -> Bool {
    property.children.isEmpty && property.attributes.isEmpty
      && property.name.namespace == XMPPrefix.byPrefix["hdrgm"]
  }

  private mutating func write(_ element: MarkupElement, to text: inout String, depth: Int) {
    let indent = String(repeating: " ", count: depth)
    let name = name(element.name)
    text += "\(indent)<\(name)"
    for attribute in element.attributes {
      text += " \(self.name(attribute.name))=\"\(Self.quoted(attribute.value))\""
    }
    if element.children.isEmpty {
      text += element.text.isEmpty ? "/>\n" : ">\(Self.escaped(element.text))</\(name)>\n"
      return
    }
    text += ">\n"
    for child in element.children { write(child, to: &text, depth: depth + 1) }
    text += "\(indent)</\(name)>\n"
  }

  private mutating func name(_ name: MarkupName) -> String {
    if name.namespace.isEmpty { return name.local }
    if let prefix = prefixes[name.namespace] { return "\(prefix):\(name.local)" }
    let known = XMPPrefix.byNamespace[name.namespace]
    if let known, ["x", "rdf", "xml"].contains(known) { return "\(known):\(name.local)" }
    // Two namespaces of one vocabulary cannot share its prefix in one packet.
    let free = known.flatMap { prefixes.values.contains($0) ? nil : $0 }
    let prefix = free ?? "ns\(namespaces.count + 1)"
    namespaces.append(name.namespace)
    prefixes[name.namespace] = prefix
    return "\(prefix):\(name.local)"
  }

  private static func quoted(_ text: String) -> String { escaped(text, isQuoted: true) }

  private static func escaped(_ text: String, isQuoted: Bool = false) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\r": result.append(contentsOf: "&#13;".unicodeScalars)
      case "\"" where isQuoted: result.append(contentsOf: "&quot;".unicodeScalars)
      case "\n" where isQuoted: result.append(contentsOf: "&#10;".unicodeScalars)
      case "\t" where isQuoted: result.append(contentsOf: "&#9;".unicodeScalars)
      case "\t", "\n": result.append(scalar)
      // Omits control characters that XML 1.0, production 2, does not allow.
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": continue
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
