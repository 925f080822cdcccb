import Testing

@testable import PhotoRecipes

@Suite struct TextTemplateTests {
  private static let values = [
    "stem": "a<b", "name": "a<b.jpg", "date": "2024-03-09T18:05:00", "artist": "M & M",
  ]

  @Test(arguments: [
    ("plain", "plain"), ("{stem}", "a<b"), ("© {date:yyyy} {artist}", "© 2024 M & M"),
    ("{date}", "2024-03-09"), ("{date:dd.MM.yyyy HH:mm}", "09.03.2024 18:05"),
    ("{{stem}} }}", "{stem} }"), ("[{title}]", "[]"), ("é{name}\n", "éa<b.jpg\n"),
  ])
  func placeholdersOfATemplateAreReplaced(_ template: String, _ wanted: String) throws {
    #expect(try TextTemplate(template).filled(with: Self.values) == wanted)
  }

  @Test func markupInInsertedValuesIsEscaped() throws {
    let template = try TextTemplate("<b>{stem}</b> & {artist}")
    #expect(
      template.markup(with: Self.values, isMarkup: false)
        == "&lt;b&gt;a&lt;b&lt;/b&gt; &amp; M &amp; M")
    #expect(template.markup(with: Self.values, isMarkup: true) == "<b>a&lt;b</b> & M &amp; M")
  }

  @Test(arguments: [
    ("{camera} · {lens} · {iso}", ["camera": "Box", "lens": "35", "iso": "200"], "Box · 35 · 200"),
    ("{camera} · {lens} · {iso}", ["camera": "Box", "iso": "200"], "Box · 200"),
    ("{camera}, {lens} | {iso}", ["camera": "Box", "iso": "200"], "Box | 200"),
    ("{camera} · {lens} · {iso}", ["lens": "35"], "35"),
    ("{camera} · {lens} · {iso}", ["camera": " "], ""),
    ("{title}\n{creator}", ["creator": "Ada"], "Ada"), ("{title}\n{creator}", ["title": "T"], "T"),
    ("© {date:yyyy} {creator}", ["creator": "Ada"], "© Ada"),
    ("{camera}{lens}", ["lens": "35"], "35"),
    // Words, brackets and quotes are not separators, so they stay. A separator at the start or the
    // end of the template stays too.
    ("{camera} ({lens})", ["camera": "Box"], "Box ()"), ("{camera} · ", [:], " · "),
    ("{camera} by {creator}", ["creator": "Ada"], " by Ada"),
    ("{camera} {{ {lens}", ["lens": "35"], " { 35"),
  ])
  func aSeparatorBesideAnUnknownFactIsRemoved(
    _ template: String, _ values: [String: String], _ wanted: String
  ) throws {
    #expect(try TextTemplate(template).filled(with: values) == wanted)
  }

  @Test func separatorsAreEscapedOrRemovedInMarkup() throws {
    let template = try TextTemplate("{camera} & {lens}")
    let values = ["camera": "A&B", "lens": "35"]
    #expect(template.markup(with: values, isMarkup: false) == "A&amp;B &amp; 35")
    #expect(template.markup(with: ["lens": "35"], isMarkup: true) == "35")
  }

  @Test func aMissingDateIsReplacedByNothing() throws {
    #expect(try TextTemplate("[{date}]").filled(with: [:]) == "[]")
  }
}
