import Foundation
import TestSupport
import Testing

/// `phbatch adjust` with `--from`, which copies the settings of another photo, and with `--list`,
/// which prints the photo's own settings.
@Suite struct CopiedSettingsTests {
  private let place: Workplace

  init() throws {
    place = try Workplace(["a.jpg", "b.jpg", "c.jpg"])
    try place.folder.write(
      """
      {
        "identifier": "org.example.copied", "version": "1.0.0", "variant": "web",
        "filters": [
          { "filter": "exposure", "stops": 0.1 }, { "filter": "contrast", "amount": 0.1 }
        ],
        "outputs": [ { "name": "web", "format": "png" } ]
      }
      """, to: "recipe.json")
    #expect(try place.run().code == 0)
    try adjust("a", "--set", "exposure.stops=1", "--set", "contrast.amount=0.3")
    try adjust("b", "--set", "contrast.amount=-0.2")
  }

  private func photo(_ name: String) -> String { place.path("photos/\(name).jpg") }

  private func adjust(_ name: String, _ options: String...) throws {
    let result = try Command.run(["adjust", photo(name)] + options)
    #expect(result.code == 0, "\(result.messages)")
  }

  /// The photo's own settings that `--list` prints, without the first two lines, which name the
  /// photo and the edit.
  private func list(_ name: String) throws -> [String] {
    let lines = try Command.run(["adjust", photo(name), "--list"]).lines
    return lines.dropFirst(2).map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test func adjustCopiesTheSettingsOfAnotherPhoto() throws {
    try adjust("b", "--from", photo("a"), "--only", "exposure")
    try adjust("c", "--from", photo("a"), "--only", "exposure.stops")
    #expect(try list("b") == ["contrast.amount = -0.2", "exposure.stops = 1"])
    #expect(try list("c") == ["exposure.stops = 1"])
    // Without `--only`, all settings are copied, so that both photos have the same settings.
    try adjust("b", "--from", photo("a"))
    #expect(try list("b") == ["contrast.amount = 0.3", "exposure.stops = 1"])
    #expect(
      try place.reasons().reasons
        == ["a.jpg": "rendered", "b.jpg": "rendered", "c.jpg": "rendered"])
    #expect(try place.read("a.web.png") == place.read("b.web.png"))
    #expect(try place.read("a.web.png") != place.read("c.web.png"))
  }

  /// The focal point belongs to the picture, so it is copied only if `--only` names it.
  @Test func aFocalPointIsCopiedOnlyIfTheCommandNamesIt() throws {
    try adjust("a", "--focal-point", "0.3,0.4")
    try adjust("b", "--from", photo("a"))
    #expect(try !list("b").contains { $0.contains("focal") })
    try adjust("b", "--from", photo("a"), "--only", "focalPoint")
    #expect(
      try list("b") == ["contrast.amount = 0.3", "exposure.stops = 1", "focal point 0.3, 0.4"])
  }

  @Test func copyingSettingsThatAPhotoDoesNotHaveIsAnError() throws {
    let before = try place.snapshot()
    let none = try Command.run(["adjust", photo("a"), "--from", photo("c")])
    #expect(none.code == 66 && none.messages.contains("has no settings of its own"))
    let other = try Command.run(["adjust", photo("a"), "--from", photo("b"), "--only", "exposure"])
    #expect(other.code == 66 && other.messages.contains("for 'exposure'"))
    #expect(try Command.run(["adjust", photo("a"), "--only", "exposure"]).code == 64)
    let empty = ["adjust", photo("c"), "--from", photo("a"), "--only", " ,"]
    #expect(try Command.run(empty).code == 64)
    #expect(
      try Command.run(["adjust", photo("a"), "--list", "--set", "exposure.stops=2"]).code == 64)
    #expect(try place.snapshot() == before)
  }

  @Test func adjustListsAPhotosOwnSettingsAsText() throws {
    #expect(
      try Command.run(["adjust", place.library, "--list"]).output == """
        a.jpg
          variant web: org.example.copied 1.0.0
            contrast.amount = 0.3
            exposure.stops = 1
        b.jpg
          variant web: org.example.copied 1.0.0
            contrast.amount = -0.2
        c.jpg: no settings of its own

        """)
  }

  @Test func adjustListsAPhotosOwnSettingsAsJSON() throws {
    let photos = try Command.run(["adjust", place.library, "--list", "--format", "json"]).events
    #expect(photos.map { $0["file"] as? String } == ["a.jpg", "b.jpg", "c.jpg"])
    let edit = try #require((photos[0]["edits"] as? [[String: Any]])?.first)
    #expect(edit["variant"] as? String == "web")
    #expect(edit["settings"] as? [String: Double] == ["exposure.stops": 1, "contrast.amount": 0.3])
  }
}
