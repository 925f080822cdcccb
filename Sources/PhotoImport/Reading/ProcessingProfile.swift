import Notation

/// RawTherapee's settings of a photo, a `.pp3` file: groups of keys and values.
///
/// - Source: GLib, Key-value file parser: groups with the same name are merged, and later values
///   replace earlier ones.
public struct ProcessingProfile: Sendable, Hashable {
  public static let sizeLimit = 1 << 20

  package let groups: [String: [String: String]]

  public init(_ bytes: [UInt8]) throws(ForeignFileError) {
    guard bytes.count <= Self.sizeLimit else { throw .tooLarge(limit: Self.sizeLimit) }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
    var groups: [String: [String: String]] = [:]
    var group: String?
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, line) in lines.enumerated() {
      if line.hasTooManyMarks { throw .profile(line: index + 1) }
      let line = line.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
      guard let first = line.first, first != "#" else { continue }
      if first == "[", let end = line.firstIndex(of: "]") {
        let name = String(line[line.index(after: line.startIndex)..<end])
        group = name
        groups[name, default: [:]] = groups[name] ?? [:]
      } else if let group, let equals = line.firstIndex(of: "="), equals > line.startIndex {
        groups[group, default: [:]][line[..<equals].trimmed] =
          line[line.index(after: equals)...].trimmed
      } else {
        throw .profile(line: index + 1)
      }
    }
    self.groups = groups
  }

  /// The version of the program that wrote the file; empty if the file does not state it.
  public var version: String { groups["Version"]?["AppVersion"] ?? "" }

  /// Groups that do not change the photo's look: rank, labels and metadata.
  static let descriptive: Set = ["Version", "General", "Exif", "IPTC", "MetaData"]

  /// True if the profile has settings that change the photo's look.
  public var hasSettings: Bool {
    groups.contains { !Self.descriptive.contains($0.key) && !$0.value.isEmpty }
  }

  package subscript(_ group: String, _ key: String) -> String? { groups[group]?[key] }
}

extension Substring {
  fileprivate var trimmed: String {
    guard let end = lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(self[...end].drop { $0.isWhitespace })
  }
}
