public import FoundationEssentials
import Glibc
import SystemPackage

/// The lock note: a record about the holder of a library's lock.
///
/// A process that does not get the lock names the holder in its message.
public struct LockNote: Sendable, Hashable, Codable {
  public let process: Int32
  public let host: String
  public let command: String
  public let started: Date
  /// True if the holder releases the lock for waiting processes, as a watch does; nil means false.
  public let givesWay: Bool?
  /// The recipe that a watch applies, for people; nil for other commands.
  public let recipe: String?
  /// Identifies the start of the process; nil if it is not known.
  private let processStart: String?

  init(command: String, givesWay: Bool = false, recipe: String? = nil) {
    self.givesWay = givesWay ? true : nil
    self.recipe = recipe
    process = getpid()
    processStart = Machine.start(of: process)
    host = Machine.hostName
    self.command = command
    // The lock note stores whole seconds, so the time is rounded down to equal the stored time.
    started = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
  }

  public var isOfThisMachine: Bool { host == Machine.hostName }

  /// True if this process has written the note.
  public var isOfThisProcess: Bool { process == getpid() && isOfThisMachine }

  func json() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try Array(encoder.encode(self)) + [UInt8(ascii: "\n")]
  }

  /// Reads the lock note of a holder; nil if the note is missing or illegible, or if its process
  /// has ended.
  static func read(_ path: FilePath, in files: some FileSystem) -> LockNote? {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    guard let bytes = try? files.read(path, limit: 1 << 16),
      let note = try? decoder.decode(LockNote.self, from: Data(bytes)),
      !note.isOfThisMachine || Machine.isRunning(note.process, start: note.processStart)
    else { return nil }
    return note
  }
}
