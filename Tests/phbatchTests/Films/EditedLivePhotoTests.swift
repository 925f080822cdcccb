import Foundation
import TestSupport
import Testing

/// Live Photos whose edits start from an image and a film that Photos rendered.
@Suite(.enabled(if: FFmpeg.isHere && ExifTool.isHere)) struct EditedLivePhotoTests {
  private static let rendered = "77ED47F2-E0C3-4709-8468-79070E46AF2C"

  /// Makes the Live Photo `IMG_1` with the image `IMG_E1.jpg` and the film `IMG_E1.mov` of Photos; the
  /// films of Photos have 20 frames a second.
  private static func edited(hasFilm: Bool = true) throws -> LivePhotoPlace {
    let live = try LivePhotoPlace()
    for ending in ["jpg", "mov"] {
      try FileManager.default.moveItem(
        atPath: live.path("a.\(ending)"), toPath: live.path("IMG_1.\(ending)"))
    }
    try addImage(live)
    if hasFilm { try addFilm(live) }
    return live
  }

  private static func addImage(_ live: LivePhotoPlace) throws {
    try live.addPhoto("IMG_E1.jpg", identifier: rendered)
    let adjustment = try PhoneStoryTests.Export.made().adjustment
    try live.place.folder.write(adjustment, to: "photos/IMG_1.AAE")
  }

  private static func addFilm(_ live: LivePhotoPlace, rate: String = "20") throws {
    try live.addFilm("IMG_E1.mov", identifier: rendered, rate: rate)
  }

  private static func reason(_ live: LivePhotoPlace) throws -> String? {
    try live.place.reasons().reasons["IMG_1.jpg"]
  }

  private static func frames(_ live: LivePhotoPlace) throws -> Int {
    try FFmpeg.times(live.path("IMG_1.out.mov")).count
  }

  @Test func aChangeOfTheFilmOfPhotosIsNoticed() throws {
    let live = try Self.edited()
    #expect(try Self.reason(live) == "rendered")
    try Self.addFilm(live, rate: "10")
    let verified = try live.verify()
    #expect(verified.code != 0 && verified.output.contains("IMG_E1.mov"), "\(verified.output)")
    let status = try Command.run(["status", live.place.library])
    #expect(status.output.contains("not the recorded file"), "\(status.output)")
    #expect(try Self.reason(live) == "rendered")
    #expect(try Self.frames(live) == 10)
    #expect(try live.verify().code == 0)
    // The film of the original is not edited, so it does not matter.
    try live.addFilm("IMG_1.mov", rate: "15")
    #expect(try Self.reason(live) == "up-to-date")
    #expect(try live.verify().code == 0)
  }

  @Test func aFilmOfPhotosThatArrivesLaterIsEdited() throws {
    let live = try Self.edited(hasFilm: false)
    #expect(try Self.reason(live) == "rendered")
    #expect(try Self.reason(live) == "up-to-date")
    #expect(!live.has("IMG_1.out.mov"))
    try Self.addFilm(live)
    #expect(try Self.reason(live) == "rendered")
    #expect(try Self.frames(live) == 20)
    try live.expectPair("IMG_1.out.jpg", "IMG_1.out.mov")
    #expect(try Self.reason(live) == "up-to-date")
  }

  @Test func theRenditionsOfALostFilmAreKept() throws {
    let live = try Self.edited()
    #expect(try Self.reason(live) == "rendered")
    let made = try live.place.read("IMG_1.out.mov")
    try FileManager.default.removeItem(atPath: live.path("IMG_E1.mov"))
    #expect(try live.verify().code != 0)
    let status = try Command.run(["status", live.place.library])
    #expect(status.output.contains("base-missing"), "\(status.output)")
    #expect(try Self.reason(live) == "base-missing")
    let changed = try live.place.run("recipe", "--set", "exposure.stops=1")
    #expect(changed.messages.contains("the film of 'IMG_E1.jpg' is missing"), "\(changed.messages)")
    #expect(try live.place.read("IMG_1.out.mov") == made)
    try Self.addFilm(live)
    #expect(try Self.reason(live) == "up-to-date")
  }

  /// A film that states another identifier than the image is not its film.
  @Test func aFilmOfAnotherPhotoIsLeftOut() throws {
    let live = try Self.edited(hasFilm: false)
    try live.addFilm("IMG_E1.mov")
    let result = try live.place.run()
    #expect(result.code == 0)
    #expect(result.messages.contains("'IMG_E1.mov' is left out"), "\(result.messages)")
    #expect(!live.has("IMG_1.out.mov"))
    #expect(try Self.reason(live) == "up-to-date")
  }

  /// An image of Photos that has no film, as of a Live Photo that was switched off, ends the film's
  /// rendition with a warning.
  @Test func anImageWithoutAFilmEndsTheFilm() throws {
    let live = try LivePhotoPlace()
    for ending in ["jpg", "mov"] {
      try FileManager.default.moveItem(
        atPath: live.path("a.\(ending)"), toPath: live.path("IMG_1.\(ending)"))
    }
    #expect(try Self.reason(live) == "rendered")
    try Self.addImage(live)
    let result = try live.place.run("recipe", "--on-foreign", "replace", "--yes")
    #expect(result.code == 0)
    #expect(result.messages.contains("'IMG_E1.jpg' has no film beside it"), "\(result.messages)")
    #expect(!live.has("IMG_1.out.mov"))
    #expect(try Self.reason(live) == "up-to-date")
  }

  @Test func aRevertedEditStaysReverted() throws {
    let live = try Self.edited()
    #expect(try Self.reason(live) == "rendered")
    #expect(try Command.run(["revert", live.path("IMG_1.jpg"), "--yes"]).code == 0)
    #expect(try Self.reason(live) == "reverted")
  }

  /// Sidecars by earlier versions record the film of the original; they are up to date after one run.
  @Test func anEarlierRecordIsRenderedOnce() throws {
    let live = try Self.edited()
    #expect(try Self.reason(live) == "rendered")
    let made = try live.place.read("IMG_1.out.mov")
    try live.place.edit("IMG_1.jpg") { text in
      let film = #/"the film of the Live Photo": "[0-9a-f]{64}"/#
      let settings = #/"settings": "[0-9a-f]{64}"/#
      let other = String(repeating: "0", count: 64)
      return text.replacing(film, with: "\"the film of the Live Photo\": \"\(other)\"")
        .replacing(settings, with: "\"settings\": \"\(other)\"")
    }
    #expect(try live.verify().code != 0)
    #expect(try Self.reason(live) == "rendered")
    #expect(try Self.reason(live) == "up-to-date")
    #expect(try live.place.read("IMG_1.out.mov") == made)
    #expect(try live.verify().code == 0)
  }

  /// The edits of the main stack and of a variant may edit different films.
  @Test func eachEditHasItsOwnFilm() throws {
    let live = try Self.edited()
    let place = live.place
    #expect(try Self.reason(live) == "rendered")
    try place.folder.write(
      """
      { "identifier": "org.example.web", "version": "1.0.0", "variant": "web",
        "filters": [ { "filter": "exposure", "stops": 0.5 } ],
        "outputs": [ { "name": "web", "format": "jpeg", "metadata": "all" } ] }
      """, to: "web.json")
    #expect(try place.run("web").code == 0)
    #expect(try FFmpeg.times(live.path("IMG_1.web.mov")).count == 25)
    #expect(try live.verify().code == 0)
    try live.addFilm("IMG_1.mov", rate: "15")
    #expect(try live.verify().code != 0)
    #expect(try Self.reason(live) == "up-to-date")
    #expect(try place.reasons("web").reasons["IMG_1.jpg"] == "rendered")
    #expect(try FFmpeg.times(live.path("IMG_1.web.mov")).count == 15)
    #expect(try live.verify().code == 0)
  }
}
