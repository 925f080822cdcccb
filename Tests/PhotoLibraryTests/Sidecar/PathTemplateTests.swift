import PhotoLibrary
import PhotoRecipes
import SystemPackage
import Testing

@Suite struct PathTemplateTests {
  private var values = PathValues(
    original: "2024/Trip/IMG_1.tar.JPG", extension: "webp", output: "web", recipe: "web-gallery",
    variant: "print",
    date: CivilTime(year: 2_024, month: 3, day: 9, hour: 17, minute: 5, second: 8),
    width: 1_600, height: 1_200, digest: Digest(of: Array("abc".utf8)))

  @Test(arguments: [
    ("{stem}.{output}.{ext}", "2024/Trip/IMG_1.tar.web.webp"),
    ("{root}/{name}.{ext}", "IMG_1.tar.JPG.webp"),
    ("web/{stem}.{ext}", "2024/Trip/web/IMG_1.tar.webp"),
    ("{root}/{date:yyyy/MM-dd}/{stem}-{date:HHmmss}", "2024/03-09/IMG_1.tar-170508"),
    ("{stem}{date}", "2024/Trip/IMG_1.tar2024-03-09"),
    ("{stem}.{recipe}-{variant}", "2024/Trip/IMG_1.tar.web-gallery-print"),
    ("{stem}.{width}x{height}", "2024/Trip/IMG_1.tar.1600x1200"),
    ("{digest:8}.jpg", "2024/Trip/ba7816bf.jpg"),
    ("é {stem}", "2024/Trip/é IMG_1.tar"), ("...{stem}", "2024/Trip/...IMG_1.tar"),
  ])
  func aPathTemplateGivesTheExpectedPath(_ template: String, _ expected: String) throws {
    #expect(try PathTemplate(template).path(values) == FilePath(expected))
  }

  @Test(arguments: [
    ("", PathTemplateError.empty), ("{root}/", .empty), ("a{stem", .unclosed(position: 2)),
    ("a}", .unopened(position: 2)),
    ("a.{widht}", .unknown("widht", position: 4, nearest: "width")),
    ("{}", .unknown("", position: 2, nearest: nil)), ("{root}", .misplacedRoot(position: 1)),
    ("a/{root}/b", .misplacedRoot(position: 3)), ("{root}a", .misplacedRoot(position: 1)),
    ("{date:yyyy-mmm}", .unknownDateField("m", position: 14)),
    ("{date:YYYY}", .unknownDateField("Y", position: 7)),
    ("{digest:65}", .digestLength("65", position: 9)),
    ("{digest:}", .digestLength("", position: 9)),
    ("{stem:3}", .noDetail("stem", position: 6)), ("/a", .absolute(position: 1)),
    ("{root}//a", .absolute(position: 8)), ("a//b", .emptyPart("", position: 3)),
    ("a/", .emptyPart("", position: 3)), ("a/../b", .emptyPart("..", position: 3)),
    ("./a", .emptyPart(".", position: 1)), ("{root}/..", .emptyPart("..", position: 8)),
    ("cover.jpg", .tellsNoPhotosApart), ("{date}/{width}.{ext}", .tellsNoPhotosApart),
  ])
  func invalidPathTemplatesAreRefusedWithThePosition(_ template: String, _ error: PathTemplateError)
  {
    #expect(throws: error) { try PathTemplate(template) }
  }

  @Test func positionsInPathTemplateErrorsCountCharactersNotBytes() {
    #expect(throws: PathTemplateError.unknown("x", position: 3, nearest: nil)) {
      try PathTemplate("é{x}")
    }
  }

  @Test(arguments: ["..", ".", "", "a/b", "a\0b", "/etc"])
  func valuesInAPathTemplateCannotChangeTheFolder(_ value: String) throws {
    var values = values
    values.output = value
    #expect(throws: PathTemplateError.self) { try PathTemplate("{output}").path(values) }
    values.original = FilePath("a/\(value.isEmpty ? ".." : "..")")
    #expect(throws: PathTemplateError.self) { try PathTemplate("{name}").path(values) }
  }

  @Test(arguments: [
    ".phbatch", ".PHBATCH", ".phbatchignore", ".phbatch-1.tmp", "a.jpg.phbatch.json",
  ])
  func aPathTemplateCannotGiveANameReservedForPhbatch(_ name: String) throws {
    #expect(throws: PathTemplateError.reservedName(name)) {
      try PathTemplate("{root}/\(name)/{stem}").path(values)
    }
  }

  @Test func bytesThatAreNotUTF8ArePassedFromTheOriginalToThePath() throws {
    var values = values
    values.original = FilePath(name: [0xFF, 0x0A, 0x2E, 0x6A])
    let path = try PathTemplate("{stem}.{ext}").path(values)
    #expect(path.bytes == [0xFF, 0x0A] + Array(".webp".utf8))
  }

  @Test func aTemplateThatGivesANameOfMoreThan255BytesIsAnError() throws {
    var values = values
    values.original = FilePath(name: [UInt8](repeating: 0x61, count: 250))
    #expect(try PathTemplate("{stem}.{ext}").path(values).bytes.count == 255)
    #expect(throws: PathTemplateError.self) { try PathTemplate("{stem}..{ext}").path(values) }
  }

  @Test func aPlaceholderWithoutAValueIsAnError() throws {
    var values = values
    values.variant = nil
    values.digest = nil
    #expect(throws: PathTemplateError.noValue("variant")) {
      try PathTemplate("{stem}{variant}").path(values)
    }
    #expect(throws: PathTemplateError.noValue("digest")) {
      try PathTemplate("{digest:8}").path(values)
    }
  }

  @Test(arguments: [
    ("{stem}.{date}.{variant}", true), ("{stem}{width}", false), ("{stem}{height}", false),
    ("{digest}", false),
  ])
  func aTemplateThatDependsOnTheFinishedRenditionIsNotStatic(
    _ template: String, _ expected: Bool
  ) throws {
    #expect(try PathTemplate(template).isStatic == expected)
  }

  @Test func modificationTimesAreConvertedToDatesInUTC() {
    #expect(CivilTime(nanoseconds: 0) == CivilTime(year: 1_970, month: 1, day: 1))
    let last = CivilTime(year: 1_969, month: 12, day: 31, hour: 23, minute: 59, second: 59)
    #expect(CivilTime(nanoseconds: -1) == last)
    let leap = CivilTime(year: 2_024, month: 2, day: 29, hour: 23, minute: 59, second: 59)
    #expect(CivilTime(nanoseconds: 1_709_251_199_999_999_999) == leap)
  }
}
