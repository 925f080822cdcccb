import Foundation
import PhotoRecipes
import PhotoRender
import TestSupport
import Testing

/// Text on photos.
@Suite struct TextFilterTests {
  private static let fontPath = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
  private static let grey = Samples.flat([90, 90, 90], 300, 200)

  private static func develop(
    _ filter: String, _ photo: Samples = grey, files: [String: [UInt8]] = [:],
    values: [String: String] = [:]
  ) throws -> Samples {
    let recipe = try Studio.recipe("[\(filter)]")
    return try Samples(
      file: #require(
        Studio.render(photo.file(), recipe, files: files, values: values).files["out"]))
  }

  /// The bounding box of all pixels that differ from the grey background.
  private static func ink(_ result: Samples) -> Rectangle? { result.ink(on: [90, 90, 90]) }

  @Test(arguments: Gravity.allCases) func textKeepsTheMarginFromTheEdge(_ gravity: Gravity) throws {
    let result = try Self.develop(
      #"{"filter": "text", "content": "Hygiene", "size": 0.1, "margin": 0.05, "gravity": "\#(gravity.rawValue)"}"#
    )
    let ink = try #require(Self.ink(result))
    #expect(ink.left >= 10 && ink.left + ink.size.width <= 290)
    #expect(ink.top >= 10 && ink.top + ink.size.height <= 190)
    // The font size is twenty pixels; letters with descenders are about as high.
    #expect((14...24).contains(ink.size.height))
    let (x, y) = gravity.fractions
    #expect(abs(ink.left - 10 - Int(Double(280 - ink.size.width) * x)) <= 2)
    #expect(abs(ink.top - 10 - Int(Double(180 - ink.size.height) * y)) <= 2)
  }

  /// Letters without ascenders and descenders stay on the same baseline when letters that have
  /// ascenders or descenders are added.
  @Test(arguments: [Gravity.north, .center, .south], ["x", "x\\nx"])
  func lettersWithDescendersDoNotMoveTheBaseline(_ gravity: Gravity, _ text: String) throws {
    func lines(_ added: String) throws -> (first: Int, last: Int) {
      let result = try Self.develop(
        #"{"filter": "text", "content": "\#(text)\#(added)", "size": 0.2, "align": "left", "gravity": "\#(gravity.rawValue)"}"#
      )
      // Measures only the first letter; the added letters are to the right of it.
      let ink = try #require(Self.ink(result))
      let rows = (0..<result.height).filter { result[ink.left + 3, $0] != [90, 90, 90] }
      return (try #require(rows.first), try #require(rows.last))
    }
    let plain = try lines("")
    for added in ["d", "g", "dg"] { #expect(try lines(added) == plain, "\(added)") }
  }

  @Test func textIsDrawnInTheGivenColour() throws {
    let result = try Self.develop(
      ##"{"filter": "text", "content": "██", "size": 0.3, "colour": "#ff8000", "gravity": "center"}"##
    )
    #expect(result[150, 100] == [255, 128, 0])
  }

  @Test func aSixteenBitPhotoWithTextKeepsSixteenBits() throws {
    let photo = Samples.flat([1000, 2000, 3000], 300, 200, maximum: 65_535)
    let result = try Self.develop(#"{"filter": "text", "content": "a"}"#, photo)
    #expect(result.maximum == 65_535 && result[0, 0] == [1000, 2000, 3000])
  }

  @Test func aLongTextIsWrapped() throws {
    let text = #""content": "one two three four five six seven eight", "size": 0.1"#
    let wide = try #require(Self.ink(Self.develop(#"{"filter": "text", \#(text)}"#)))
    let narrow = try #require(
      Self.ink(Self.develop(#"{"filter": "text", \#(text), "width": 0.3}"#)))
    #expect(narrow.size.width <= 92 && narrow.size.height > wide.size.height)
  }

  @Test func markupIsAppliedOnlyOnRequestAndNotInPlaceholders() throws {
    let plain = try Self.develop(#"{"filter": "text", "content": "<b>x</b>"}"#)
    let bold = try Self.develop(#"{"filter": "text", "content": "<b>x</b>", "markup": true}"#)
    #expect(try #require(Self.ink(plain)).size.width > 3 * #require(Self.ink(bold)).size.width)
    let named = try Self.develop(
      #"{"filter": "text", "content": "{stem}"}"#, values: ["stem": "<b>x</b>"])
    #expect(named == plain)
    #expect(Self.ink(try Self.develop(#"{"filter": "text", "content": "{title}"}"#)) == nil)
    let flagged = try Self.develop(#"{"filter": "text", "content": "x", "bold": true}"#)
    #expect(flagged == bold)
  }

  /// A text that is too long for the photo starts at the left edge, whatever its gravity; only a
  /// shorter text is placed by its gravity.
  @Test(arguments: Gravity.allCases) func aTextThatIsTooWideShowsItsStart(_ gravity: Gravity) throws
  {
    let recipe = try Studio.recipe(
      #"[{"filter": "text", "content": "█llllllllllllllllllllllllllllllllll", "size": 0.3, "gravity": "\#(gravity.rawValue)"}]"#
    )
    let rendered = try Studio.render(Self.grey.file(), recipe)
    let result = try Samples(file: #require(rendered.files["out"]))
    let ink = try #require(Self.ink(result))
    #expect(ink.left <= 1 && ink.left + ink.size.width >= 290)
    let middle = ink.top + ink.size.height / 2
    #expect((2..<30).allSatisfy { result[$0, middle] == [255, 255, 255] })
    let room = Double(200 - 12 - ink.size.height)
    #expect(abs(Double(ink.top) - 6 - room * gravity.fractions.1) <= 12)
    #expect(rendered.report.warnings.count == 1)
    #expect(rendered.report.warnings.first?.contains("is cut off, because it needs") == true)
  }

  /// Text in a right-to-left script starts at the right edge.
  @Test(arguments: [false, true]) func aTooWideRightToLeftTextShowsItsStart(_ isMarkup: Bool) throws
  {
    let text = "█" + String(repeating: "ל", count: 60)
    let content = isMarkup ? "<b>\(text)</b>" : text
    let result = try Self.develop(
      #"{"filter": "text", "content": "\#(content)", "size": 0.3, "markup": \#(isMarkup)}"#)
    let ink = try #require(Self.ink(result))
    #expect(ink.left <= 30 && ink.left + ink.size.width >= 299)
    let middle = ink.top + ink.size.height / 2
    #expect((270..<298).allSatisfy { result[$0, middle] == [255, 255, 255] })
    // Text that starts with Latin letters runs from left to right, even if other letters follow.
    let mixed = try Self.develop(
      #"{"filter": "text", "content": "█l\#(text.dropFirst())", "size": 0.3}"#)
    #expect((2..<28).allSatisfy { mixed[$0, middle] == [255, 255, 255] })
  }

  /// Latin lines start at the left and Hebrew lines at the right, independent of which line is too
  /// long.
  @Test(arguments: ["start", "left", "center", "right"], [false, true])
  func linesInBothDirectionsShowTheirStarts(_ alignment: String, _ isLatinLong: Bool) throws {
    let latin = "█" + String(repeating: "l", count: isLatinLong ? 64 : 1)
    let hebrew = "█" + String(repeating: "ל", count: isLatinLong ? 1 : 64)
    for lines in [[latin, hebrew], [hebrew, latin]] {
      let text = lines.joined(separator: #"\n"#)
      let result = try Self.develop(
        #"{"filter": "text", "content": "\#(text)", "size": 0.3, "align": "\#(alignment)"}"#)
      let ink = try #require(Self.ink(result))
      for (number, line) in lines.enumerated() {
        let middle = ink.top + ink.size.height * (2 * number + 1) / 4
        let start = line == latin ? 32..<44 : 256..<268
        #expect(start.allSatisfy { result[$0, middle] == [255, 255, 255] }, "\(line)")
      }
    }
  }

  /// Left and right are the same in both directions, also in a text with lines of both; without
  /// `align`, a line begins where its letters do.
  @Test(arguments: ["", "left", "right"]) func linesInBothDirectionsHaveTheGivenAlignment(
    _ alignment: String
  ) throws {
    let (long, latin, hebrew) = ("██████████", "█l", "█ל")
    let align = alignment.isEmpty ? "" : #", "align": "\#(alignment)""#
    for lines in [[long, latin, hebrew], [long, hebrew, latin]] {
      let text = lines.joined(separator: #"\n"#)
      let result = try Self.develop(
        #"{"filter": "text", "content": "\#(text)", "size": 0.15\#(align)}"#)
      let ink = try #require(Self.ink(result))
      for (number, line) in lines.enumerated().dropFirst() {
        let middle = ink.top + ink.size.height * (2 * number + 1) / 6
        let isLeft = (0..<20).contains { result[ink.left + $0, middle] != [90, 90, 90] }
        #expect(isLeft == (alignment.isEmpty ? line == latin : alignment == "left"), "\(line)")
      }
    }
  }

  /// A box or a shadow that exceeds the frame is clipped without a warning.
  ///
  /// The letters are not clipped.
  @Test(
    arguments: [##""background": "#102030""##, ##""shadow": "#102030""##],
    [
      #""size": 0.2, "width": 1, "gravity": "west""#, #""size": 0.2, "width": 1"#,
      #""size": 0.2, "width": 1, "gravity": "center", "align": "right""#, #""size": 0.7"#,
    ])
  func onlyClippedLettersCauseAWarning(_ decoration: String, _ place: String) throws {
    /// The bounding box of the pixels that are as bright as the letters.
    func letters(_ picture: Samples) throws -> Rectangle {
      var dimmed = picture
      for index in dimmed.values.indices { dimmed.values[index] = picture.values[index] / 250 }
      return try #require(dimmed.ink(on: [0, 0, 0]))
    }
    let count = place.contains("0.7") ? 2 : 100
    func step(_ count: Int, _ more: String) -> String {
      let text = String(repeating: "█", count: count)
      return #"{"filter": "text", "margin": 0, "content": "\#(text)", \#(place)\#(more)}"#
    }
    // Adds letters until the text no longer fits into the photo.
    var plain = try Self.develop(step(1, ""))
    for count in 2...count {
      let longer = try Studio.render(Self.grey.file(), Studio.recipe("[\(step(count, ""))]"))
      if !longer.report.warnings.isEmpty {
        #expect(count > 2)
        break
      }
      plain = try Samples(file: #require(longer.files["out"]))
      let decorated = try Studio.render(
        Self.grey.file(), Studio.recipe("[\(step(count, ", " + decoration))]"))
      #expect(decorated.report.warnings == [])
      let seen = try letters(Samples(file: #require(decorated.files["out"])))
      #expect(try seen.size == letters(plain).size, "\(count) letters")
    }
  }

  /// A message has one line, even if the text has several lines.
  @Test func theWarningAboutAMultilineTextHasOneLine() throws {
    let text = #""filter": "text", "content": "a\nb\u2028\r\nllllllllllllllllllllllllllllllllllll""#
    let warnings = try Studio.render(
      Self.grey.file(), Studio.recipe("[{\(text), \"size\": 0.3}]")
    ).report.warnings
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains(#"the text "a\nb\u{2028}\r\nlll"#) == true, "\(warnings)")
    #expect(warnings.first?.contains(where: \.isNewline) == false)
    #expect {
      try Self.develop(#"{"filter": "text", "content": "<b>a\nb", "markup": true}"#)
    } throws: { error in
      (error as? RenderError)?.message.hasPrefix(#"the text "<b>a\nb" cannot"#) == true
    }
  }

  /// A text before an external program is drawn before the photo is passed to the program, and the
  /// warning about the text is still reported.
  @Test func aTextBeforeAnExternalProgramIsDrawnAndWarnedAbout() throws {
    let long = String(repeating: "l", count: 99)
    let text = #"{"filter": "text", "content": "\#(long)", "size": 0.3}"#
    let external = #"{"filter": "external", "command": ["fake"]}"#
    let recipe = try Studio.recipe("[\(text), \(external)]")
    let warnings = try Studio.render(Self.grey.file(), recipe).report.warnings
    #expect(warnings.count == 1 && warnings[0].contains("is cut off"), "\(warnings)")
  }

  @Test func aTextThatFitsCausesNoWarning() throws {
    let recipe = try Studio.recipe(#"[{"filter": "text", "content": "a", "size": 0.3}]"#)
    #expect(try Studio.render(Self.grey.file(), recipe).report.warnings == [])
  }

  /// Characters that are never visible draw nothing.
  @Test func charactersWithoutInkDrawNothing() throws {
    for text in ["\u{200B}", " \u{2060}", "\u{FEFF}"] {
      let result = try Self.develop(#"{"filter": "text", "content": "\#(text)"}"#)
      #expect(Self.ink(result) == nil)
    }
  }

  /// An error message shows the text with its placeholders replaced.
  ///
  /// The hint mentions markup only if the markup is invalid.
  @Test func aTextThatCannotBeDrawnIsAnError() throws {
    func failure(_ settings: String) -> RenderError? {
      do {
        _ = try Self.develop(
          #"{"filter": "text", \#(settings)}"#, values: ["stem": "IMG_1"])
        return nil
      } catch { return error as? RenderError }
    }
    let bad = try #require(failure(#""content": "<b>{stem}", "markup": true"#))
    #expect(bad.message.contains(#"the text "<b>IMG_1" cannot be drawn"#))
    #expect(bad.hint.contains("markup"))
    let long = "{stem}" + String(repeating: "W", count: 900)
    for markup in [false, true] {
      let large = try #require(
        failure(#""content": "\#(long)", "size": 1, "markup": \#(markup)"#))
      #expect(large.message.contains("IMG_1WWW") && large.message.count < 500)
      #expect(large.hint.contains("'size'") && !large.hint.contains("markup"))
    }
  }

  /// Pango accepts the markup, but the text is too large for Cairo.
  @Test(arguments: ["rise", "letter_spacing"])
  func validMarkupOfATooLargeTextIsNotReportedAsInvalid(_ attribute: String) throws {
    let text = "a<span \(attribute)='400000000'>bc</span>"
    let error = #expect(throws: RenderError.self) {
      try Self.develop(#"{"filter": "text", "content": "\#(text)", "markup": true}"#)
    }
    #expect(error?.message.contains("cannot be drawn: invalid value") == true)
    #expect(error?.hint.contains("a smaller 'size'") == true)
  }

  @Test func aMissingFontIsAnError() {
    #expect(throws: RenderError.missingFont("No Such Font")) {
      try Self.develop(#"{"filter": "text", "content": "a", "font": "No Such Font"}"#)
    }
    #expect(throws: RenderError.unreadableFont("f.ttf")) {
      try Self.develop(
        #"{"filter": "text", "content": "a", "fontFile": "f.ttf"}"#, files: ["f.ttf": [1, 2, 3]])
    }
    #expect {
      try Self.develop(#"{"filter": "text", "content": "<b>a", "markup": true}"#)
    } throws: { error in
      if case RenderError.unusableText = error { true } else { false }
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: fontPath)))
  func aFontFileDrawsTheSameTextAsTheInstalledFont() throws {
    let bytes = try #require(FileManager.default.contents(atPath: Self.fontPath))
    let named = try Self.develop(#"{"filter": "text", "content": "Gg", "font": "DejaVu Sans"}"#)
    for _ in 0..<2 {
      let file = try Self.develop(
        #"{"filter": "text", "content": "Gg", "fontFile": "f.ttf"}"#,
        files: ["f.ttf": [UInt8](bytes)])
      #expect(file == named)
    }
  }

  @Test func theBoxAndTheShadowAreBehindTheText() throws {
    let text = #""filter": "text", "content": "a", "size": 0.2, "gravity": "center""#
    let boxed = try Self.develop(##"{\##(text), "background": "#102030"}"##)
    let box = try #require(Self.ink(boxed))
    #expect(boxed[box.left, box.top] == [16, 32, 48])
    let plain = try #require(Self.ink(Self.develop("{\(text)}")))
    #expect(abs(box.size.width - plain.size.width - 40) <= 2)
    let shaded = try #require(Self.ink(Self.develop(##"{\##(text), "shadow": "#000000"}"##)))
    #expect(shaded.size.width > plain.size.width)
  }

  @Test func aFontIsEitherAPlainNameOrAFile() {
    TextFilter.expectRefusal(of: "", "content")
    TextFilter.expectRefusal(
      of: #""content": "a", "font": "Serif", "fontFile": "f.ttf""#, "both 'font' and 'fontFile'")
    TextFilter.expectRefusal(
      of: #""content": "a", "font": "Serif, 12""#, "is not the name of a font")
  }
}
