import Foundation
import Notation
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

@testable import PhotoBatch

/// A run that reads the library in parts must do what a run does that reads it at once.
@Suite struct PartedRunTests {
  /// Does the same with two libraries, and compares runs over them: one in parts, and one at once.
  struct Pair {
    let places: [PartedPlace]

    init(_ layout: PartedPlace.Layout, _ photos: [String] = PartedPlace.photos) throws {
      places = [try PartedPlace(layout, photos), try PartedPlace(layout, photos)]
    }

    func change(_ body: (PartedPlace) throws -> Void) throws {
      for place in places { try body(place) }
    }

    /// Returns what both runs reported.
    @discardableResult
    func compare(
      _ what: Comment, _ change: (inout BatchOptions) -> Void = { _ in }
    ) async throws -> [String] {
      var reports: [[String]] = []
      for (place, inParts) in zip(places, [true, false]) {
        var options = place.options(inParts: inParts)
        change(&options)
        do { reports.append(try await place.run(options)) } catch let error as any UserError {
          let library = place.folder.path.string
          reports.append([error.message.replacing(library, with: "")])
        }
      }
      #expect(reports[0] == reports[1], what)
      #expect(try places[0].tree() == places[1].tree(), what)
      return reports[1]
    }
  }

  @Test(arguments: PartedPlace.layouts) func aRunInPartsEqualsARunOverTheWholeLibrary(
    _ layout: PartedPlace.Layout
  ) async throws {
    let pair = try Pair(layout)
    var survey = try await pair.places[0].survey(pair.places[0].options(inParts: true))
    #expect(survey.isDivided == true || !layout.isDivided)
    var parts = 0
    while survey.hasMoreParts {
      survey.readNextPart()
      parts += 1
    }
    #expect(layout.isDivided ? parts > 3 : parts <= 1)

    try await pair.compare("the first run")
    try await pair.compare("a run with nothing to do")
    let sidecars = layout.isMirror ? "mirror" : "photos"
    try pair.change { place in
      // A photo without its original, a sidecar that cannot be read, and a rendition without a
      // sidecar.
      try place.remove("photos/b/d/e.jpg")
      try place.folder.write("{", to: "\(sidecars)/f/g.jpg.phbatch.json")
      try place.remove("\(sidecars)/h/k.jpg.phbatch.json")
    }
    try await pair.compare("a run after changes")
    try pair.change { try $0.removeIndex() }
    try await pair.compare("a run without the index")
    try await pair.compare("a run with the index")
  }

  /// A sidecar that came from another library names a rendition in another folder, by a template
  /// that the library does not know.
  @Test func aSidecarKeepsItsRenditionInAFolderThatIsReadEarlier() async throws {
    let source = try PartedPlace(PartedPlace.Layout(path: "{root}/all/{stem}.{ext}"))
    try await source.run(source.options(inParts: false))
    let pair = try Pair(PartedPlace.beside)
    try await pair.compare("the first run")
    try pair.change { place in
      for name in ["all/j.jpg", "h/i/j.png.phbatch.json"] {
        try place.folder.write(try source.folder.read("photos/\(name)"), to: "photos/\(name)")
      }
    }
    try await pair.compare("a run after the change")
    #expect(!(try pair.places[0].folder.files()).contains("photos/all/j.web.jpg"))
  }

  /// The bytes of a file tell its format, so photos in different folders may get the same path
  /// although their names have no extension.
  @Test func photosWithoutExtensionsCollideAcrossParts() async throws {
    let pair = try Pair(
      PartedPlace.Layout(path: "{root}/web/{stem}.{ext}"),
      ["a/first.jpg", "b/pic", "c/second.jpg", "d/pic"])
    let reports = try await pair.compare("the first run")
    #expect(reports.count { $0.contains("pic collision") } == 1)
  }

  /// A run tells the original of a rendition without a record also if it is in another part.
  @Test func theOriginalOfACopiedRenditionIsFoundInAnotherPart() async throws {
    let pair = try Pair(PartedPlace.beside)
    try await pair.compare("the first run")
    try pair.change { place in
      try place.copy("photos/b/c.web.jpg", to: "photos/f/copy.jpg")
      try place.removeIndex()
    }
    let reports = try await pair.compare("a run after the copy")
    #expect(reports.contains { $0.contains("copy.jpg") && $0.contains("'b/c.jpg'") })
  }

