import Foundation
import Glibc
import TestSupport
import Testing

/// `"kind": "webSet"`: renditions for each width and format, their manifest, and the HTML elements
/// in it.
@Suite struct WebSetTests {
  private static let set = #"""
    "name": "web", "kind": "webSet", "widths": [100, 50, 200],
    "formats": [{"format": "webp", "quality": 70}, "jpeg"], "path": "{root}/img/{stem}-{width}.{digest:10}.{ext}"
    """#

  private func place(_ photos: [String: (Int, Int)], _ output: String = set) throws -> Workplace {
    let place = try Workplace([])
    for (name, size) in photos { try place.addPhoto(name, width: size.0, height: size.1) }
    try place.recipe(output: output)
    return place
  }

  private struct Manifest: Decodable {
    struct Photo: Decodable {
      struct Source: Decodable {
        struct File: Decodable {
          let file: String
          let url: String
          let width: Int
          let height: Int
          let bytes: Int
        }
        let type: String
        let files: [File]
      }
      let file: String
      let alt: String
      let placeholder: String?
      let sources: [Source]
      let html: String
      let width: Int
      let height: Int
    }
    let set: String
    let photos: [Photo]
  }

  private func manifest(_ place: Workplace, _ name: String = "photos/web.json") throws -> Manifest {
    try JSONDecoder().decode(Manifest.self, from: Data(place.folder.read(name)))
  }

  @Test func aWebSetRendersEveryWidthInEveryFormat() throws {
    let place = try place(["a.jpg": (300, 200), "trip/small one.jpg": (120, 240)])
    let first = try place.run()
    #expect(first.code == 0, "\(first.messages)")
    let manifest = try manifest(place)
    #expect(manifest.photos.map(\.file) == ["a.jpg", "trip/small one.jpg"])
    let (large, small) = (manifest.photos[0], manifest.photos[1])
    #expect(large.sources.map(\.type) == ["image/webp", "image/jpeg"])
    #expect(large.sources.map { $0.files.map(\.width) } == [[50, 100, 200], [50, 100, 200]])
    #expect((large.width, large.height) == (200, 133))
    // No rendition is larger than the photo.
    #expect(small.sources.map { $0.files.map(\.width) } == [[50, 100], [50, 100]])
    for file in manifest.photos.flatMap({ $0.sources.flatMap(\.files) }) {
      #expect(try place.read(file.file).count == file.bytes)
    }
    #expect(small.sources[0].files[0].url.hasPrefix("img/small%20one-50."))
    let check = try place.run("recipe", "--check")
    #expect(check.code == 0)
    let before = try place.snapshot()
    #expect(try place.run().output == "2 up-to-date\n")
    #expect(try place.snapshot() == before)
    #expect(try Command.run(["verify", place.library]).code == 0)
  }

  @Test func aWebSetReportsTheWidthsThatThePhotoIsTooSmallFor() throws {
    let place = try place(["a.jpg": (120, 80), "tiny.jpg": (30, 20)])
    let result = try place.run("recipe", "--format", "json")
    let done = try result.events.filter { $0["event"] as? String == "asset-done" }
    func detail(_ file: String) -> String? {
      done.first { $0["file"] as? String == file }?["detail"] as? String
    }
    #expect(
      detail("a.jpg") == "not rendered because the photo is too small: web-200-webp, web-200-jpeg")
    // A photo that is smaller than all widths has a rendition of its own size.
    let tiny = try #require(try manifest(place).photos.last)
    #expect(tiny.sources.map { $0.files.map(\.width) } == [[30], [30]])
    #expect(try place.leftovers() == [])
  }

  @Test func placeholdersInTheManifestAreSmallWebPPictures() throws {
    let place = try place(["a.jpg": (300, 200), "b.jpg": (200, 300)])
    _ = try place.run()
    for photo in try manifest(place).photos {
      let text = try #require(photo.placeholder)
      #expect(text.hasPrefix("data:image/webp;base64,"))
      let bytes = try #require(Data(base64Encoded: String(text.split(separator: ",")[1])))
      #expect(bytes.count <= 400)
      #expect(bytes.starts(with: Data("RIFF".utf8)))
      #expect(photo.html.contains("url(\(text))"))
    }
    try place.recipe(output: Self.set + #", "placeholder": false"#)
    _ = try place.run()
    #expect(try manifest(place).photos.allSatisfy { $0.placeholder == nil })
    #expect(try place.names().allSatisfy { !$0.contains("-20.") })
  }

  /// A transparent photo has no placeholder: a transparent placeholder would show through, and an
  /// opaque one would be black.
  @Test func transparentPhotosHaveNoPlaceholder() throws {
    let place = try place(["a.jpg": (300, 200)])
    try place.folder.write(
      SyntheticPhoto.png(width: 300, height: 200, alpha: true), to: "photos/b.png")
    try place.folder.write(SyntheticPhoto.png(width: 300, height: 200), to: "photos/c.png")
    #expect(try place.run().code == 0)
    let photos = try manifest(place).photos
    #expect(photos.map { $0.placeholder != nil } == [true, false, true])
    #expect(photos.map { $0.html.contains("background:") } == [true, false, true])
  }

  /// Browsers show the first format that they know, so a still AVIF file would hide the animation.
  @Test func animatedFormatsComeFirst() throws {
    let place = try Workplace([])
    try place.recipe(
      output: #"""
        "name": "web", "kind": "webSet", "widths": [16], "formats": ["jpeg", "avif", "gif", "webp"]
        """#, more: #""inputs": {"frames": "all"},"#)
    // The second frame is white, the others are black.
    var animation = HostileHeader.animation(frames: 3)
    let frames = animation.indices.filter { animation[$0...].starts(with: [2, 2, 0x44, 1, 0]) }
    animation[frames[1] + 2] = 0x4C
    try place.folder.write(animation, to: "photos/a.gif")
    try place.addPhoto("b.jpg", width: 30, height: 20)
    #expect(try place.run().code == 0)
    let photos = try manifest(place).photos
    #expect(photos[0].sources.map(\.type) == ["image/webp", "image/gif", "image/jpeg"])
    #expect(
      photos[1].sources.map(\.type) == ["image/avif", "image/webp", "image/jpeg", "image/gif"])
    #expect(photos.allSatisfy { $0.placeholder != nil })
  }

  @Test func anOptimizedFileStaysInTheManifest() throws {
    let place = try place(["a.jpg": (300, 200)])
    #expect(try place.run().code == 0)
    let made = try #require(try manifest(place).photos[0].sources.last?.files.last)
    let small = try SyntheticPhoto.jpeg(width: made.width, height: made.height, quality: 5)
    try #require(small.count < made.bytes)
    try place.folder.write(small, to: "photos/\(made.file)")
    #expect(try place.run().code == 4)
    let kept = try #require(try manifest(place).photos[0].sources.last?.files.last)
    #expect(kept.file == made.file && kept.bytes == small.count)
    #expect(try manifest(place).photos[0].width == 200)
    // An editor has saved another picture.
    try place.folder.write(
      SyntheticPhoto.jpeg(width: made.width, height: made.height, quality: 100),
      to: "photos/\(made.file)")
    #expect(try place.run().code == 4)
    #expect(try manifest(place).photos[0].sources.last?.files.map(\.width) == [50, 100])
  }

  /// The photos of a folder that is missing, such as one on a disk that is not mounted, are reported
  /// by each run.
  @Test func eachRunReportsAFolderThatIsMissing() throws {
    let place = try place(["a.jpg": (300, 200), "trip/b.jpg": (300, 200)])
    let output = ["--output", place.path("site")]
    #expect(try place.run("recipe", output[0], output[1]).code == 0)
    try FileManager.default.moveItem(
      atPath: place.path("photos/trip"), toPath: place.path("away"))
    for more in [[], [], ["--check"], ["--dry-run"]] {
      let result = try Command.run(
        ["run", place.path("recipe.json"), place.library] + output + more)
      #expect(result.code == 4, "\(more)")
      #expect(result.output.contains("1 original-missing"), "\(result.output)")
    }
  }

  /// The `img` element has no end tag, because HTML does not allow one.
  @Test func theHTMLElementsInTheManifestAreValid() throws {
    let place = try place(["a.jpg": (300, 200)])
    #expect(try place.run().code == 0)
    let html = try #require(try manifest(place).photos.first).html
    #expect(html.hasSuffix("></picture>") && !html.contains("</img>"))
  }

  @Test func changedRenditionsGetNewNamesAndTheOldFilesAreRemoved() throws {
    let place = try place(["a.jpg": (300, 200), "b.jpg": (300, 200)])
    _ = try place.run()
    let before = try place.names()
    try place.recipe(stops: -1, output: Self.set)
    #expect(try place.reasons().code == 0)
    let after = try place.names()
    #expect(before.count == after.count)
    let shared = Set(before).intersection(after)
    #expect(shared.count == 6, "\(shared.sorted())")
    #expect(
      try manifest(place).photos.flatMap { $0.sources.flatMap(\.files) }
        .allSatisfy { after.contains($0.file) })
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(try place.names() == before)
  }

  /// A recipe handles itself, too, so that its next run does not edit its own renditions.
  @Test func aRecipeThatHandlesAnotherOneStaysUpToDate() throws {
    let place = try place(["a.jpg": (300, 200)])
    try place.recipe("old", variant: nil)
    try place.recipe(
      variant: nil, output: Self.set, more: #""handles": ["org.example.old@^1.0.0"],"#)
    #expect(try place.run("old").code == 0)
    #expect(try place.run().code == 0)
    let names = try place.names()
    #expect(!names.contains("a.web.jpg"))
    #expect(try manifest(place).photos.map(\.file) == ["a.jpg"])
    #expect(try place.run().output == "1 up-to-date\n")
    #expect(try place.names() == names)
  }

  @Test func theManifestIsCompleteAfterRunsOverSinglePhotos() throws {
    let place = try place(["a.jpg": (300, 200), "b.jpg": (300, 200), "c.jpg": (300, 200)])
    try place.folder.write("a.jpg\n", to: "list")
    _ = try place.run("recipe", "--files-from", place.path("list"))
    #expect(try manifest(place).photos.map(\.file) == ["a.jpg"])
    try place.folder.write("b.jpg\n", to: "list")
    _ = try place.run("recipe", "--files-from", place.path("list"))
    #expect(try manifest(place).photos.map(\.file) == ["a.jpg", "b.jpg"])
    _ = try place.run()
    let whole = try place.read("web.json")
    // A missing photo is removed from the manifest by the next run.
    try FileManager.default.removeItem(atPath: place.path("photos/b.jpg"))
    let check = try place.reasons("recipe", "--check").reasons
    #expect(check["web.json"] == "due")
    #expect(check["b.jpg"] == "original-missing")
    #expect(try place.read("web.json") == whole)
    _ = try place.run()
    #expect(try manifest(place).photos.map(\.file) == ["a.jpg", "c.jpg"])
    #expect(try place.reasons("recipe", "--check").reasons["web.json"] == nil)
    try place.addPhoto("b.jpg", width: 300, height: 200)
    _ = try place.run()
    #expect(try place.read("web.json") == whole)
    // If the manifest is missing, the next run writes it again.
    let text = try place.read("web.json")
    try FileManager.default.removeItem(atPath: place.path("photos/web.json"))
    #expect(try place.run("recipe", "--check").code == 2)
    _ = try place.run()
    #expect(try place.read("web.json") == text)
  }

  @Test(
    .enabled(if: Unprivileged.isPossible),
    arguments: ["photos/trip", "site/trip", "site/img", "site/trip/b.jpg.phbatch.json"])
  func theManifestKeepsTheEntriesOfPhotosThatCannotBeRead(_ closed: String) throws {
    let place = try place(["a.jpg": (300, 200), "trip/b.jpg": (300, 200)])
    let output = ["--output", place.path("site")]
    let command = ["run", place.path("recipe.json"), place.library] + output
    try Unprivileged.open(place)
    #expect(try Command.run(command, prefix: Unprivileged.prefix).code == 0)
    let before = try place.folder.read("site/web.json")
    let mode = FileFacts(place.path(closed))?.mode ?? 0
    #expect(chmod(place.path(closed), 0) == 0)
    #expect(try Command.run(command, prefix: Unprivileged.prefix).code != 0)
    #expect(try place.folder.read("site/web.json") == before)
    #expect(chmod(place.path(closed), mode & 0o777) == 0)
    // A photo that is gone loses its entry although another folder cannot be read.
    try FileManager.default.removeItem(atPath: place.path("photos/a.jpg"))
    #expect(chmod(place.path(closed), 0) == 0)
    _ = try Command.run(command, prefix: Unprivileged.prefix)
    #expect(chmod(place.path(closed), mode & 0o777) == 0)
    #expect(try manifest(place, "site/web.json").photos.map(\.file) == ["trip/b.jpg"])
  }

  /// The folder of another photo cannot be read.
  @Test(.enabled(if: Unprivileged.isPossible))
  func theManifestLosesTheEntryOfAPhotoWhoseRenditionsWereAllChangedByHand() throws {
    let place = try place(["a.jpg": (300, 200), "trip/b.jpg": (300, 200)])
    try Unprivileged.open(place)
    #expect(try place.run(prefix: Unprivileged.prefix).code == 0)
    #expect(try manifest(place).photos.map(\.file) == ["a.jpg", "trip/b.jpg"])
    let changed = try place.names().filter { $0.hasPrefix("img/a-") }
    #expect(!changed.isEmpty)
    for name in changed { try place.folder.write("mine", to: "photos/\(name)") }
    try Unprivileged.open(place)
    #expect(chmod(place.path("photos/trip"), 0) == 0)
    _ = try place.run(prefix: Unprivileged.prefix)
    #expect(chmod(place.path("photos/trip"), 0o755) == 0)
    #expect(try manifest(place).photos.map(\.file) == ["trip/b.jpg"])
  }

  @Test func theNameOfTheSetCanBePartOfTheManifestsPath() throws {
    let place = try place(["a.jpg": (60, 40)], Self.set + #", "manifest": "data/{name}.list.json""#)
    #expect(try place.run().code == 0)
    #expect(try manifest(place, "photos/data/web.list.json").photos.map(\.file) == ["a.jpg"])
    try place.recipe(output: Self.set + #", "manifest": "data/{stem}.json""#)
    let refused = try place.run()
    #expect(refused.code == 65)
    #expect(refused.messages.contains("without braces except in {name}"))
  }

  @Test func theManifestDoesNotReplaceAFileOfAnotherProgram() throws {
    let place = try place(["a.jpg": (300, 200)])
    for text in ["mine", "{}", #"{"generator": "phbatch web set", "recipe": "org.example.other"}"#]
    {
      try place.folder.write(text, to: "photos/web.json")
      let (reasons, code) = try place.reasons()
      #expect(code == 4)
      #expect(reasons["web.json"] == "occupied")
      #expect(try place.read("web.json") == Array(text.utf8))
    }
  }

  /// A photo's own widths and formats are those of its entry in the manifest.
  @Test func aPhotoCanHaveItsOwnWidthsAndFormats() throws {
    let place = try place(["a.jpg": (300, 200), "b.jpg": (300, 200)])
    #expect(try place.run().code == 0)
    func adjust(_ setting: String) throws -> CommandResult {
      try Command.run([
        "adjust", place.path("photos/a.jpg"), "--recipe", place.path("recipe.json"), "--set",
        setting,
      ])
    }
    for setting in ["web.widths=[70]", #"web.formats=["png", "webp"]"#] {
      let result = try adjust(setting)
      #expect(result.code == 0, "\(result.messages)")
    }
    #expect(try place.run().code == 0)
    let photos = try manifest(place).photos
    #expect(photos.map(\.file) == ["a.jpg", "b.jpg"])
    #expect(photos[0].sources.map(\.type) == ["image/webp", "image/png"])
    #expect(photos[0].sources.map { $0.files.map(\.width) } == [[70], [70]])
    #expect(photos[0].placeholder != nil)
    #expect(photos[1].sources.map { $0.files.map(\.width) } == [[50, 100, 200], [50, 100, 200]])
    for key in ["sizes", "base", "manifest", "name", "placeholder", "kind"] {
      let result = try adjust("web.\(key)=x")
      #expect(result.code == 65)
      #expect(result.messages.contains("its own 'web.\(key)'"), "\(result.messages)")
    }
    #expect(try place.run("recipe", "--check").code == 0)
  }

  @Test func aWebSetWithAnOutputFolderIsWrittenOnlyThere() throws {
    let place = try place(["a.jpg": (300, 200)])
    let before = try place.snapshot()
    #expect(try place.run("recipe", "--output", place.path("site")).code == 0)
    #expect(try place.snapshot() == before)
    let manifest = try manifest(place, "site/web.json")
    let file = try #require(manifest.photos.first?.sources.first?.files.first)
    #expect(try place.folder.read("site/\(file.file)").count == file.bytes)
  }

  @Test(
    .enabled(if: ExifTool.isHere),
    arguments: [
      (["-EXIF:ImageDescription=A dog on a beach"], "A dog on a beach"),
      (["-XMP-dc:Description=A dog on a beach"], "A dog on a beach"),
      (["-IPTC:Caption-Abstract=A dog on a beach"], "A dog on a beach"),
      (["-XMP-dc:Title=Dog"], "Dog"),
      (["-EXIF:ImageDescription=NASA: THE MOON"], "NASA: THE MOON"),
      (["-EXIF:ImageDescription=OLYMPUS DIGITAL CAMERA         "], ""),
      (["-EXIF:ImageDescription=SONY DSC"], ""), ([], ""),
    ])
  func theAlternativeTextIsThePhotosDescription(_ tags: [String], _ text: String) throws {
    let place = try place([:])
    let photo = try SyntheticPhoto.jpeg(width: 60, height: 40)
    try place.folder.write(
      tags.isEmpty ? photo : ExifTool.writing(tags, into: photo, "jpg"), to: "photos/a.jpg")
    #expect(try place.run().code == 0)
    let entry = try #require(try manifest(place).photos.first)
    #expect(entry.alt == text && entry.html.contains("alt=\"\(text)\""))
  }

  @Test func fileNamesInTheManifestCannotBecomeHTMLMarkup() throws {
    let name = #"a"><script>, 1 2%.jpg"#
    let place = try place([name: (60, 40)])
    #expect(try place.run().code == 0)
    let html = try #require(try manifest(place).photos.first).html
    #expect(!html.contains("script>"))
    #expect(html.contains("a%22%3E%3Cscript%3E%2C%201%202%25-50."))
  }
}
