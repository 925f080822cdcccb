import Foundation

/// A table of `Tests/Oracles`.
enum OracleFile {
  /// The lines that are not comments.
  static func lines(_ name: String) throws -> [String] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let text = try String(
      contentsOf: folder.appending(path: "../../Oracles/\(name)"), encoding: .utf8)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
  }

  /// The lines that are not comments, each split into words.
  static func rows(_ name: String) throws -> [[String]] {
    try lines(name).map { $0.split(separator: " ").map(String.init) }
  }
}
