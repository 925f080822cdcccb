import Testing

@testable import Notation

/// Texts with many combining marks in a row are refused, because Swift would sort the marks for
/// each comparison: minutes for the longest rows here.
@Suite struct CombiningMarksTests {
  private static func marks(_ count: Int) -> String {
    String(repeating: "\u{301}\u{316}", count: count / 2)
  }

  @Test(arguments: [(0, false), (256, false), (258, true), (400_000, true)])
  func textsWithTooManyMarksInARowAreRecognised(_ count: Int, _ isExcessive: Bool) {
    #expect(("a" + Self.marks(count)).hasTooManyMarks == isExcessive)
    #expect(("a" + Self.marks(count) + "b")[...].hasTooManyMarks == isExcessive)
  }

  @Test func marksOfDifferentLettersAreNotInARow() {
    #expect(!String(repeating: "e\u{301}\u{316}", count: 10_000).hasTooManyMarks)
  }

  @Test(arguments: [256, 258, 400_000]) func keysAndStringsOfJSONAreChecked(_ count: Int) {
    let marks = Self.marks(count)
    let escaped = String(repeating: #"\u0301\u0316"#, count: count / 2)
    for text in ["{\"a\(marks)\":1,\"b\":2,\"a\":3}", "[\"a\(marks)\"]", "[\"\(escaped)\"]"] {
      let source = SourceText(name: "a.json", text: text)
      let (json, found) = JSONParser.parse(source)
      #expect((json == nil) == (count > 256))
      #expect((JSONTable(source) == nil) == (count > 256))
      #expect(
        found.all.map(\.problem) == (count > 256 ? [.syntax(.tooManyMarks(limit: 256))] : []))
      #expect(found.all.allSatisfy { $0.location?.offset == 1 })
    }
  }

  @Test func namesAndTextsOfXMLAreChecked() {
    let marks = Self.marks(400_000)
    for text in [
      "<a\(marks)/>", "<a b\(marks)='1' c='2'/>", "<a b='\(marks)'/>", "<a>b\(marks)</a>",
      "<a>" + String(repeating: "&#x301;&#x316;", count: 1_000) + "</a>",
    ] {
      do {
        _ = try MarkupParser.parse(Array(text.utf8))
        Issue.record("the text is accepted")
      } catch { #expect(error.error == .tooManyMarks(limit: 256)) }
    }
  }

  /// A binary list with one text in UTF-16.
  @Test func textsOfPropertyListsAreChecked() {
    for count in [256, 258] {
      let units = Self.marks(count).utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      let text = [0x6F, 0x11, UInt8(count >> 8), UInt8(count & 0xFF)] + units
      let table = 8 + text.count
      let trailer =
        [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        + [UInt8(table >> 8), UInt8(table & 0xFF)]
      let bytes = Array("bplist00".utf8) + text + [8] + trailer
      do {
        let list = try BinaryPropertyList.parse(bytes)
        #expect(count == 256 && list.string == Self.marks(count))
      } catch { #expect(count > 256 && error == .tooManyMarks(limit: 256)) }
    }
  }
}
