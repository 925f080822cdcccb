import PhotoBatch
import PhotoLibrary
import SystemPackage

/// A list of paths as find and git print it: each path is followed by a line feed or a zero byte,
/// and may contain any other bytes.
struct PathList {
  let paths: [FilePath]

  /// Reads the list from a file, or from stdin if `file` is `-`.
  init(_ file: String, separator: UInt8) throws {
    let bytes: [UInt8]
    do {
      if file == "-" {
        bytes = try Self.bytes(of: .standardInput)
      } else {
        let list = try FileDescriptor.open(FilePath(file), .readOnly, options: .closeOnExec)
        bytes = try list.closeAfter { try Self.bytes(of: list) }
      }
    } catch {
      throw MissingInput("the list '\(file)' cannot be read", hint: "check the path")
    }
    if separator != 0 && bytes.contains(0) {
      throw MissingInput(
        "the list '\(file)' contains a zero byte",
        hint: "--null reads a list whose paths end with a zero byte")
    }
    paths = bytes.split(separator: separator).compactMap { FilePath(bytes: Array($0)) }
  }

  private static func bytes(of input: FileDescriptor) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe input.read(into: $0) }
      if count == 0 { return bytes }
      bytes += buffer.prefix(count)
    }
  }
}
