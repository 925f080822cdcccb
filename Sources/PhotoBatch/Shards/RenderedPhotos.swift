import Notation
import PhotoLibrary
import Synchronization
import SystemPackage

/// The outcomes of the photos that a shard of a plan has rendered, in a file of the shard.
///
/// Reports need facts that no sidecar has, such as qualities, clipped pixels and warnings, also for
/// photos that an earlier execution of the shard has rendered. The outcomes are written before
/// their photos are published, so that a published photo always has its outcome in the file.
final class RenderedPhotos: Sendable {
  private let files: RealFileSystem
  private let saves: Bool
  /// The file at its end; nil if it cannot be written.
  private let file: Mutex<OpenFile?>
  /// The outcomes of earlier executions.
  private let earlier: [FilePath: AssetOutcome]

  static func path(_ state: CommitState) -> FilePath { state.folder.appending("rendered") }

  /// Reads the outcomes of earlier executions, and prepares the file for further ones.
  ///
  /// Errors are ignored: without the file, a report only counts these photos as up to date.
  init(_ state: CommitState, in files: RealFileSystem, _ durability: Durability) {
    self.files = files
    saves = durability != .none
    let path = Self.path(state)
    let lines = Self.lines(of: path, in: files)
    earlier = Dictionary(lines.map { ($0.outcome.path, $0.outcome) }) { _, last in last }
    // The last line is not complete if the shard was killed while it wrote the line.
    let bytes = lines.flatMap { $0.text + [UInt8(ascii: "\n")] }
    try? files.replace(path, with: bytes)
    file = Mutex(try? files.openAtEnd(path))
  }

  private static func lines(
    of path: FilePath, in files: RealFileSystem
  ) -> [(text: [UInt8], outcome: AssetOutcome)] {
    guard let file = try? files.open(path), let size = try? files.status(of: file).identity.size
    else { return [] }
    var reader = LineReader(file, in: files, 0..<size)
    var lines: [(text: [UInt8], outcome: AssetOutcome)] = []
    while let line = try? reader.next() {
      let source = SourceText(name: path.displayed, bytes: line)
      guard let outcome = JSONParser.parse(source).json.flatMap({ ShardResult.outcome($0) })
      else { continue }
      lines.append((line, outcome))
    }
    return lines
  }

  /// Adds the outcomes of photos that are about to be published.
  func add(_ outcomes: [AssetOutcome]) {
    let bytes = outcomes.flatMap { ShardResult.json($0).compactBytes + [UInt8(ascii: "\n")] }
    file.withLock { file in
      guard let file else { return }
      try? files.write(bytes, to: file)
      if saves { try? files.synchronize(file) }
    }
  }

  /// The outcome of a photo that an earlier execution has rendered; nil if it is not known, or if
  /// it does not have these renditions.
  func outcome(
    of photo: FilePath, with renditions: [AssetOutcome.Rendition]
  ) -> AssetOutcome? {
    guard let outcome = earlier[photo] else { return nil }
    let known = Dictionary(outcome.renditions.map { ($0.path, $0) }) { first, _ in first }
    let isSame = renditions.allSatisfy { rendition in
      known[rendition.path].map { $0.bytes == rendition.bytes && $0.size == rendition.size }
        ?? false
    }
    return isSame || outcome.renditions.isEmpty ? outcome : nil
  }
}
