import Foundation
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

@testable import PhotoBatch

/// A run that reads the library in parts, and that is stopped or meets changes by other programs.
@Suite struct PartedRunFaultTests {
  private static let temporary = ".phbatch-4711-9f3c51d2a08b7e46.tmp"

  /// A plan takes no lock, so temporary files may be those of a command that is running.
  @Test(arguments: PartedPlace.layouts) func aPlanRemovesNoTemporaryFiles(
    _ layout: PartedPlace.Layout
  ) async throws {
    let place = try PartedPlace(layout)
    let tree = layout.isMirror ? "mirror" : "photos"
    let names = ["\(tree)/\(Self.temporary)", "\(tree)/b/d/\(Self.temporary)"]
    for name in names { try place.folder.write("x", to: name) }
    _ = try await place.plan(place.options(inParts: true))
    for name in names { #expect(try place.folder.files().contains(name)) }
    // The holder of the lock removes them, in all parts.
    try await place.run(place.options(inParts: true))
    for name in names { #expect(try !place.folder.files().contains(name)) }
  }

  @Test(arguments: [PartedPlace.beside, PartedPlace.below])
  func aRunThatWasStoppedContinuesWithTheOtherParts(_ layout: PartedPlace.Layout) async throws {
    let place = try PartedPlace(layout)
    let options = place.options(inParts: true)
    let batch = try place.batch(options)
    await #expect(throws: CancellationError.self) {
      _ = try await batch.run { event in
        if case .finished = event { batch.stop() }
      }
    }
    let whole = try PartedPlace(layout)
    try await place.run(options)
    try await whole.run(whole.options(inParts: false))
    #expect(try place.tree() == whole.tree())
  }

  /// The index must not hide from later runs that renditions were deleted before a run that was
  /// stopped; the folders of their photos are unchanged.
  @Test func deletedRenditionsAreRenderedAfterARunThatWasStopped() async throws {
    let place = try PartedPlace(
      PartedPlace.Layout(path: "{root}/web/{folder}/{name}.{ext}"))
    let options = place.options(inParts: true)
    for _ in 0..<2 { try await place.run(options) }
    let whole = try place.tree()
    for name in ["web/b", "web/f", "web/h"] { try place.remove("photos/\(name)") }
    try await place.stop(options)
    #expect(try place.tree().count < whole.count)
    try await place.run(options)
    #expect(try Set(place.tree().keys) == Set(whole.keys))
  }

  /// A part has no files that are newer than the walk, so that the parts stay independent of each
  /// other.
  @Test func aPartHasTheFilesThatTheWalkFound() async throws {
    let place = try PartedPlace(PartedPlace.beside)
    var survey = try await place.survey(place.options(inParts: true))
    try place.remove("photos/f")
    try place.folder.write(SyntheticPhoto.jpeg(width: 30, height: 20), to: "photos/h/new.jpg")
    var found: Set<String> = []
    while survey.hasMoreParts {
      survey.readNextPart()
      found.formUnion(survey.contents.assets.map(\.path.string))
      #expect(survey.contents.problems.isEmpty)
    }
    let others = PartedPlace.photos.filter { !$0.hasPrefix("f/") }
    #expect(found == Set(others + ["h/broken.jpg"]))
  }

  /// A folder that can no longer be read when its part is read is reported once, and the next run
  /// renders its photos.
  @Test func aFolderThatCannotBeReadAnymoreIsReported() async throws {
    let place = try PartedPlace(PartedPlace.beside)
    let options = place.options(inParts: true)
    let rules = "photos/h/.phbatchignore"
    let batch = try place.batch(options)
    let folder = place.folder
    let summary = try await batch.run { event in
      if case .began = event { try? folder.write("[", to: rules) }
    }
    #expect(summary.problems.count == 1)
    #expect(summary.exitCode(reportsDue: false) == .noPermission)
    try place.remove(rules)
    try await place.run(options)
    let whole = try PartedPlace(PartedPlace.beside)
    try await whole.run(whole.options(inParts: false))
    #expect(try place.tree() == whole.tree())
  }

  /// All sidecars of a run have the same date.
  @Test func allPartsHaveTheSameDate() async throws {
    let place = try PartedPlace(PartedPlace.beside)
    var options = place.options(inParts: true)
    options.date = nil
    let batch = try place.batch(options)
    let files = try await batch.pool.open(batch.recipe, batch.document, options)
    let root = try OutputRoot.create(library: batch.library, output: nil)
    var session = try await LibrarySession(
      changing: root, options, batch.view(files), usesIndex: true, filesAtATime: 1)
    defer { session.close() }
    let registry = FileRegistry(of: root)
    let first = session.context(options, originals: [], registry: registry).date
    try await Task.sleep(for: .milliseconds(1100))
    #expect(session.hasMoreParts)
    session.readNextPart()
    #expect(session.context(options, originals: [], registry: registry).date == first)
  }

  /// A part of a library is read again only if something in it changed.
  @Test func theIndexOfARunInPartsAnswersTheNextRun() async throws {
    let place = try PartedPlace(PartedPlace.beside, ["a.jpg", "b/c.jpg", "d/e.jpg"])
    try place.remove("photos/h/broken.jpg")
    let options = place.options(inParts: true)
    for _ in 0..<2 { try await place.run(options) }
    let survey = try await place.survey(options)
    #expect(!survey.isDivided)
    #expect(survey.reported == [.upToDate: 3])
  }

  /// A plan reports the same photos, whether the index answers for their folders or not.
  @Test(arguments: PartedPlace.layouts) func aPlanBesideAnIndexEqualsAPlanWithoutIt(
    _ layout: PartedPlace.Layout
  ) async throws {
    let place = try PartedPlace(layout)
    let options = place.options(inParts: true)
    for _ in 0..<2 { try await place.run(options) }
    try place.remove("photos/b/d/e.jpg")
    try place.copy("photos/f/g.jpg", to: "photos/f/h.jpg")
    let beside = try await place.plan(options)
    try place.removeIndex()
    #expect(try await place.plan(options) == beside)
    #expect(beside.contains { $0.hasPrefix("f/h.jpg") })
  }

  /// The path templates in sidecars of a library are found also if sidecars of its mirror with the
  /// same templates were read before.
  @Test func sidecarsOfAMirrorDoNotHideTheTemplatesOfTheLibrary() async throws {
    let place = try PartedPlace(PartedPlace.beside, ["a/b.jpg"])
    var options = place.options(inParts: false)
    try await place.run(options)
    try place.remove("photos/.phbatch/places.json")
    options.output = place.folder["mirror"]
    try await place.run(options)
    let root = try OutputRoot.create(library: place.folder["photos"], output: options.output)
    let search = try #require(LinkSearch(root, try place.batch(options).recipe))
    for (tree, files) in [(LibraryTree.mirror, root.files), (.library, root.library)] {
      let key = FolderKey(tree, "a")
      #expect(search.links(of: [(key: key, listed: try Scan(files).list("a"))]) != nil)
    }
    #expect(search.recordedPlaces.count == 1)
  }
}