  /// A rendition is recognized by a path template that only a sidecar in another part records.
  @Test func aTemplateInASidecarOfAnotherPartIsKnown() async throws {
    let source = try PartedPlace(PartedPlace.beside, ["p.jpg", "q.jpg"])
    try source.write(path: "{stem}-X.{ext}", identifier: "other")
    try await source.run(source.options(inParts: false))
    let pair = try Pair(PartedPlace.beside)
    try await pair.compare("the first run")
    try pair.change { place in
      for name in ["p.jpg", "p-X.jpg", "p.jpg.phbatch.json"] {
        try place.folder.write(try source.folder.read("photos/\(name)"), to: "photos/x/\(name)")
      }
      // The mark that phbatch writes into renditions is lost, as after a change by another program.
      try place.folder.write(SyntheticPhoto.jpeg(width: 30, height: 20), to: "photos/y/q-X.jpg")
      try place.folder.write(try source.folder.read("photos/q.jpg"), to: "photos/y/q.jpg")
      try place.age()
      try place.removeIndex()
    }
    let reports = try await pair.compare("a run after the copy")
    #expect(reports.contains { $0.hasPrefix("y/q-X.jpg orphan") })
  }

  /// A photo that has the bytes of a rendition is an orphan only in the runs after the rendition was
  /// made.
  @Test func renditionsOfTheSameRunAreNoEvidence() async throws {
    let source = try PartedPlace(PartedPlace.beside, ["a.jpg"])
    try await source.run(source.options(inParts: false))
    let pair = try Pair(PartedPlace.beside, ["a.jpg", "b/c.jpg"])
    try pair.change { place in
      try place.folder.write(try source.folder.read("photos/a.web.jpg"), to: "photos/z/first.jpg")
      try place.age()
    }
    let reports = try await pair.compare("the first run")
    #expect(reports.contains { $0.hasPrefix("z/first.jpg rendered") })
    try pair.change { try $0.removeIndex() }
    try await pair.compare("the second run")
  }

  @Test func anAtomicRunIsReadAtOnceAndPublishesNothingIfAPhotoFails() async throws {
    let place = try PartedPlace(PartedPlace.beside, ["a/b.jpg", "c/d.jpg"])
    var options = place.options(inParts: true)
    options.isAtomic = true
    let before = try place.tree()
    #expect(try await place.library.reasons(options)["h/broken.jpg"] == .unreadable)
    #expect(try place.tree() == before)
    try place.remove("photos/h/broken.jpg")
    #expect(try await place.library.reasons(options)["c/d.jpg"] == .rendered)
    #expect(try place.tree().keys.contains("photos/c/d.web.jpg"))
  }

  /// The check for a missing disk counts the same photos, whether renditions are in their own folders
  /// or files are renditions without a record.
  @Test(arguments: [PartedPlace.beside, PartedPlace.below])
  func theLeastNumberOfPhotosIsCheckedAsInAWholeLibrary(
    _ layout: PartedPlace.Layout
  ) async throws {
    let pair = try Pair(layout)
    try await pair.compare("the first run")
    try pair.change { place in
      try place.remove("photos/b/c.jpg")
      try place.removeIndex()
    }
    let photos = PartedPlace.photos.count
    for least in [photos - 1, photos, photos + 1, 2 * photos] {
      let reports = try await pair.compare("--min-photos \(least)") { $0.leastPhotos = least }
      #expect((reports.count == 1) == (least > photos), "\(least): \(reports)")
      try pair.change { try $0.removeIndex() }
    }
  }

  @Test func aLibraryWithRenditionsOnlyHasNoPhotos() async throws {
    let pair = try Pair(PartedPlace.beside)
    try await pair.compare("the first run")
    try pair.change { place in
      for name in try place.folder.files()
      where name.hasPrefix("photos/") && !name.contains(".phbatch/") && !name.contains(".web.") {
        try place.remove(name)
      }
    }
    let reports = try await pair.compare("a run over the renditions")
    #expect(reports.count == 1 && reports[0].contains("has no photos"), "\(reports)")
  }
}
