import Foundation
import TestSupport
import Testing

/// A library with Live Photos: JPEG photos of 240×160 pixels with films of 96×64 pixels.
struct LivePhotoPlace {
  static let identifier = "66ED47F2-E0C3-4709-8468-79070E46AF2C"

  /// A crop and an exposure, which photos and films can have.
  static let edit = """
    { "filter": "crop", "left": "25%", "top": 0, "width": "50%", "height": "50%" },
    { "filter": "exposure", "stops": 0.4 }
    """

  static let keeping = #"{ "name": "out", "format": "jpeg", "metadata": "all" }"#

  let place: Workplace

  /// Makes a library with the pair `a.jpg` and `a.mov`, and a recipe that keeps the film.
  init() throws {
    place = try Workplace([])
    try addPhoto("a.jpg")
    try addFilm("a.mov")
    try recipe()
  }

  func addPhoto(_ name: String, identifier: String = identifier) throws {
    let photo = try SyntheticPhoto.jpeg(width: 240, height: 160)
    try place.folder.write(
      LivePhotoFile.photo(photo, identifier: identifier), to: "photos/\(name)")
  }

  /// Makes a film with the identifier, which FFmpeg writes into its own place.
  func addFilm(_ name: String, identifier: String? = identifier, rate: String = "25") throws {
    let key = identifier.map { ["-metadata", "com.apple.quicktime.content.identifier=\($0)"] }
    try FFmpeg.makeFilm(
      place.path("photos/\(name)"), rate: rate,
      ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le"]
        + (key ?? []) + ["-movflags", "use_metadata_tags"])
  }

  /// Replaces a film by one with the identifier of another photo or without an identifier, or damages
  /// it: cuts it off, or gives its pictures an unknown codec.
  func damage(_ name: String, _ fault: String) throws {
    switch fault {
    case "other": try addFilm(name, identifier: String(repeating: "0", count: 36))
    case "none": try addFilm(name, identifier: nil)
    case "cut":
      let film = try place.read(name)
      try place.folder.write(Array(film.prefix(film.count / 2)), to: "photos/\(name)")
    default:
      var film = try place.read(name)
      let codec = try #require(film.firstRange(of: Array("avc1".utf8)))
      film.replaceSubrange(codec, with: Array("zzzz".utf8))
      try place.folder.write(film, to: "photos/\(name)")
    }
  }

  func recipe(_ outputs: String = keeping, filters: String = edit) throws {
    try place.folder.write(
      """
      { "identifier": "org.example.live", "version": "1.0.0",
        "filters": [ \(filters) ], "outputs": [ \(outputs) ] }
      """, to: "recipe.json")
  }

  func path(_ name: String) -> String { place.path("photos/\(name)") }

  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// The identifiers in a photo and in a film, as ExifTool reads them; nil where there is none.
  func identifiers(_ photo: String, _ film: String) throws -> (photo: String?, film: String?) {
    let film = try ExifTool.tags(of: place.read(film))
    return (
      try ExifTool.tags(of: place.read(photo))["Apple:MediaGroupUUID"],
      film.first { $0.key.hasSuffix("ContentIdentifier") }?.value
    )
  }

  /// Checks that a photo and a film are a pair with an identifier other than that of the originals.
  func expectPair(_ photo: String, _ film: String) throws {
    let found = try identifiers(photo, film)
    #expect(found.photo != nil)
    #expect(found.photo == found.film)
    #expect(found.photo != Self.identifier)
  }

  func verify() throws -> CommandResult { try Command.run(["verify", place.library]) }
}
