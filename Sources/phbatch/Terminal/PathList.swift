import FoundationEssentials
import PhotoBatch
import PhotoLibrary
import SystemPackage

/// Paths in the form in which find and git list them: arbitrary bytes, each path followed by a line
/// feed or a zero byte.
struct PathList {
  let paths: [FilePath]

  /// Reads a file, or stdin for `-`.
  init(_ file: String, separator: UInt8) throws {
    let bytes: Data
    do {
      bytes = try Data(contentsOf: URL(filePath: file == "-" ? "/dev/stdin" : file))
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
}
