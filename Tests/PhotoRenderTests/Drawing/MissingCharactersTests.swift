import PhotoRecipes
import TestSupport
import Testing

@testable import PhotoRender

/// Warnings about characters that are drawn as boxes.
@Suite struct MissingCharactersTests {
  /// The warnings about characters; other tests may cause other warnings in this process.
  private static func warnings(_ filter: String, title: String = "") throws -> [String] {
    let photo = Samples.flat([90, 90, 90], 300, 200)
    let recipe = try Studio.recipe("[{\"filter\": \"text\", \"size\": 0.1, \(filter)}]")
    return try Studio.render(photo.file(), recipe, values: ["title": title]).report.warnings
      .filter { $0.contains("shows boxes") }
  }

  /// The last code point for private use, which no system font contains.
  private static let lacking = "\u{10FFFD}"

  @Test func theWarningNamesACharacterThatNoFontHas() throws {
    for (filter, title) in [
      (#""content": "a\#(Self.lacking)b\#(Self.lacking)""#, ""),
      (#""content": "{title}""#, "x\(Self.lacking)"),
      (#""content": "<b>a\#(Self.lacking)</b>", "markup": true"#, ""),
    ] {
      #expect(
        try Self.warnings(filter, title: title) == [
          "the text shows boxes for characters that no installed font has: U+10FFFD \(Self.lacking);"
            + " use 'fontFile' with a font that has them"
        ])
    }
  }

  @Test func theWarningNamesACharacterThatTheRequestedFontLacks() throws {
    let found = try Self.warnings(#""content": "a\#(Self.lacking)", "font": "DejaVu Sans Mono""#)
    #expect(
      found.count == 1 && found[0].contains("that the font 'DejaVu Sans Mono' lacks: U+10FFFD"))
  }

  @Test func charactersThatAFontHasCauseNoWarning() throws {
    for text in [
      "plain", "Zoë – “Ünal”", "e\u{301}\u{327}", "\u{1E14}", "a\u{200B}b\u{AD}c\u{A0}d", "לל",
      "█\\n█",
    ] {
      #expect(try Self.warnings(#""content": "\#(text)""#) == [], "\(text)")
      #expect(try Self.warnings(#""content": "\#(text)", "font": "DejaVu Sans""#) == [], "\(text)")
    }
    #expect(try Self.warnings(#""content": "<b>a</b> &amp; b", "markup": true"#) == [])
  }

  @Test(arguments: [
    ("中文", "U+4E2D 中, U+6587 文; install fonts-noto-cjk"),
    ("한", "U+D55C 한; install fonts-noto-cjk"), ("ក", "U+1780 ក; install fonts-noto-core"),
    ("😀", "U+1F600 😀; install fonts-symbola"),
    ("か\u{1780}", "U+304B か, U+1780 ក; install fonts-noto-cjk and fonts-noto-core"),
  ])
  func theHintNamesThePackageOfAMissingFont(_ text: String, _ end: String) {
    #expect(MissingCharacters(Array(text.unicodeScalars), of: nil).warning.hasSuffix(end))
  }

  @Test func aLongListOfMissingCharactersIsShortened() {
    let scalars = (0x4E00..<0x4E20).compactMap { Unicode.Scalar($0) }
    let warning = MissingCharacters(scalars, of: nil).warning
    #expect(warning.contains("U+4E07 万 and 24 more; install fonts-noto-cjk"), "\(warning)")
  }
}
