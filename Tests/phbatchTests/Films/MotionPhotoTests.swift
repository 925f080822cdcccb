import FileStructure
import Foundation
import TestSupport
import Testing

/// Runs over motion photos; ffprobe, ffmpeg and ExifTool check the results.
@Suite(.enabled(if: FFmpeg.isHere && ExifTool.isHere)) struct MotionPhotoTests {
  private static let coding = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]

  /// A JPEG photo of 240×160 pixels with a film of 96×64 pixels; its XMP states a wrong film
  /// length.
  private static func motionPhoto(_ place: Workplace, options: [String] = coding) throws -> [UInt8]
  {
    let film = place.path("film.mp4")
    try FFmpeg.makeFilm(film, options)
    let photo = MotionPhotoFile.photo(
      try ExifTool.writing(
        ["-EXIF:Make=Maker"], into: SyntheticPhoto.jpeg(width: 240, height: 160), "jpg"),
      saying: MotionPhotoFile.listing(128))
    return photo + (try place.folder.read("film.mp4"))
  }

  private static func recipe(_ place: Workplace, _ outputs: String, filters: String) throws {
    try place.folder.write(
      """
      { "identifier": "org.example.motion", "version": "1.0.0",
        "filters": [ \(filters) ], "outputs": [ \(outputs) ] }
      """, to: "recipe.json")
  }

  /// Copies the film at the end of a JPEG file, which has the length that the XMP states, to a
  /// separate file.
  private static func filmByLength(_ name: String, _ place: Workplace) throws -> String {
    let bytes = try place.read(name)
    let tags = try ExifTool.tags(of: bytes)
    let length = try #require(tags.first { $0.key.hasSuffix("DirectoryItemLength") }?.value)
    let film = Array(bytes.suffix(try #require(Int(length))))
    #expect(film[4..<8].elementsEqual("ftyp".utf8))
    let path = "\(name).mp4"
    try place.folder.write(film, to: path)
    return place.path(path)
  }

  private static let crop = """
    { "filter": "crop", "left": "25%", "top": 0, "width": "50%", "height": "50%" },
    { "filter": "exposure", "stops": 0.4 }
    """

  @Test func theFilmOfAMotionPhotoIsEditedLikeThePhoto() throws {
    let place = try Workplace([])
    try place.folder.write(Self.motionPhoto(place), to: "photos/a.jpg")
    try Self.recipe(
      place, #"{ "name": "out", "format": "jpeg", "metadata": "all" }"#, filters: Self.crop)
    let before = try place.read("a.jpg")
    let result = try place.run()
    #expect(result.code == 0)
    #expect(!result.messages.contains("film"))
    let made = try Self.filmByLength("a.out.jpg", place)
    let film = place.path("film.mp4")
    #expect(try FFmpeg.times(made) == FFmpeg.times(film))
    #expect(try FFmpeg.soundDigests(made) == FFmpeg.soundDigests(film))
    #expect(
      try FFmpeg.probe(made, "stream=width,height", ["-select_streams", "v"]) == ["48,32"])
    let tags = try ExifTool.tags(of: place.read("a.out.jpg"))
    #expect(tags["XMP-GCamera:MotionPhoto"] == "1")
    #expect(tags["XMP-GCamera:MotionPhotoPresentationTimestampUs"] == "480000")
    #expect(tags["IFD0:Make"] == "Maker")
    #expect(try place.read("a.jpg") == before)
    #expect(try place.leftovers().isEmpty)
    // For comparison, the same recipe renders the film as a separate file.
    let alone = try Workplace([])
    try FileManager.default.copyItem(atPath: film, toPath: alone.path("photos/b.mp4"))
    try Self.recipe(
      alone, #"{ "name": "out", "format": "mp4" }"#, filters: Self.crop)
    #expect(try alone.run().code == 0)
    for number in [0, 12, 24] {
      let wanted = try FFmpeg.frame(number, of: alone.path("photos/b.out.mp4"))
      #expect(try FFmpeg.frame(number, of: made) == wanted)
    }
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
    let first = try place.read("a.out.jpg")
    _ = try Command.run(["revert", place.path("photos/a.jpg"), "--yes"])
    _ = try place.run("recipe", "--redo")
    #expect(try place.read("a.out.jpg") == first)
  }

  /// Automatic filters measure the photo, which has another exposure than the film, and apply the
  /// result to both.
  @Test func filtersOfAMotionPhotosFilmMeasureThePhoto() throws {
    let place = try Workplace([])
    try place.folder.write(Self.motionPhoto(place), to: "photos/a.jpg")
    let filters = #"{ "filter": "autoLevels" }"#
    try Self.recipe(
      place, #"{ "name": "out", "format": "jpeg", "metadata": "all" }"#, filters: filters)
    #expect(try place.run().code == 0)
    let made = try Self.filmByLength("a.out.jpg", place)
    let alone = try Workplace([])
    try FileManager.default.copyItem(
      atPath: place.path("film.mp4"), toPath: alone.path("photos/b.mp4"))
    try Self.recipe(alone, #"{ "name": "out", "format": "mp4" }"#, filters: filters)
    #expect(try alone.run().code == 0)
    let ownMeasures = try FFmpeg.frame(0, of: alone.path("photos/b.out.mp4"))
    #expect(try FFmpeg.frame(0, of: made) != ownMeasures)
  }

  @Test func aRecipeWithoutStepsCopiesTheFilmOfAMotionPhoto() throws {
    let place = try Workplace([])
    try place.folder.write(Self.motionPhoto(place), to: "photos/a.jpg")
    try Self.recipe(
      place, #"{ "name": "out", "format": "jpeg", "metadata": "all", "dpi": 200 }"#, filters: "")
    #expect(try place.run().code == 0)
    let made = try Self.filmByLength("a.out.jpg", place)
    #expect(
      try Data(contentsOf: URL(filePath: made)) == Data(place.folder.read("film.mp4")))
  }

  @Test func aHEICRenditionStoresTheFilmOfAMotionPhotoInABox() throws {
    let place = try Workplace([])
    try place.folder.write(Self.motionPhoto(place), to: "photos/a.jpg")
    try Self.recipe(
      place, #"{ "name": "out", "format": "heic", "metadata": "all" }"#, filters: Self.crop)
    #expect(try place.run().code == 0)
    let bytes = try place.read("a.out.heic")
    let boxes = Box.all(in: .bytes(bytes), 0..<bytes.count)
    let box = try #require(boxes.last)
    #expect(box.name == "mpvd")
    #expect(box.end == bytes.count)
    // The XMP states the length 0 for the picture, as the format allows.
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("Item:Length=\"\(box.content.count)\""))
    #expect(text.contains("Item:Padding=\"8\""))
    try place.folder.write(Array(bytes[box.content]), to: "made.mp4")
    #expect(try FFmpeg.times(place.path("made.mp4")) == FFmpeg.times(place.path("film.mp4")))
  }

  @Test func aFilmThatIsCutOffIsLeftOutWithAWarning() throws {
    let place = try Workplace([])
    try place.folder.write(Self.motionPhoto(place).dropLast(200), to: "photos/a.jpg")
    try Self.recipe(
      place, #"{ "name": "out", "format": "jpeg", "metadata": "all" }"#, filters: Self.crop)
    let result = try place.run()
    #expect(result.code == 0)
    #expect(result.messages.contains("it is cut off or damaged"), "\(result.messages)")
  }

  /// If a rendition omits the film, the run gives a warning, and the rendition contains no part of
  /// the film.
  @Test func aRenditionWithoutTheFilmOfAMotionPhotoHasAWarning() throws {
    let place = try Workplace([])
    try place.folder.write(Self.motionPhoto(place), to: "photos/a.jpg")
    try Self.recipe(
      place,
      #"""
      { "name": "still", "format": "jpeg", "metadata": "all", "live": "still", "current": true },
      { "name": "web", "format": "jpeg" }, { "name": "web2", "format": "webp" }
      """#, filters: Self.crop)
    let result = try place.run()
    #expect(result.code == 0)
    for words in [
      #"the film is not in 'still': "live": "still" leaves it out"#,
      #"the film is not in 'web': only "live": "keep" keeps it"#,
      "the film is not in 'web2': phbatch writes none to webp",
    ] { #expect(result.messages.contains(words)) }
    for name in ["a.still.jpg", "a.web.jpg", "a.web2.webp"] {
      let bytes = try place.read(name)
      #expect(!bytes.contains(Array("ftyp".utf8)))
      #expect(!String(decoding: bytes, as: UTF8.self).contains("MotionPhoto"))
    }
  }

  /// If the metadata policy does not keep all metadata, the film contains no texts, places and
  /// dates.
  @Test func theFilmOfAMotionPhotoHasNoDeniedTexts() throws {
    let place = try Workplace([])
    try place.folder.write(
      Self.motionPhoto(
        place,
        options: Self.coding + [
          "-metadata", "location=+48.2000+016.3700/", "-metadata",
          "creation_time=2024-05-06T07:08:09Z",
        ]), to: "photos/a.jpg")
    try Self.recipe(
      place,
      #"""
      { "name": "web", "format": "jpeg", "live": "keep" },
      { "name": "all", "format": "jpeg", "live": "keep", "metadata": "all" }
      """#, filters: Self.crop)
    #expect(try place.run().code == 0)
    let tags = "format_tags=location"
    #expect(
      try FFmpeg.probe(Self.filmByLength("a.all.jpg", place), tags) == ["+48.2000+016.3700/"])
    #expect(try FFmpeg.probe(Self.filmByLength("a.web.jpg", place), tags).isEmpty)
  }

  @Test func aRunOverMotionPhotosNamesThePackageOfTheMissingProgram() throws {
    let place = try Workplace([])
    try place.folder.write(Self.motionPhoto(place), to: "photos/a.jpg")
    try Self.recipe(
      place, #"{ "name": "out", "format": "jpeg", "metadata": "all" }"#, filters: Self.crop)
    let alone = place.path("phbatch")
    try FileManager.default.copyItem(atPath: Command.executable, toPath: alone)
    let result = try Command.run(
      ["run", place.path("recipe.json"), place.library], environment: ["PHBATCH": alone],
      prefix: ["sh", "-c", "shift; exec \(alone) \"$@\"", "sh"])
    #expect(result.code == 0)
    #expect(result.messages.contains("the film is not in 'out'"))
    #expect(result.messages.contains("install the package phbatch-video"))
    #expect(try !place.read("a.out.jpg").contains(Array("ftyp".utf8)))
  }

  /// If the film cannot be decoded, the photo is still rendered.
  @Test func aDamagedFilmOfAMotionPhotoIsLeftOutWithAWarning() throws {
    let place = try Workplace([])
    var bytes = try Self.motionPhoto(place)
    // The first occurrence is a brand of the file, the second the codec of the picture.
    var end = bytes.startIndex
    for _ in 0..<2 {
      let name = try #require(bytes[end...].firstRange(of: Array("avc1".utf8)))
      bytes.replaceSubrange(name, with: Array("zzzz".utf8))
      end = name.upperBound
    }
    try place.folder.write(bytes, to: "photos/a.jpg")
    try Self.recipe(
      place, #"{ "name": "out", "format": "jpeg", "metadata": "all" }"#, filters: Self.crop)
    let result = try place.run()
    #expect(result.code == 0)
    #expect(result.messages.contains("the film is not in 'out'"))
  }

  /// The photo by a Samsung phone states a wrong film length, and its film is rotated by 90°.
  @Test(.enabled(if: Corpus.isHere)) func theFilmOfARealMotionPhotoIsEditedWithThePhoto() throws {
    let folder = try #require(Corpus.folder)
    let place = try Workplace([])
    let photo = try Data(contentsOf: URL(filePath: "\(folder)/live/samsung-one-ui-6.heic"))
    try place.folder.write(Array(photo), to: "photos/a.heic")
    try place.folder.write(Array(photo[452_284..<3_678_753]), to: "film.mp4")
    try Self.recipe(
      place, #"{ "name": "out", "format": "jpeg", "metadata": "all", "quality": 60 }"#,
      filters: Self.crop)
    #expect(try place.run().code == 0)
    let (made, film) = (try Self.filmByLength("a.out.jpg", place), place.path("film.mp4"))
    #expect(try FFmpeg.times(made) == FFmpeg.times(film))
    #expect(try FFmpeg.soundDigests(made) == FFmpeg.soundDigests(film))
    let matrix = "stream_side_data=rotation"
    #expect(try FFmpeg.probe(made, matrix) == FFmpeg.probe(film, matrix))
    #expect(
      try Command.run(["doctor", place.path("photos/a.heic")]).output
        .contains("a film (motion photo): 3226469 bytes"))
  }
}
