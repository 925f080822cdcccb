import Foundation
import TestSupport
import Testing

/// Policies of metadata for films: groups, texts that a recipe sets, and Live Photos.
@Suite(.enabled(if: FFmpeg.isHere && ExifTool.isHere)) struct FilmMetadataTests {
  private static let place = "+48.8577+002.2950+035.000/"

  /// A library with one film that has texts of each group, with a name such as `a.mov`.
  private static func library(_ name: String) throws -> Workplace {
    let workplace = try Workplace([])
    let isQuickTime = name.hasSuffix("mov")
    let prefix = isQuickTime ? "com.apple.quicktime." : ""
    let texts = [
      "location\(isQuickTime ? ".ISO6709" : "")": place, "title": "Old title",
      "copyright": "Old rights", "make": "Acme", "comment": "Private",
      isQuickTime ? "author" : "artist": "Ada",
      isQuickTime ? "creationdate" : "date": "2024-05-06T07:08:09Z",
      "keywords": "one,two",
    ]
    let named = texts.flatMap { ["-metadata", "\(prefix)\($0.key)=\($0.value)"] }
    try FFmpeg.makeFilm(
      workplace.path("photos/\(name)"),
      (name.hasSuffix("mkv") || name.hasSuffix("webm")
        ? ["-c:v", "libvpx-vp9", "-c:a", "libopus"]
        : ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"])
        + ["-metadata", "creation_time=2024-05-06T07:08:09Z"] + named
        + (isQuickTime ? ["-movflags", "use_metadata_tags"] : []))
    return workplace
  }

  private static func recipe(
    _ place: Workplace, _ format: String, _ policy: String, steps: String
  )
    throws
  {
    try place.folder.write(
      """
      { "identifier": "org.example.film", "version": "1.0.0", "filters": [ \(steps) ],
        "outputs": [ { "name": "out", "format": "\(format)", "metadata": \(policy) } ] }
      """, to: "recipe.json")
  }

  /// All texts of a film, as ffprobe reads them.
  private static func texts(_ path: String) throws -> String {
    let output = try FFmpeg.run(
      ["-show_entries", "format_tags:stream_tags:chapter_tags", "-of", "default", path],
      program: "ffprobe")
    return String(decoding: output, as: UTF8.self)
  }

  static let files = ["a.mov", "a.mp4", "a.mkv"]
  static let steps = ["", #"{ "filter": "exposure", "stops": 0.3 }"#]

  @Test(arguments: files, steps)
  func droppedGroupsAreNotInTheFile(_ name: String, _ steps: String) throws {
    let place = try Self.library(name)
    let format = name.hasSuffix("mov") ? "mov" : "mp4"
    try Self.recipe(
      place, format, #"{ "preset": "all", "drop": ["gps", "comment"] }"#, steps: steps)
    let result = try place.run()
    #expect(result.code == 0, "\(result.messages)")
    let bytes = try place.read("a.out.\(format)")
    for denied in ["48.85", "Private", "002.29"] {
      #expect(bytes.firstRange(of: Array(denied.utf8)) == nil, "\(denied)")
    }
    let texts = try Self.texts(place.path("photos/a.out.\(format)"))
    #expect(texts.contains("Old title") && texts.contains("Ada"), "\(texts)")
    #expect(texts.contains("2024-05-06"))
    let original = place.path("photos/\(name)")
    let made = place.path("photos/a.out.\(format)")
    if steps.isEmpty && name != "a.mkv" {
      #expect(!result.messages.contains("encoded again"), "\(result.messages)")
      #expect(try FFmpeg.soundDigests(made) == FFmpeg.soundDigests(original))
      for number in [0, 20] {
        #expect(try FFmpeg.frame(number, of: made) == FFmpeg.frame(number, of: original))
      }
      #expect(try FFmpeg.times(made) == FFmpeg.times(original))
    }
    #expect(try Command.run(["verify", place.library]).code == 0)
  }

  /// `web` keeps rights and creator only; `none` keeps nothing.
  @Test(arguments: files, ["web", "none"])
  func presetsWorkAsInPhotos(_ name: String, _ preset: String) throws {
    let place = try Self.library(name)
    let format = name.hasSuffix("mov") ? "mov" : "mp4"
    try Self.recipe(place, format, "\"\(preset)\"", steps: Self.steps[1])
    #expect(try place.run().code == 0)
    let bytes = try place.read("a.out.\(format)")
    for denied in ["48.85", "Private", "Old title", "Acme", "2024"] {
      #expect(bytes.firstRange(of: Array(denied.utf8)) == nil, "\(denied)")
    }
    let texts = try Self.texts(place.path("photos/a.out.\(format)"))
    #expect(texts.contains("Old rights") == (preset == "web"), "\(texts)")
    #expect(texts.contains("Ada") == (preset == "web"), "\(texts)")
    #expect(!texts.contains("2024"), "\(texts)")
  }

  @Test(arguments: files + ["a.webm"])
  func textsOfTheRecipeReplaceThoseOfTheFilm(_ name: String) throws {
    let place = try Self.library(name)
    let format =
      name.hasSuffix("mkv")
      ? "webm" : String(name.suffix(from: name.index(name.startIndex, offsetBy: 2)))
    try Self.recipe(
      place, format,
      #"{ "preset": "all", "set": { "title": "Neuer Titel ü", "copyright": "© {date:yyyy} Ada", "headline": "News" } }"#,
      steps: Self.steps[1])
    let result = try place.run()
    #expect(result.code == 0, "\(result.messages)")
    let made = place.path("photos/a.out.\(format)")
    let texts = try Self.texts(made)
    #expect(texts.contains("Neuer Titel ü") && !texts.contains("Old title"), "\(texts)")
    #expect(texts.contains(" Ada") && !texts.contains("Old rights"), "\(texts)")
    let bytes = try place.read("a.out.\(format)")
    #expect(bytes.firstRange(of: Array("Old title".utf8)) == nil)
    if format == "webm" { return }
    let tags = try ExifTool.tags(of: bytes)
    #expect(tags["XMP-dc:Title"] == "Neuer Titel ü", "\(tags)")
    #expect(tags["XMP-photoshop:Headline"] == "News")
    #expect(
      tags.contains {
        $0.key.hasSuffix(":Title") && !$0.key.hasPrefix("XMP") && $0.value == "Neuer Titel ü"
      },
      "\(tags)")
  }

  @Test(arguments: ["a.mov", "a.mp4"]) func coordinatesAreRounded(_ name: String) throws {
    let place = try Self.library(name)
    let format = String(name.suffix(3))
    try Self.recipe(
      place, format, #"{ "preset": "all", "gps": "round(10)" }"#, steps: Self.steps[0])
    #expect(try place.run().code == 0)
    let tags = try ExifTool.tags(of: place.read("a.out.\(format)"))
    let found = tags.first {
      $0.key.hasSuffix("GPSCoordinates") || $0.key.hasSuffix(":GPSPosition")
    }
    let numbers = try #require(found).value.split(separator: " ").compactMap { Double($0) }
    #expect(numbers.count >= 2)
    #expect(abs(numbers[0] - 48.8577) < 0.06 && abs(numbers[0] - 48.8577) > 1e-3, "\(numbers)")
    #expect(abs(numbers[1] - 2.295) < 0.08, "\(numbers)")
  }

  /// A Live Photo stays a pair without its place, though the camera's note is left out.
  @Test(arguments: [
    #"{ "preset": "all", "drop": ["gps"] }"#, #"{ "preset": "all", "set": { "creator": "Ada" } }"#,
    #"{ "preset": "all", "drop": ["serials"] }"#, #"{ "drop": ["0xa431"] }"#, #""web""#,
    #"{ "keep": ["copyright"] }"#,
  ])
  func aLivePhotoStaysAPair(_ policy: String) throws {
    let live = try LivePhotoPlace()
    try live.recipe(
      #"{ "name": "out", "format": "jpeg", "live": "keep", "metadata": \#(policy) }"#)
    let result = try live.place.run()
    #expect(result.code == 0, "\(result.messages)")
    #expect(!result.messages.contains("film"), "\(result.messages)")
    try live.expectPair("a.out.jpg", "a.out.mov")
    let index = try ExifTool.tags(of: live.place.read("a.out.jpg"))["Apple:LivePhotoVideoIndex"]
    #expect((index != nil) == policy.contains(#""set""#))
    #expect(try live.verify().code == 0)
  }

  @Test(arguments: [#""none""#, #"{ "preset": "all", "drop": ["0x927c"] }"#])
  func withoutAnyIdentifierThereIsNoPair(_ policy: String) throws {
    let live = try LivePhotoPlace()
    try live.recipe(
      #"{ "name": "out", "format": "jpeg", "live": "keep", "metadata": \#(policy) }"#)
    let result = try live.place.run()
    #expect(result.code == 0)
    #expect(result.messages.contains("leave out what joins it"), "\(result.messages)")
    #expect(!live.has("a.out.mov"))
  }

  /// An XMP file beside a Live Photo describes its film, too, so that both state one place.
  @Test func textsBesideTheLivePhotoAreInItsFilm() throws {
    let live = try LivePhotoPlace()
    try FFmpeg.makeFilm(
      live.path("a.mov"),
      [
        "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le", "-metadata",
        "com.apple.quicktime.content.identifier=\(LivePhotoPlace.identifier)", "-metadata",
        "com.apple.quicktime.location.ISO6709=\(Self.place)", "-metadata",
        "com.apple.quicktime.title=Old title", "-movflags", "use_metadata_tags",
      ])
    try live.place.folder.write(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
       xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
       exif:GPSLatitude="10,30.0S" exif:GPSLongitude="20,15.0W"><dc:title><rdf:Alt>
       <rdf:li xml:lang="x-default">New title</rdf:li></rdf:Alt></dc:title></rdf:Description>
      </rdf:RDF></x:xmpmeta>
      """, to: "photos/a.xmp")
    let result = try live.place.run()
    #expect(result.code == 0, "\(result.messages)")
    try live.expectPair("a.out.jpg", "a.out.mov")
    let texts = try Self.texts(live.path("a.out.mov"))
    #expect(texts.contains("-10.5000-020.2500/"), "\(texts)")
    #expect(texts.contains("New title") && !texts.contains("Old title"), "\(texts)")
    #expect(!texts.contains("48.85"))
    #expect(try live.verify().code == 0)
  }

  /// Apple's keys become tags of Matroska, and obey the policy.
  @Test func keysOfApplesBecomeTagsInWebM() throws {
    let place = try Self.library("a.mov")
    func texts(_ policy: String) throws -> String {
      try Self.recipe(place, "webm", policy, steps: "")
      let result = try place.run()
      #expect(result.code == 0, "\(result.messages)")
      return try Self.texts(place.path("photos/a.out.webm"))
    }
    let all = try texts(#""all""#)
    let date = "DATE_RECORDED=2024-05-06T07:08:09Z"
    for tag in [
      "title=Old title", "ARTIST=Ada", "COPYRIGHT=Old rights", "MAKE=Acme", "COMMENT=Private",
      "KEYWORDS=one,two", "LOCATION=\(Self.place)", date,
    ] {
      #expect(all.contains("TAG:\(tag)"), "\(tag): \(all)")
    }
    for old in ["quicktime", "brand", "minor_version"] {
      #expect(!all.lowercased().contains(old), "\(all)")
    }
    let placeless = try texts(#"{ "preset": "all", "drop": ["gps"] }"#)
    #expect(placeless.contains(date) && !placeless.contains("LOCATION"), "\(placeless)")
    let bytes = try place.read("a.out.webm")
    #expect(bytes.firstRange(of: Array("48.85".utf8)) == nil)
    let few = try texts(#""web""#)
    #expect(few.contains("ARTIST=Ada") && !few.contains("MAKE") && !few.contains("2024"), "\(few)")
  }

  /// MP4 has other keys than QuickTime; what it cannot store becomes XMP.
  @Test func anotherContainerKeepsPlaceDateAndCamera() throws {
    let place = try Self.library("a.mov")
    try Self.recipe(place, "mp4", #""all""#, steps: Self.steps[1])
    let result = try place.run()
    #expect(result.code == 0, "\(result.messages)")
    let tags = try ExifTool.tags(of: place.read("a.out.mp4"))
    #expect(tags["XMP-tiff:Make"] == "Acme", "\(tags)")
    #expect(tags.contains { $0.key.hasSuffix(":GPSPosition") && $0.value.hasPrefix("48.857") })
    let texts = try Self.texts(place.path("photos/a.out.mp4"))
    for kept in ["Old title", "Old rights", "Ada", "2024-05-06", "Private"] {
      #expect(texts.contains(kept), "\(kept): \(texts)")
    }
  }
}
