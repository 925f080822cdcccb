public import Foundation
import Glibc
import SystemPackage

/// The holder of a library, for the message to a process that does not get it.
public struct LockNote: Sendable, Hashable, Codable {
  public let process: Int32
  public let host: String
  public let command: String
  public let started: Date
  /// True if the holder gives the library up soon, as a watch does; nil means false.
  public let givesWay: Bool?

  init(command: String, givesWay: Bool = false) {
    self.givesWay = givesWay ? true : nil
    process = getpid()
    host = Machine.hostName
    self.command = command
    // Whole seconds: what the note can say.
    started = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
  }

  func json() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try Array(encoder.encode(self)) + [UInt8(ascii: "\n")]
  }

  /// The note of a holder, unless it is missing, illegible, or by a process that has ended.
  static func read(_ path: FilePath, in files: RealFileSystem) -> LockNote? {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    guard let bytes = try? files.read(path, limit: 1 << 16),
      let note = try? decoder.decode(LockNote.self, from: Data(bytes)),
      note.host != Machine.hostName || Machine.isRunning(note.process)
    else { return nil }
    return note
  }
}
