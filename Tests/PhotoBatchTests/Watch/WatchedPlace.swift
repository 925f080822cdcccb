import Foundation
import PhotoLibrary
import Synchronization
import SystemPackage
import TestSupport

@testable import PhotoBatch

/// A library that this process watches, with a settle time that is short enough for tests.
final class WatchedPlace: Sendable {
  let folder: TemporaryFolder
  private let task = Mutex<Task<Void, any Error>?>(nil)
  private let heard = Mutex<[WatchEvent]>([])
  private let watch = Mutex<Watch?>(nil)

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: library.string, withIntermediateDirectories: true)
    try writeRecipe()
  }

  deinit { task.withLock { $0?.cancel() } }

  var library: FilePath { folder["photos"] }
  var recipe: FilePath { folder["recipe.json"] }

  func writeRecipe(stops: Double = 0.5, more: String = "") throws {
    try folder.write(Self.recipeText(stops: stops, more: more), to: "recipe.json")
  }

  static func recipeText(stops: Double = 0.5, more: String = "") -> String {
    """
    {
      "identifier": "org.example.web", "version": "1.0.0", "variant": "web", \(more)
      "filters": [ { "filter": "exposure", "stops": \(stops) } ],
      "outputs": [ { "name": "web", "format": "png", "path": "{name}.{output}.{ext}" } ]
    }
    """
  }

  static var options: BatchOptions {
    var options = BatchOptions()
    options.workerExecutable = Command.executable
    options.durability = .none
    options.jobs = 2
    return options
  }

  /// A photo with content that depends on `number`.
  static func photo(_ number: Int) throws -> [UInt8] {
    try SyntheticPhoto.png(width: 8 + number % 40, height: 6 + number / 40 % 40)
  }

  func addPhoto(_ name: String, _ number: Int = 0) throws {
    try folder.write(Self.photo(number), to: "photos/\(name)")
  }

  /// Writes an XMP file with a rating beside a photo.
  func rate(_ photo: String, _ stars: Int) throws {
    try folder.write(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="\(stars)"/></rdf:RDF></x:xmpmeta>
      """, to: "photos/\(photo).xmp")
  }

  /// Starts a watch, and returns when all existing photos are processed.
  func begin(_ change: (inout WatchOptions) -> Void = { _ in }) async throws {
    var options = WatchOptions()
    options.batch = Self.options
    options.settle = .milliseconds(50)
    change(&options)
    let watch = try Watch(recipe: recipe, library: library, options: options)
    self.watch.withLock { $0 = watch }
    let ready = AsyncStream<Void>.makeStream()
    let task = Task {
      defer { ready.continuation.finish() }
      try await watch.run { event in
        self.heard.withLock { $0.append(event) }
        if case .ready = event { ready.continuation.finish() }
      }
    }
    self.task.withLock { $0 = task }
    for await _ in ready.stream {}
    try await sync()
  }

  func sync() async throws { try await WatchSync(library).run(atMost: .seconds(600)) }

  func reload() { watch.withLock { $0?.reload() } }

  /// Ends the watch.
  func end() async throws {
    let task = task.withLock { $0 }
    task?.cancel()
    do { try await task?.value } catch is CancellationError {}
  }

  /// The events since the last call.
  func takeEvents() -> [WatchEvent] {
    heard.withLock { heard in
      defer { heard = [] }
      return heard
    }
  }

  /// Waits for an event for which `isWanted` is true; nil after ten minutes.
  ///
  /// The limit is long because other tests use the cores as well.
  func event(_ isWanted: (WatchEvent) -> Bool) async throws -> WatchEvent? {
    let end = ContinuousClock.now + .seconds(600)
    while .now < end {
      if let found = heard.withLock({ $0.first(where: isWanted) }) { return found }
      try await Task.sleep(for: .milliseconds(5))
    }
    return nil
  }

  /// All files of the library except the files of the state folder.
  func files() throws -> [String] {
    // The enumeration starts at the library itself, because it does not enter folders on which file
    // systems are mounted.
    let found = FileManager.default.enumerator(atPath: library.string)
    var names: [String] = []
    while let name = found?.nextObject() as? String {
      let isFile = found?.fileAttributes?[.type] as? FileAttributeType == .typeRegular
      if isFile && !name.hasPrefix(".phbatch/") { names.append(name) }
    }
    return names.sorted()
  }

  /// Creates a file, and keeps it open for writing.
  func makeFile(_ name: String) throws -> FileHandle {
    let url = URL(filePath: folder["photos/\(name)"].string)
    try Data().write(to: url)
    return try FileHandle(forWritingTo: url)
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: folder["photos/\(name)"].string)
  }

  func rename(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(
      atPath: folder["photos/\(name)"].string, toPath: folder["photos/\(other)"].string)
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder["photos/\(name)"].string, withIntermediateDirectories: true)
  }
}

extension [WatchEvent] {
  /// The reported outcomes, by photo.
  var outcomes: [(photo: String, reason: Reason)] {
    compactMap { event in
      guard case .run(.finished(let outcome)) = event else { return nil }
      return (outcome.path.string, outcome.reason)
    }
  }

  var warnings: [String] {
    compactMap { event in
      guard case .warning(let text, let hint) = event else { return nil }
      return hint.isEmpty ? text : "\(text)\n\(hint)"
    }
  }
}
