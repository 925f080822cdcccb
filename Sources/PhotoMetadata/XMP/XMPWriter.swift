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
  /// The prefixes used so far, in the order of their first use.
  private var prefixes: [(namespace: String, prefix: String)] = []

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
    let declarations = prefixes.map { "\n    xmlns:\($0.prefix)=\"\(Self.quoted($0.namespace))\"" }
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
    if ["x", "rdf", "xml"].contains(XMPPrefix.byNamespace[name.namespace]) {
      return name.prefixed
    }
    if let known = prefixes.first(where: { $0.namespace == name.namespace }) {
      return "\(known.prefix):\(name.local)"
    }
    let known = XMPPrefix.byNamespace[name.namespace]
    // Two namespaces of one vocabulary cannot share its prefix in one packet.
    let isFree = !prefixes.contains { $0.prefix == known }
    let prefix = (isFree ? known : nil) ?? "ns\(prefixes.count + 1)"
    prefixes.append((name.namespace, prefix))
    return "\(prefix):\(name.local)"
  }

  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\r": result.append(contentsOf: "&#13;".unicodeScalars)
      case "\t", "\n": result.append(scalar)
      // Omits control characters that XML 1.0, production 2, does not allow.
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": continue
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  private static func quoted(_ text: String) -> String {
    escaped(text).replacing("\"", with: "&quot;").replacing("\n", with: "&#10;")
      .replacing("\t", with: "&#9;")
  }
}
