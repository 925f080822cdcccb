import Foundation
import TestSupport
import Testing

/// Photos that change during a run, between its plan and its end; a script that the recipe runs
/// changes them.
@Suite(.serialized) struct MovingPhotoTests {
  /// Two photos, and a recipe with a step that runs a script before it passes its input on.
  private static func place(_ script: String) throws -> Workplace {
    let place = try Workplace(["a.jpg", "b.jpg"])
    let names = [
      "PHOTO": "photos/a.jpg", "RENDITION": "photos/a.web.jpg", "SEEN": "seen", "MARK": "mark",
    ]
    let command = names.reduce("\(script); cat") { text, name in
      text.replacingOccurrences(of: name.key, with: place.path(name.value))
    }
    let words = String(decoding: try JSONEncoder().encode(["sh", "-c", command]), as: UTF8.self)
    try place.folder.write(
      """
      {"identifier": "org.example.moving", "version": "1.0.0", "variant": "web",
       "filters": [{"filter": "external", "command": \(words)}],
       "outputs": [{"name": "web", "format": "jpeg"}]}
      """, to: "recipe.json")
    return place
  }

  @Test(arguments: [
    "printf x >> 'PHOTO'", "cp -p 'PHOTO' 'PHOTO.new' && mv 'PHOTO.new' 'PHOTO'", "rm -f 'PHOTO'",
    "rm -f 'PHOTO' && mkdir -p 'PHOTO'",
  ])
  func renditionsOfAChangedPhotoAreNotPublished(_ script: String) throws {
    let place = try Self.place(script)
    let result = try place.run("recipe", "--allow-external", "--jobs", "1")
    #expect(result.code == 3, "\(result.messages)")
    #expect(result.messages.contains("a.jpg: "))
    let names = try place.names().filter { $0.hasPrefix("a.") && $0 != "a.jpg" }
    #expect(names == [])
    #expect(try place.leftovers() == [])
  }

  /// The step has no effect for the first photo, and runs the script for the following photos.
  private static func laterPlace(_ script: String) throws -> Workplace {
    try place("if [ -e 'MARK' ]; then \(script); else touch 'MARK'; fi")
  }

  @Test func finishedPhotosArePublishedBeforeASlowPhotoIsDone() throws {
    let place = try Self.laterPlace(
      "for i in $(seq 5000); do [ -e 'RENDITION' ] && touch 'SEEN' && break; sleep 0.1; done")
    let result = try place.run(
      "recipe", "--allow-external", "--jobs", "1", "--timeout", "600")
    #expect(result.code == 0, "\(result.messages)")
    #expect(try place.folder.files().contains("seen"))
  }

  /// In an atomic run, a photo that changes after its rendering, while the commit still waits for
  /// other photos, is not published.
  @Test(arguments: [
    ("printf x >> 'PHOTO'", "changed after it was read"), ("rm -f 'PHOTO'", "file-missing"),
  ])
  func aPhotoThatChangesBeforeAnAtomicCommitIsNotPublished(
    _ script: String, _ message: String
  ) throws {
    let place = try Self.laterPlace(script)
    let result = try place.run("recipe", "--allow-external", "--jobs", "1", "--atomic")
    #expect(result.code == 3, "\(result.messages)")
    #expect(result.messages.contains(message), "\(result.messages)")
    #expect(try place.names().allSatisfy { ["a.jpg", "b.jpg"].contains($0) })
    #expect(try place.leftovers() == [])
  }

  /// A file of a few kilobytes whose header states 4 gigapixels is refused.
  @Test func aSmallFileWhoseHeaderStatesFourGigapixelsIsRefused() throws {
    let place = try Workplace()
    try place.recipe()
    var bytes = try SyntheticPhoto.jpeg(width: 60, height: 40)
    let frame = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xC0]) })
    for offset in [5, 6, 7, 8] { bytes[frame + offset] = 0xFA }
    try place.folder.write(bytes, to: "photos/bomb.jpg")
    let (reasons, code) = try place.reasons()
    #expect(code == 3)
    #expect(reasons == ["a.jpg": "rendered", "bomb.jpg": "too-large"])
    let text = try place.run()
    #expect(text.messages.contains("bomb.jpg: too-large"))
  }
}
