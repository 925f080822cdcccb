import Notation
import Testing

@testable import PhotoMetadata

/// XMP packets are read and written, also large ones such as the histories of Photoshop.
@Suite struct XMPTests {
  private static func packet(_ declarations: [String], _ properties: [String]) -> String {
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about=""\(declarations.map { "\n    xmlns:\($0)" }.joined())>
    \(properties.map { "   \($0)\n" }.joined())  </rdf:Description>
     </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="w"?>
    """
  }

  private static func rewritten(_ packet: String) throws -> String {
    String(decoding: try XMP(Array(packet.utf8)).packet, as: UTF8.self)
  }

  @Test func aLongHistoryIsReadAndWritten() throws {
    let entries = (0..<20_000).map {
      "  <rdf:li stEvt:action=\"saved\" stEvt:instanceID=\"xmp.iid:\($0)\"/>"
    }
    let packet = Self.packet(
      [
        "xmpMM=\"http://ns.adobe.com/xap/1.0/mm/\"",
        "stEvt=\"http://ns.adobe.com/xap/1.0/sType/ResourceEvent#\"",
      ],
      ["<xmpMM:History>", " <rdf:Seq>"] + entries + [" </rdf:Seq>", "</xmpMM:History>"])
    // The comparison is separate, because a failure must not print the packets.
    let isSame = try Self.rewritten(packet) == packet
    #expect(isSame)
  }

  @Test func propertiesOfManyDescriptionsAreJoined() throws {
    let descriptions = (0..<20_000).map {
      "<rdf:Description n:p\($0)=\"\($0)\"><n:p\($0)>no</n:p\($0)></rdf:Description>"
    }
    let text =
      "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" "
      + "xmlns:n=\"http://example.org/\">\(descriptions.joined())</rdf:RDF>"
    let xmp = try XMP(Array(text.utf8))
    let values = xmp.properties.map(\.text)
    let isJoined = values == (0..<20_000).map { "\($0)" }
    #expect(isJoined)
    #expect(try XMP(xmp.packet) == xmp)
  }

  @Test func specialCharactersAreEscapedInAttributesAndTexts() throws {
    let packet = Self.packet(
      ["dc=\"http://purl.org/dc/elements/1.1/\""],
      [
        "<dc:title dc:type=\"&amp;&lt;&gt;&#13;&quot;'&#10;&#9;é\">&amp;&lt;&gt;&#13;\"'\n\té</dc:title>"
      ])
    #expect(try Self.rewritten(packet) == packet)
  }

  @Test func twoNamespacesWithOnePrefixGetTwoPrefixes() throws {
    let packet = Self.packet(
      [
        "MicrosoftPhoto=\"http://ns.microsoft.com/photo/1.0\"",
        "ns2=\"http://ns.microsoft.com/photo/1.0/\"", "ns3=\"http://example.org/\"",
      ],
      [
        "<MicrosoftPhoto:Rating>1</MicrosoftPhoto:Rating>", "<ns2:Rating>2</ns2:Rating>",
        "<ns3:Rating>3</ns3:Rating>",
      ])
    #expect(try Self.rewritten(packet) == packet)
  }
}
