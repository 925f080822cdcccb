import Testing

@testable import Notation

@Suite struct MarkupParserTests {
  private func parse(_ text: String) throws -> MarkupElement {
    try MarkupParser.parse(Array(text.utf8))
  }

  private func error(_ text: String) -> MarkupError? {
    do {
      _ = try parse(text)
      return nil
    } catch {
      return (error as? MarkupFailure)?.error
    }
  }

  @Test func elementsAttributesAndTextAreRead() throws {
    let root = try parse(
      """
      \u{FEFF}<?xml version="1.0"?><!-- a --><!DOCTYPE a PUBLIC "-//x//y" 'http://[z]'>
      <a one="1" two = '&lt;&#65;&#x42;&quot;'>t<b/><![CDATA[<&]]>u &amp; v<!-- c --><?p?></a >
      <!-- end -->

      """)
    #expect(root.name == MarkupName("", "a"))
    #expect(root[MarkupName("", "one")] == "1")
    #expect(root[MarkupName("", "two")] == "<AB\"")
    #expect(root.children.map(\.name.local) == ["b"])
    #expect(root.text == "t<&u & v")
  }

  @Test func prefixesAreResolvedWhereTheyAreDeclared() throws {
    let root = try parse(
      "<p:a xmlns:p='u' xmlns='d' p:x='1' y='2'><b/><p:c xmlns:p='v' p:x='3'/><p:d/></p:a>")
    #expect(root.name == MarkupName("u", "a"))
    #expect(root[MarkupName("u", "x")] == "1")
    #expect(root[MarkupName("", "y")] == "2")
    #expect(
      root.children.map(\.name) == [
        MarkupName("d", "b"), MarkupName("v", "c"), MarkupName("u", "d"),
      ])
    #expect(root.children[1][MarkupName("v", "x")] == "3")
  }

  @Test func aDeclarationEndsWithItsElement() throws {
    let root = try parse("<a xmlns='d'><b xmlns=''><c/></b><p:e xmlns:p='u'><p:f/></p:e><g/></a>")
    #expect(
      root.children.map(\.name) == [
        MarkupName("", "b"), MarkupName("u", "e"), MarkupName("d", "g"),
      ])
    #expect(root.children[0].children.map(\.name) == [MarkupName("", "c")])
    #expect(root.children[1].children.map(\.name) == [MarkupName("u", "f")])
    #expect(error("<a><b xmlns:p='u'/><p:c/></a>") == .unboundPrefix("p"))
  }

  /// A copy of the 4,000 declarations for each of the 60,000 elements would take a minute.
  @Test func anElementCostsOnlyItsOwnDeclarations() throws {
    let declarations = (0..<4_000).map { " xmlns:p\($0)='u'" }.joined()
    let elements = String(repeating: "<p7:b xmlns:q=''/>", count: 60_000)
    let root = try parse("<a\(declarations)>\(elements)</a>")
    #expect(root.children.count == 60_000)
    #expect(root.children.last?.name == MarkupName("u", "b"))
  }

  @Test(
    arguments: [
      ("", .expected("an element")), ("  text", .expected("an element")),
      ("<a>", .unexpectedEnd), ("<a", .unexpectedEnd), ("<a b", .unexpectedEnd),
      ("<a b='1", .unexpectedEnd), ("<!-- a", .unexpectedEnd), ("<!DOCTYPE a", .unexpectedEnd),
      ("<a></b>", .wrongEnd(expected: "a", found: "b")), ("</a>", .expected("an element")),
      ("<a b=1/>", .expected("a quotation mark")), ("<a b='<'/>", .expected("a quotation mark")),
      ("<a b='1' b='2'/>", .duplicateAttribute("b")), ("<a b='1'c='2'/>", .expected("a space")),
      ("<p:a/>", .unboundPrefix("p")), ("<a p:x='1'/>", .unboundPrefix("p")),
      ("<a>&nbsp;</a>", .unknownEntity("nbsp")), ("<a>&#xD800;</a>", .badCharacter),
      ("<a>&#0;</a>", .badCharacter), ("<a>& b</a>", .expected("a reference such as '&amp;'")),
      ("<a/><b/>", .expected("nothing more")), ("< a/>", .expected("a name")),
    ] as [(String, MarkupError)])
  func theErrorNamesTheMistakeInAnXMLDocument(_ text: String, _ expected: MarkupError) {
    #expect(error(text) == expected)
  }

  @Test func theErrorNamesThePositionOfAMistake() {
    #expect(throws: MarkupFailure(.unknownEntity("x"), line: 2, column: 4)) {
      try parse("<a>\nöü &x;</a>")
    }
  }

  /// Nine levels of ten entities each would expand to 10^9 copies of a text; the parser refuses the
  /// document before it reads them.
  @Test func entityDeclarationsAreRefused() {
    let bomb = (1..<10).map { level in
      "<!ENTITY l\(level) '\(String(repeating: "&l\(level - 1);", count: 10))'>"
    }
    let text = "<!DOCTYPE a [<!ENTITY l0 'ha'>\(bomb.joined())]><a>&l9;</a>"
    #expect(error(text) == .typeDeclaration)
    #expect(
      error("<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a>&e;</a>") == .typeDeclaration)
    #expect(
      error("<!DOCTYPE a SYSTEM 'http://example.org/a.dtd'><a>&e;</a>") == .unknownEntity("e"))
  }

  @Test func tooDeepOrTooManyAttributesAreRefused() throws {
    let limit = MarkupParser.depthLimit
    let most =
      String(repeating: "<a>", count: limit) + String(repeating: "</a>", count: limit)
    #expect(try parse(most).name.local == "a")
    #expect(error("<b>\(most)</b>") == .tooDeep(limit: limit))
    #expect(error(String(repeating: "<a>", count: 300_000)) == .tooDeep(limit: limit))
    let attributes = (0...MarkupParser.attributeLimit).map { " a\($0)=''" }.joined()
    #expect(
      error("<a\(attributes)/>") == .tooManyAttributes(limit: MarkupParser.attributeLimit))
  }

  @Test func invalidTextEncodingsAreRefused() {
    // The first half of a surrogate pair in UTF-16, without the second half.
    #expect(throws: MarkupFailure(.notUTF8, line: 1, column: 1)) {
      try MarkupParser.parse([0xFF, 0xFE, 0x3C, 0, 0, 0xD8, 0x3E, 0])
    }
    #expect(throws: MarkupFailure(.notUTF8, line: 1, column: 1)) {
      try MarkupParser.parse(Array("<a>".utf8) + [0xFF] + Array("</a>".utf8))
    }
    #expect(throws: MarkupFailure.self) { try MarkupParser.parse([0xFF, 0xFE, 0x3C, 0x00]) }
  }

  @Test func paddingAfterTheRootIsIgnored() throws {
    let bytes = Array("<a/>\n  <?xpacket end='w'?> ".utf8) + [0, 0, 0]
    #expect(try MarkupParser.parse(bytes).name.local == "a")
  }

  @Test func everyTruncatedXMLDocumentIsRefused() throws {
    let bytes = Array("<?x?><p:a xmlns:p='u' b='&amp;'>t<c/><![CDATA[d]]><!-- e --></p:a>".utf8)
    _ = try MarkupParser.parse(bytes)
    for count in bytes.indices {
      #expect(throws: MarkupFailure.self, "\(count) bytes") {
        try MarkupParser.parse(Array(bytes[..<count]))
      }
    }
  }

  /// XMP in UTF-16 is read with a byte-order mark or without, because Windows programs write both.
  @Test(arguments: [false, true], [false, true])
  func documentsInUTF16AreRead(_ isBig: Bool, _ isMarked: Bool) throws {
    let text = (isMarked ? "\u{FEFF}" : "") + "<?xml version=\"1.0\" encoding=\"UTF-16\"?><a>é😀</a>"
    let bytes = text.utf16.flatMap { unit in
      let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBig ? pair : pair.reversed()
    }
    #expect(try MarkupParser.parse(bytes).text == "é😀")
    // Some writers pad the document with NULs.
    #expect(try MarkupParser.parse(bytes + [0, 0, 0]).text == "é😀")
  }
}
