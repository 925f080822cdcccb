import Foundation
import TestSupport
import Testing

/// The other outputs that a preview shows beside the current output, and the base of a preview.
@Suite struct PreviewOutputsTests {
  private static func page(_ place: Workplace, _ recipe: String) throws -> String {
    let result = try Command.run([
      "preview", place.path("\(recipe).json"), place.library, "-o", place.path("p.html"),
    ])
    #expect(result.code == 0, "\(result.messages)")
    return String(decoding: try place.folder.read("p.html"), as: UTF8.self)
  }

  private static func pictures(_ page: String) -> [String] {
    page.components(separatedBy: "data:image/jpeg;base64,").dropFirst().map {
      String($0.prefix { $0 != "\"" })
    }
  }

  @Test func aPreviewShowsEveryOutput() throws {
    let place = try Workplace()
    let thumb = #""name": "thumb", "format": "jpeg", "filters": "#
    try place.recipe(
      output: """
        "name": "full", "format": "jpeg", "current": true }, \
        { \(thumb) [ { "filter": "crop", "aspect": "1:1" }, { "filter": "invert" } ] }, \
        { "name": "tiny", "format": "png", "filters": [ { "filter": "resize", "longEdge": 20 } ]
        """)
    let page = try Self.page(place, "recipe")
    #expect(Self.pictures(page).count == 4)
    #expect(Set(Self.pictures(page)).count == 4)
    #expect(page.contains("<figcaption>thumb · 40×40</figcaption>"))
    #expect(page.contains("<figcaption>tiny · 20×13</figcaption>"))
    #expect(page.contains("<dt>Output full</dt><dd>60×40</dd>"))
    #expect(!page.contains("<figcaption>full"))
    // With one output, the page has no row of small pictures.
    try place.recipe()
    let single = try Self.page(place, "recipe")
    #expect(Self.pictures(single).count == 2)
    #expect(!single.contains("class=\"outputs\""))
  }

  /// If the rendition of the edit below is missing, the preview renders it first, and shows the
  /// same pictures as with the rendition.
  @Test func aPreviewRendersTheMissingRenditionOfTheEditBelow() throws {
    let place = try Workplace([])
    try place.addPhoto("a.jpg", width: 300, height: 200)
    for (name, stops) in [("one", 0.7), ("two", -0.4), ("three", 0.2)] {
      try place.recipe(
        name, variant: nil, stops: stops, output: "\"name\": \"\(name)\", \"format\": \"png\"")
      #expect(try place.run(name).code == 0)
    }
    try place.recipe(
      "three", variant: nil, stops: 0.9, output: #""name": "three", "format": "png""#)
    let expected = Self.pictures(try Self.page(place, "three"))
    #expect(expected.count == 2)
    for name in ["a.one.png", "a.two.png"] {
      try FileManager.default.removeItem(atPath: place.path("photos/\(name)"))
    }
    let before = try place.snapshot()
    let page = try Self.page(place, "three")
    #expect(Self.pictures(page) == expected)
    #expect(page.contains("<dt>Starts from</dt><dd>a.two.png</dd>"))
    #expect(try place.snapshot() == before)
    #expect(try place.leftovers() == [])
  }
}
