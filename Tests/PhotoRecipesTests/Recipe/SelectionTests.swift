import Notation
import Testing

@testable import PhotoRecipes

@Suite struct SelectionTests {
  private func selection(_ text: String) throws -> Selection {
    try RecipeText(more: "\"select\": \(text), ").recipe().selection
  }

  private func isTaken(_ condition: String, _ facts: PhotoFacts) throws -> Bool {
    try selection("{ \"where\": \(condition) }").firstUnmet(by: facts) == nil
  }

  private let facts = PhotoFacts(
    size: Size(4000, 3000), bytes: 5_000_000, format: "jpeg",
    date: "2024-03-09T17:05:08")

  @Test(arguments: [
    ("{}", "a/b.jpg", true), (#"{ "include": [] }"#, "a/b.jpg", true),
    (#"{ "include": ["**/*.jpg"] }"#, "b.jpg", true),
    (#"{ "include": ["**/*.jpg"] }"#, "a/b.png", false),
    (#"{ "include": ["*.jpg"] }"#, "a/b.jpg", false),
    (#"{ "include": ["a/**", "c/**"] }"#, "c/d/e", true),
    (#"{ "exclude": ["**/drafts/**"] }"#, "x/drafts/b.jpg", false),
    (#"{ "include": ["**"], "exclude": ["*.tif"] }"#, "a.tif", false),
    (#"{ "include": ["**/*.{jpg,JPG}"] }"#, "a/b.JPG", true),
    (#"{ "include": ["[!a]*"] }"#, "abc", false),
  ])
  func patternsSelectPhotosByTheirPath(_ text: String, _ path: String, _ expected: Bool) throws {
    #expect(try selection(text).matches(path: Array(path.utf8)) == expected)
  }

  @Test(arguments: [
    (#"{ "width": 4000 }"#, true), (#"{ "width": ">=4000" }"#, true),
    (#"{ "width": ">4000" }"#, false),
    (#"{ "width": "<= 4000" }"#, true), (#"{ "width": "<4000" }"#, false),
    (#"{ "width": "!=4000" }"#, false), (#"{ "width": "=4000" }"#, true),
    (#"{ "width": "4000" }"#, true),
    (#"{ "height": "<3001" }"#, true), (#"{ "longEdge": 4000 }"#, true),
    (#"{ "shortEdge": 3000 }"#, true),
    (#"{ "megapixels": ">=12" }"#, true), (#"{ "megapixels": ">12.0" }"#, false),
    (#"{ "bytes": ">1000" }"#, true), (#"{ "width": [">=1000", "<2000"] }"#, false),
    (#"{ "width": "=4e3" }"#, true), (#"{ "width": "<4E+3" }"#, false),
    (#"{ "rating": "=-1" }"#, false), (#"{ "rating": "!= -1" }"#, true),
    (#"{ "width": [">=1000", "<5000"] }"#, true), (#"{ "width": ">1", "height": "<1" }"#, false),
    (#"{ "format": "jpeg" }"#, true), (#"{ "format": "jpg" }"#, true),
    (#"{ "format": "png" }"#, false),
    (#"{ "format": ["png", "jpeg"] }"#, true),
    (#"{ "date": "2024" }"#, true), (#"{ "date": "2024-03-09" }"#, true),
    (#"{ "date": ">=2024-03" }"#, true), (#"{ "date": ">2024-03-09" }"#, false),
    (#"{ "date": "<2024-03-09T18:00" }"#, true), (#"{ "date": [">=2023", "<2024"] }"#, false),
    (#"{ "date": "!=2023" }"#, true), (#"{ "date": ">=2024-02-29" }"#, true),
    (#"{ "date": ">=2000-02-29" }"#, true),
    (#"{ "width": ">=  4000  " }"#, true), (#"{ "width": " 4000" }"#, true),
    (#"{ "date": ">=  2024-03 " }"#, true),
  ])
  func conditionsSelectPhotosByTheirProperties(_ condition: String, _ expected: Bool) throws {
    #expect(try isTaken(condition, facts) == expected)
  }

  @Test func rawMeansEveryRawFormat() throws {
    for (format, expected) in [("cr2", true), ("raw", true), ("kodak", true), ("jpeg", false)] {
      var photo = facts
      photo.format = format
      #expect(try isTaken(#"{ "format": "raw" }"#, photo) == expected)
      #expect(try isTaken(#"{ "format": ["png", "raw"] }"#, photo) == expected)
    }
  }

  /// Unknown facts, as those of films for photos, meet no condition.
  @Test func conditionsAboutFilmsTestTheirFacts() throws {
    var film = facts
    (film.details.duration, film.details.frameRate, film.details.codec) = (12.5, 29.97, "h264")
    for (condition, expected) in [
      (#"{ "duration": ">=10" }"#, true), (#"{ "duration": "<10" }"#, false),
      (#"{ "fps": [">29", "<31"] }"#, true), (#"{ "codec": ["hevc", "H2*"] }"#, true),
      (#"{ "codec": "vp9" }"#, false),
    ] {
      #expect(try isTaken(condition, film) == expected)
      #expect(try !isTaken(condition, facts))
    }
  }

  @Test(arguments: [
    #"{ "duration": true }"#, #"{ "fps": "fast" }"#, #"{ "codec": 264 }"#,
    #"{ "width": "wide" }"#, #"{ "width": "=>5" }"#, #"{ "width": ">=nan" }"#,
    #"{ "width": "inf" }"#,
    #"{ "width": "0x10" }"#, #"{ "width": true }"#, #"{ "width": [[5]] }"#, #"{ "width": "" }"#,
    #"{ "format": 5 }"#, #"{ "format": "jpgg" }"#, #"{ "format": "JPEG" }"#, #"{ "format": [5] }"#,
    #"{ "date": 2024 }"#, #"{ "date": "24-01-01" }"#,
    #"{ "date": "2008-13" }"#, #"{ "date": "2008-00" }"#, #"{ "date": "<2008-12-32" }"#,
    #"{ "date": "2008-12-31T24:00" }"#, #"{ "date": "2008-12-31T23:60" }"#,
    #"{ "date": "2008-12-31T23:59:60" }"#, #"{ "date": "2024-02-30" }"#,
    #"{ "date": "<2023-02-29" }"#, #"{ "date": "1900-02-29" }"#, #"{ "date": "2024-04-31T10:00" }"#,
    #"{ "rating": "-" }"#, #"{ "rating": "+1" }"#, #"{ "rating": "=1e" }"#, #"{ "iso": "1e999" }"#,
    #"{ "format": [] }"#, #"{ "camera": [] }"#, #"{ "width": [] }"#, #"{ "gps": [] }"#,
    #"{ "width": ">=6 40" }"#, #"{ "width": ">=- 1" }"#, #"{ "width": "1 e 3" }"#,
    #"{ "width": " >=1" }"#, #"{ "width": "> =1" }"#, #"{ "width": ">= " }"#,
    #"{ "date": "20 08" }"#, #"{ "date": ">=2008-1 0" }"#,
    #"{ "date": "2024-1-1" }"#, #"{ "isos": 100 }"#, #"[]"#, #"5"#,
  ])
  func invalidConditionsAreRefused(_ condition: String) {
    #expect(diagnostics(RecipeText(more: "\"select\": { \"where\": \(condition) }, ")).count == 1)
  }

  @Test(arguments: [
    ("2023-02-29", "there is no day 2023-02-29", "2023-02 has 28 days"),
    ("<2008-13-01", "there is no month 2008-13", "write a month from 01 to 12"),
    (">= 2008-12-31T24:00", "there is no time 24:00", "write a time from 00:00:00 to 23:59:59"),
  ])
  func dateThatDoesNotExistIsNamed(_ date: String, _ message: String, _ hint: String) {
    let found = diagnostics(
      RecipeText(more: "\"select\": { \"where\": { \"date\": [\"2024\", \"\(date)\"] } }, "))
    #expect(found.map(\.problem.message) == [message])
    #expect(found.map(\.problem.hint) == [hint])
    #expect(found.map(\.path.description) == ["$.select.where.date[1]"])
  }

  @Test(arguments: [
    ("\"*.jpg\"", "$.select"), ("[]", "$.select"), (#"{ "include": "*" }"#, "$.select.include"),
    (#"{ "include": [5] }"#, "$.select.include[0]"),
    (#"{ "exclude": ["a", "[z-a]"] }"#, "$.select.exclude[1]"),
    (#"{ "include": [""] }"#, "$.select.include[0]"), (#"{ "includes": [] }"#, "$.select.includes"),
  ])
  func invalidSelectionsAreRefused(_ text: String, _ path: String) {
    let found = diagnostics(RecipeText(more: "\"select\": \(text), "))
    #expect(found.map(\.path.description) == [path])
  }

  @Test(arguments: [
    ("/a.jpg", "a.jpg"), ("./a.jpg", "a.jpg"), ("a/../b.jpg", "a/b.jpg"), ("a//b", "a/b"),
    ("a/", "a/**"), ("/", "**"), (".", "**"),
  ])
  func patternsThatMatchNoPathAreRefused(_ pattern: String, _ better: String) {
    for key in ["include", "exclude"] {
      let found = diagnostics(
        RecipeText(more: "\"select\": { \"\(key)\": [\"\(pattern)\"] }, "))
      #expect(found.map(\.path.description) == ["$.select.\(key)[0]"])
      #expect(found.first?.problem.hint == "write \"\(better)\"")
    }
  }

  @Test func errorsPointToThePositionInAPattern() {
    let found = diagnostics(RecipeText(more: "\n\"select\": {\"include\": [\"é*[z-a]\"]},\n"))
    #expect(found.map(\.location?.description) == ["recipe.json:2:28"])
  }

  @Test func onlyConditionsOnBytesAndFormatDoNotNeedTheHeader() throws {
    for fact in Condition.Fact.allCases {
      let value =
        switch fact {
        case .date: "\"2024\""
        case .gps: "true"
        case .format: "\"jpeg\""
        default: "\"5\""
        }
      let needs = try selection("{ \"where\": { \"\(fact.rawValue)\": \(value) } }").needsHeader
      #expect(needs == (fact != .bytes && fact != .format))
    }
  }

  @Test func aPhotoOfUnknownSizeMeetsNoConditionOnSizes() throws {
    var facts = facts
    facts.size = nil
    #expect(try isTaken(#"{ "width": "<9999" }"#, facts) == false)
  }
}
