public import FoundationEssentials
import Glibc
import SystemPackage

/// A note about the holder of a library's lock, for the message of a process that does not get the
/// lock.
public struct LockNote: Sendable, Hashable, Codable {
  public let process: Int32
  public let host: String
  public let command: String
  public let started: Date
  /// True if the holder gives way to waiting processes, as a watch does; nil means false.
  public let givesWay: Bool?

  init(command: String, givesWay: Bool = false) {
    self.givesWay = givesWay ? true : nil
    process = getpid()
    host = Machine.hostName
    self.command = command
    // The note stores whole seconds, so the time is rounded down to equal the stored one.
    started = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
  }

  func json() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try Array(encoder.encode(self)) + [UInt8(ascii: "\n")]
  }

  /// Reads the note of a holder; nil if it is missing, illegible, or by a process that has ended.
  static func read(_ path: FilePath, in files: some FileSystem) -> LockNote? {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    guard let bytes = try? files.read(path, limit: 1 << 16),
      let note = try? decoder.decode(LockNote.self, from: Data(bytes)),
      note.host != Machine.hostName || Machine.isRunning(note.process)
    else { return nil }
    return note
  }
}
