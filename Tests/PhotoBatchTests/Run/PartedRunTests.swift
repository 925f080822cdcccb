import Foundation
import PhotoLibrary
import PhotoRecipes
import SystemPackage
import TestSupport
import Testing

@testable import PhotoBatch

/// A run that reads the library in parts must do what a run does that reads it at once.
@Suite struct PartedRunTests {
  /// The path template of the renditions, and whether folders can be read one after the other.
  struct Layout: Sendable, CustomTestStringConvertible {
    var path: String
    var isMirror = false
    var isDivided = true
    var testDescription: String { isMirror ? "mirror" : path }
  }

  static let layouts = [
    Layout(path: "{stem}.{output}.{ext}"), Layout(path: "web/{stem}.{ext}"),
    Layout(path: "web/{stem}-{width}.{ext}"), Layout(path: "{stem}/{width}.{ext}"),
    Layout(path: "{root}/web/{folder}/{name}.{ext}"),
    Layout(path: "{root}/all/{stem}.{ext}", isDivided: false),
    Layout(path: "{date:yyyy}/{stem}.{ext}", isDivided: false),
    Layout(path: "{stem}.{output}.{ext}", isMirror: true),
  ]

  /// The photos; two have one stem, and two have one stem in different folders.
  private static let photos = [
    "a.jpg", "a.png", "b/c.jpg", "b/d/c.jpg", "b/d/e.jpg", "f/g.jpg", "h/i/j.png", "h/k.jpg",
  ]

  private static func place(_ layout: Layout, _ photos: [String] = photos) throws -> Library {
    let place = try Library(photos)
    try place.folder.write("no photo", to: "photos/h/broken.jpg")
    try place.folder.write(
      """
      {"identifier": "org.example.parts", "version": "1.0.0", "variant": "web",
       "outputs": [{"name": "web", "format": "jpeg", "path": "\(layout.path)"}]}
      """, to: "recipe.json")
    try age(place)
    return place
  }

