import Testing

@testable import PhotoRender

/// The paragraphs of texts, which all get the base direction left to right.
@Suite struct LeftToRightMarkupTests {
  private static func marked(_ text: String) -> String { "\u{200E}\u{2067}\(text)\u{2069}" }

  @Test(arguments: ["", "abc", "1 · 2", "abc\n\nשלום"])
  func theFirstParagraphFromLeftToRightStaysUnchanged(_ text: String) {
    #expect(text.leftToRight.hasPrefix(text.prefix { $0 != "\n" }))
    #expect(!text.leftToRight.hasPrefix("\u{200E}"))
  }

  @Test func eachParagraphHasTheDirectionOfItsFirstLetter() {
    #expect(
      "abc\n«שלום»\r\nمرحبا".leftToRight
        == "abc\n\(Self.marked("«שלום»"))\r\n\(Self.marked("مرحبا"))")
  }

  /// Digits and punctuation have no direction of their own.
  @Test func aParagraphWithoutLettersHasTheDirectionOfItsNeighbour() {
    #expect(
      "12\nשלום\n34\nabc\n56".leftToRight
        == "\(Self.marked("12"))\n\(Self.marked("שלום"))\n\(Self.marked("34"))\nabc\n56")
  }

  @Test func tagsAndEntitiesHaveNoLettersAndAreKept() {
    #expect(
      "<b>&amp;\n</b><i\n>שלום</i>".leftToRight
        == "\(Self.marked("<b>&amp;"))\n\(Self.marked("</b><i\n>שלום</i>"))")
  }
}
