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
  func placeholdersAreFilled(_ template: String, _ wanted: String) throws {
    #expect(try TextTemplate(template).filled(with: Self.values) == wanted)
  }

  @Test func onlyMarkupIsMarkup() throws {
    let template = try TextTemplate("<b>{stem}</b> & {artist}")
    #expect(
      template.markup(with: Self.values, isMarkup: false)
        == "&lt;b&gt;a&lt;b&lt;/b&gt; &amp; M &amp; M")
    #expect(template.markup(with: Self.values, isMarkup: true) == "<b>a&lt;b</b> & M &amp; M")
  }

  @Test func aMissingDateIsNothing() throws {
    #expect(try TextTemplate("[{date}]").filled(with: [:]) == "[]")
  }
}