  /// Gives all files a modification time, so that libraries that are made at different times agree.
  private static func age(_ place: Library) throws {
    for name in try place.folder.files() where name.hasPrefix("photos/") {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)],
        ofItemAtPath: place.folder[name].string)
    }
  }

  private static func options(
    _ place: Library, _ layout: Layout, inParts: Bool
  ) -> BatchOptions {
    var options = BatchOptions()
    options.workerExecutable = Command.executable
    options.durability = .none
    options.date = "2024-01-01T00:00:00Z"
    options.output = layout.isMirror ? place.folder["mirror"] : nil
    // The first of two photos that render to the same path owns it.
    options.jobs = 1
    options.filesAtATime = inParts ? 1 : .max
    return options
  }

  /// Everything that a run reported.
  private static func run(_ place: Library, _ options: BatchOptions) async throws -> [String] {
    try await place.run(options).map { outcome in
      "\(outcome.path) \(outcome.reason) \(outcome.detail ?? "") \(outcome.hint ?? "")"
        + " \(outcome.renditions.map(\.path)) \(outcome.warnings)"
    }.sorted()
  }

  private static func tree(_ place: Library) throws -> [String: [UInt8]] {
    let names = try place.folder.files().filter {
      ($0.hasPrefix("photos/") || $0.hasPrefix("mirror/")) && !$0.contains(".phbatch/")
    }
    return Dictionary(uniqueKeysWithValues: try names.map { ($0, try place.folder.read($0)) })
  }

  private static func survey(_ place: Library, _ options: BatchOptions) async throws -> Survey {
    let batch = try Batch(
      recipe: place.folder["recipe.json"], library: place.folder["photos"], options: options)
    let files = try await batch.pool.open(batch.recipe, batch.document, options)
    let root = try OutputRoot.create(library: batch.library, output: options.output)
    return Survey(
      of: root, LibraryIndex(of: root), batch.view(files), KnownDigests(in: root),
      filesAtATime: options.filesAtATime)
  }

  @Test(arguments: layouts) func aRunInPartsEqualsARunOverTheWholeLibrary(
    _ layout: Layout
  ) async throws {
    let places = [try Self.place(layout), try Self.place(layout)]
    func compare(_ what: String) async throws {
      var reports: [[String]] = []
      for (place, inParts) in zip(places, [true, false]) {
        reports.append(try await Self.run(place, Self.options(place, layout, inParts: inParts)))
      }
      #expect(reports[0] == reports[1], "\(what)")
      #expect(try Self.tree(places[0]) == Self.tree(places[1]), "\(what)")
    }
    func change(_ body: (TemporaryFolder) throws -> Void) throws {
      for place in places { try body(place.folder) }
    }

    var survey = try await Self.survey(places[0], Self.options(places[0], layout, inParts: true))
    #expect(survey.isDivided == true || !layout.isDivided)
    var parts = 0
    while survey.hasMoreParts {
      survey.readNextPart()
      parts += 1
    }
    #expect(layout.isDivided ? parts > 3 : parts <= 1)

    try await compare("the first run")
    try await compare("a run with nothing to do")
    let sidecars = layout.isMirror ? "mirror" : "photos"
    try change { folder in
      // A photo without its original, a sidecar that cannot be read, and a rendition without a
      // sidecar.
      try FileManager.default.removeItem(atPath: folder["photos/b/d/e.jpg"].string)
      try folder.write("{", to: "\(sidecars)/f/g.jpg.phbatch.json")
      try FileManager.default.removeItem(
        atPath: folder["\(sidecars)/h/k.jpg.phbatch.json"].string)
    }
    try await compare("a run after changes")
    try change { folder in
      for name in [".phbatch/index", "mirror/.phbatch/index", "photos/.phbatch/index"] {
        try? FileManager.default.removeItem(atPath: folder[name].string)
      }
    }
    try await compare("a run without the index")
    try await compare("a run with the index")
  }

  /// A sidecar that came from another library names a rendition in another folder, by a template
  /// that the library does not know.
  @Test func aSidecarKeepsItsRenditionInAFolderThatIsReadEarlier() async throws {
    let other = Layout(path: "{root}/all/{stem}.{ext}")
    let source = try Self.place(other)
    _ = try await Self.run(source, Self.options(source, other, inParts: false))
    let layout = Self.layouts[0]
    var reports: [[String]] = []
    for inParts in [true, false] {
      let place = try Self.place(layout)
      let options = Self.options(place, layout, inParts: inParts)
      _ = try await Self.run(place, options)
      for name in ["all/j.jpg", "h/i/j.png.phbatch.json"] {
        try place.folder.write(try source.folder.read("photos/\(name)"), to: "photos/\(name)")
      }
      reports.append(try await Self.run(place, options))
      #expect(!(try place.folder.files()).contains("photos/all/j.web.jpg"))
    }
    #expect(reports[0] == reports[1])
  }

  @Test func anAtomicRunInPartsPublishesNothingIfAPhotoFails() async throws {
    let layout = Self.layouts[0]
    let place = try Self.place(layout, ["a/b.jpg", "c/d.jpg"])
    var options = Self.options(place, layout, inParts: true)
    options.isAtomic = true
    let before = try Self.tree(place)
    #expect(try await place.reasons(options)["h/broken.jpg"] == .unreadable)
    #expect(try Self.tree(place) == before)
    try FileManager.default.removeItem(atPath: place.folder["photos/h/broken.jpg"].string)
    #expect(try await place.reasons(options)["c/d.jpg"] == .rendered)
    #expect(try Self.tree(place).keys.contains("photos/c/d.web.jpg"))
    // A missing photo, which the first part reports, does not stop the run.
    try place.folder.write(try place.folder.read("photos/c/d.jpg"), to: "photos/c/e.jpg")
    try FileManager.default.removeItem(atPath: place.folder["photos/a/b.jpg"].string)
    let outcomes = try await place.reasons(options)
    #expect(outcomes["a/b.jpg"] == .originalMissing)
    #expect(outcomes["c/e.jpg"] == .rendered)
  }

  @Test func aRunThatWasStoppedContinuesWithTheOtherParts() async throws {
    let layout = Self.layouts[0]
    let place = try Self.place(layout)
    let options = Self.options(place, layout, inParts: true)
    let batch = try Batch(
      recipe: place.folder["recipe.json"], library: place.folder["photos"], options: options)
    await #expect(throws: CancellationError.self) {
      _ = try await batch.run { event in
        if case .finished = event { batch.stop() }
      }
    }
    let whole = try Self.place(layout)
    _ = try await Self.run(place, options)
    _ = try await Self.run(whole, Self.options(whole, layout, inParts: false))
    #expect(try Self.tree(place) == Self.tree(whole))
  }

  /// A part of a library is read again only if something in it changed.
  @Test func theIndexOfARunInPartsAnswersTheNextRun() async throws {
    let layout = Self.layouts[0]
    let place = try Self.place(layout, ["a.jpg", "b/c.jpg", "d/e.jpg"])
    try FileManager.default.removeItem(atPath: place.folder["photos/h/broken.jpg"].string)
    let options = Self.options(place, layout, inParts: true)
    for _ in 0..<2 { _ = try await Self.run(place, options) }
    let survey = try await Self.survey(place, options)
    #expect(!survey.isDivided)
    #expect(survey.reported == [.upToDate: 3])
  }
}
