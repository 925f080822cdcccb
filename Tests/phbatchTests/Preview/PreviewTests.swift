import Foundation
import TestSupport
import Testing

/// The `preview` command, and the output of `run --dry-run --preview`.
@Suite struct PreviewTests {
  /// The path of a browser that can run without a screen; nil if none is installed.
  private static let browser = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private static var hasBrowser: Bool {
    if browser != nil { return true }
    print("SKIPPED: there is no chromium to open a preview with")
    return false
  }

  private static func preview(
    _ place: Workplace, _ arguments: String..., recipe: String = "recipe"
  ) throws -> CommandResult {
    try Command.run(["preview", place.path("\(recipe).json")] + arguments)
  }

  private static func text(_ place: Workplace, _ name: String = "p.html") throws -> String {
    String(decoding: try place.folder.read(name), as: UTF8.self)
  }

  @Test func aPreviewWritesOnlyThePage() throws {
    let place = try Workplace(["a.jpg", "b.png"])
    try place.recipe()
    let before = try place.snapshot(below: "")
    let result = try Self.preview(place, place.library, "-o", place.path("p.html"))
    #expect(result.code == 0, "\(result.messages)")
    var after = try place.snapshot(below: "")
    #expect(after.removeValue(forKey: "p.html") != nil)
    #expect(after == before)
    let page = try Self.text(place)
    #expect(page.components(separatedBy: "data:image/jpeg;base64,").count == 5)
    #expect(page.contains("2 photos, 2 due"))
    #expect(page.contains("<th scope=\"row\">exposure.stops</th><td><code>0.5</code>"))
    #expect(!page.contains("http:") && !page.contains("https:"))
  }

  @Test func fileNamesInAPreviewAreNeverHTMLMarkup() throws {
    let names = ["<script>alert(1)<script>.jpg", "\"onload='alert(1)'&amp;.jpg", "a\u{202E}b.jpg"]
    let place = try Workplace(names)
    try place.recipe()
    let result = try Self.preview(place, place.library, "-o", place.path("p.html"))
    #expect(result.code == 0, "\(result.messages)")
    let page = try Self.text(place)
    #expect(page.components(separatedBy: "<script>").count == 2)
    #expect(page.contains("&lt;script&gt;alert(1)&lt;script&gt;.jpg"))
    #expect(page.contains("&quot;onload=&#39;alert(1)&#39;&amp;amp;.jpg"))
    #expect(!page.contains("\"onload"))
  }

  @Test func aPreviewShowsAPhotoThatIsInNoLibrary() throws {
    let place = try Workplace(["a.jpg", "b.jpg"])
    try place.recipe()
    let result = try Self.preview(place, "\(place.library)/b.jpg", "-o", place.path("p.html"))
    #expect(result.code == 0, "\(result.messages)")
    let page = try Self.text(place)
    #expect(page.contains("1 photo, 1 due"))
    #expect(page.contains("b.jpg") && !page.contains("a.jpg"))
    #expect(try place.names() == ["a.jpg", "b.jpg"])
  }

  @Test func aPreviewShowsPhotosThatAreUpToDate() throws {
    let place = try Workplace()
    try place.recipe()
    #expect(try place.run().code == 0)
    let result = try Self.preview(place, place.library, "-o", place.path("p.html"))
    #expect(result.code == 0)
    let page = try Self.text(place)
    #expect(page.contains("1 photo, 0 due") && page.contains("not change it: up-to-date"))
    #expect(page.contains("data:image/jpeg"))
  }

  /// A preview uses the photo's own settings, like a run.
  @Test func aPreviewUsesThePhotosOwnSettings() throws {
    let place = try Workplace()
    try place.recipe()
    #expect(try place.run().code == 0)
    let adjusted = try Command.run(
      ["adjust", "\(place.library)/a.jpg", "--variant", "web", "--set", "exposure.stops=-2.0"])
    #expect(adjusted.code == 0, "\(adjusted.messages)")
    #expect(try Self.preview(place, place.library, "-o", place.path("p.html")).code == 0)
    let page = try Self.text(place)
    #expect(page.contains("this photo&#39;s own") && page.contains("<code>-2"))
    #expect(page.contains("render it"))
  }

