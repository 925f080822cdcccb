import Notation
import PhotoLibrary
public import SystemPackage

/// Reads the lines of a part of a file, a MiB at a time.
struct LineReader {
  private let files: RealFileSystem
  private let file: OpenFile
  private var offset: Int64
  private let end: Int64
  private var waiting: ArraySlice<UInt8> = []
  /// The digest of the bytes that were read.
  private(set) var digest = ChunkedDigest()

  init(_ file: OpenFile, in files: RealFileSystem, _ range: Range<Int64>) {
    (self.file, self.files) = (file, files)
    (offset, end) = (range.lowerBound, range.upperBound)
  }

  /// Returns the next line without its line feed; nil after the last one.
  mutating func next() throws(FileSystemError) -> [UInt8]? {
    while true {
      if let feed = waiting.firstIndex(of: UInt8(ascii: "\n")) {
        defer { waiting = waiting[(feed + 1)...] }
        return Array(waiting[..<feed])
      }
      let bytes = try files.read(file, at: offset, count: Int(min(end - offset, 1 << 20)))
      if bytes.isEmpty { return nil }
      digest.add(bytes)
      offset += Int64(bytes.count)
      waiting = ArraySlice(Array(waiting) + bytes)
    }
  }

  /// Returns the next line as JSON; nil after the last one.
  ///
  /// - Throws: `DamagedPlan` if the line is not JSON.
  mutating func nextJSON() throws -> JSON? {
    guard let line = try next() else { return nil }
    let (json, diagnostics) = JSONParser.parse(
      SourceText(name: file.path.displayed, bytes: line))
    guard let json, diagnostics.isEmpty else { throw DamagedPlan(path: file.path) }
    return json
  }
}

/// The error for a plan file, or a file of a shard, that is damaged or was changed.
public struct DamagedPlan: CommandError, Hashable {
  public let path: FilePath
  public var code: ExitCode { .invalidRecipe }
  public var message: String {
    "'\(path.displayed)' is not a plan, is damaged, or has another version"
  }
  public var hint: String { "make a new plan with 'phbatch plan'" }
}
