import Foundation
import PhotoLibrary
import PhotoRecipes
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import PhotoBatch

/// A library whose runs read it at once or in parts.
struct PartedPlace {
  /// The path template of the renditions, and whether folders can be read one after the other.
  struct Layout: Sendable, CustomTestStringConvertible {
    var path: String
    var isMirror = false
    var isDivided = true
    var testDescription: String { isMirror ? "\(path) in a mirror" : path }
  }

  static let beside = Layout(path: "{stem}.{output}.{ext}")
  static let below = Layout(path: "web/{stem}.{ext}")

  static let layouts = [
    beside, below, Layout(path: "web/{stem}-{width}.{ext}"), Layout(path: "{stem}/{width}.{ext}"),
    Layout(path: "{root}/web/{folder}/{name}.{ext}"),
    Layout(path: "{root}/all/{stem}.{ext}", isDivided: false),
    Layout(path: "{date:yyyy}/{stem}.{ext}", isDivided: false),
    Layout(path: "{stem}.{output}.{ext}", isMirror: true),
  ]

  /// The photos; two have one stem, and two have one stem in different folders.
  static let photos = [
    "a.jpg", "a.png", "b/c.jpg", "b/d/c.jpg", "b/d/e.jpg", "f/g.jpg", "h/i/j.png", "h/k.jpg",
  ]

  let library: Library
  let layout: Layout
  var folder: TemporaryFolder { library.folder }

  init(_ layout: Layout, _ photos: [String] = photos) throws {
    (library, self.layout) = (try Library(photos), layout)
    try folder.write("no photo", to: "photos/h/broken.jpg")
    try write(path: layout.path)
    try age()
  }

  func write(path: String, to name: String = "recipe.json", identifier: String = "parts") throws {
    try folder.write(
      """
      {"identifier": "org.example.\(identifier)", "version": "1.0.0", "variant": "web",
       "outputs": [{"name": "web", "format": "jpeg", "path": "\(path)"}]}
      """, to: name)
  }

  /// Gives all files a modification time, so that libraries that are made at different times agree.
  func age() throws {
    for name in try folder.files() where name.hasPrefix("photos/") {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)],
        ofItemAtPath: folder[name].string)
    }
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: folder[name].string)
  }

  func copy(_ name: String, to other: String) throws {
    try folder.write(try folder.read(name), to: other)
    try age()
  }

  func removeIndex() throws {
    for name in ["mirror/.phbatch/index", "photos/.phbatch/index"] {
      try? remove(name)
    }
  }

  func options(inParts: Bool) -> BatchOptions {
    var options = BatchOptions()
    options.workerExecutable = Command.executable
    options.durability = .none
    options.date = "2024-01-01T00:00:00Z"
    options.output = layout.isMirror ? folder["mirror"] : nil
    // The first of two photos that render to the same path owns it.
    options.jobs = 1
    options.filesAtATime = inParts ? 1 : .max
    return options
  }

  func batch(_ options: BatchOptions) throws -> Batch {
    try Batch(recipe: folder["recipe.json"], library: folder["photos"], options: options)
  }

  /// Everything that a run reported.
  @discardableResult
  func run(_ options: BatchOptions) async throws -> [String] {
    try await library.run(options).map(Self.text).sorted()
  }

  /// Everything that a plan for shards reported.
  func plan(_ options: BatchOptions) async throws -> [String] {
    let outcomes = Outcomes()
    _ = try await batch(options).makePlan(
      folder["p.plan"], of: folder["recipe.json"], replaces: true
    ) { event in
      if case .finished(let outcome) = event { outcomes.add(outcome) }
    }
    return outcomes.all.map(Self.text).sorted()
  }

  private static func text(_ outcome: AssetOutcome) -> String {
    "\(outcome.path) \(outcome.reason) \(outcome.detail ?? "") \(outcome.hint ?? "")"
      + " \(outcome.renditions.map(\.path)) \(outcome.warnings)"
  }

  /// Runs until the first photo is rendered.
  func stop(_ options: BatchOptions) async throws {
    let batch = try batch(options)
    _ = try? await batch.run { event in
      if case .finished(let outcome) = event, outcome.reason == .rendered { batch.stop() }
    }
  }

  /// The files of the library and of its mirror.
  func tree() throws -> [String: [UInt8]] {
    let names = try folder.files().filter {
      ($0.hasPrefix("photos/") || $0.hasPrefix("mirror/")) && !$0.contains(".phbatch/")
    }
    return Dictionary(uniqueKeysWithValues: try names.map { ($0, try folder.read($0)) })
  }

  func survey(_ options: BatchOptions) async throws -> Survey {
    let batch = try batch(options)
    let files = try await batch.pool.open(batch.recipe, batch.document, options)
    let root = try OutputRoot.create(library: batch.library, output: options.output)
    return Survey(
      of: root, LibraryIndex(of: root), batch.view(files), KnownDigests(in: root),
      .parts(of: options.filesAtATime))
  }
}