  /// The preview of a recipe that edits on top of another recipe's edit starts from that edit's
  /// rendition.
  @Test func aPreviewStartsFromTheRenditionOfTheEditBelow() throws {
    let place = try Workplace()
    try place.recipe("first", variant: nil, output: #""name": "one", "format": "jpeg""#)
    try place.recipe("second", variant: nil, output: #""name": "two", "format": "jpeg""#)
    #expect(try place.run("first").code == 0)
    let result = try Self.preview(
      place, place.library, "-o", place.path("p.html"), recipe: "second")
    #expect(result.code == 0, "\(result.messages)")
    #expect(try Self.text(place).contains("<dt>Starts from</dt><dd>a.one.jpg</dd>"))
  }

  @Test func aPreviewShowsTheReasonForAFailedPhoto() throws {
    let place = try Workplace(["a.jpg", "cut.jpg"])
    try place.folder.write(Array(try place.read("cut.jpg").prefix(200)), to: "photos/cut.jpg")
    try place.recipe()
    let result = try Self.preview(place, place.library, "-o", place.path("p.html"))
    #expect(result.code == 3)
    #expect(result.output.hasPrefix("wrote "))
    #expect(result.messages.hasPrefix("cut.jpg: "), "\(result.messages)")
    #expect(result.messages.contains("\n  hint: "), "\(result.messages)")
    let page = try Self.text(place)
    #expect(page.contains("fail: ") && page.contains("2 photos, 1 due"))
  }

  @Test func aPreviewReplacesOnlyAnEarlierPreviewPage() throws {
    let place = try Workplace()
    try place.recipe()
    try place.folder.write("<!DOCTYPE html><p>mine", to: "p.html")
    let refused = try Self.preview(place, place.library, "-o", place.path("p.html"))
    #expect(refused.code == 73 && refused.messages.contains("--yes"))
    #expect(try Self.text(place) == "<!DOCTYPE html><p>mine")
    #expect(try Self.preview(place, place.library, "-o", place.path("p.html"), "--yes").code == 0)
    // An existing preview page is replaced without `--yes`.
    #expect(try Self.preview(place, place.library, "-o", place.path("p.html")).code == 0)
    // A picture is not replaced, even with `--yes`.
    try place.addPhoto("b.png")
    let picture = try Self.preview(place, place.library, "-o", "\(place.library)/b.png", "--yes")
    #expect(picture.code == 73)
  }

  @Test func aPreviewRefusesWrongOptionsAndPaths() throws {
    let place = try Workplace()
    try place.recipe()
    #expect(try Self.preview(place, place.library, "-o", place.path("p.txt")).code == 64)
    #expect(try Self.preview(place, place.path("none.jpg")).code == 66)
    #expect(try Self.preview(place, place.library, "--size", "5").code == 64)
    let unwritable = try Self.preview(place, place.library, "-o", "/proc/p.html")
    #expect(unwritable.code == 73)
    #expect(unwritable.messages.hasPrefix("Error: cannot write '/proc/p.html': No such file"))
    try place.folder.write("text", to: "photos/notes.txt")
    let notes = try Self.preview(
      place, place.path("photos/notes.txt"), "-o", place.path("p.html"))
    #expect(notes.code == 66 && notes.messages.contains("no photo"))
  }

  @Test func aContactSheetIsWrittenAsAPNGOfAllPhotos() throws {
    let place = try Workplace(["a.jpg", "<b>&.jpg"])
    try place.recipe()
    for _ in 0..<2 {
      let result = try Self.preview(place, place.library, "-o", place.path("p.png"))
      #expect(result.code == 0, "\(result.messages)")
    }
    let bytes = try place.folder.read("p.png")
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }

  @Test func aDryRunWithPreviewShowsTheDuePhotos() throws {
    let place = try Workplace(["a.jpg", "b.jpg"])
    try place.recipe()
    #expect(try place.run().code == 0)
    try place.addPhoto("c.jpg")
    let result = try place.run("recipe", "--dry-run", "--preview", place.path("p.html"))
    #expect(result.code == 0, "\(result.messages)")
    let page = try Self.text(place)
    #expect(page.contains("1 photo, 1 due") && page.contains("c.jpg"))
    #expect(try place.run("recipe", "--preview", place.path("q.html")).code == 64)
  }

  /// The slider moves the dividing line: if the page is opened with two different positions, the
  /// line is at two different positions.
  @Test(.enabled(if: hasBrowser)) func theSliderOfThePreviewMovesTheDividingLine() throws {
    let place = try Workplace(["a.jpg", "<script>document.title='broken'<script>.jpg"])
    try place.recipe()
    #expect(try Self.preview(place, place.library, "-o", place.path("p.html")).code == 0)
    func opened(_ fragment: String) throws -> String {
      let result = try Command.run(
        [],
        prefix: [
          "sh", "-c",
          """
          exec timeout 120 '\(Self.browser ?? "")' --headless=new --no-sandbox --disable-gpu \
          --user-data-dir='\(place.path("profile"))' --virtual-time-budget=2000 --dump-dom \
          'file://\(place.path("p.html"))#\(fragment)'
          """,
        ])
      return result.output
    }
    let first = try opened("p1:30")
    #expect(first.contains("--at: 30%") || first.contains("--at:30%"))
    #expect(first.contains("class=\"photo open\""))
    let second = try opened("p1:80")
    #expect(second.contains("--at: 80%") || second.contains("--at:80%"))
    #expect(!second.contains("<title>broken"))
  }
}
