import Notation
import PhotoRecipes
public import SystemPackage

/// The rules of the `.phbatchignore` files of a folder and of the folders above it.
///
/// Each line is one pattern, similar to `.gitignore`: `#` begins a comment; a `/` at the end limits
/// the pattern to folders; a `/` elsewhere makes it a path from this folder; `!` includes again
/// what an earlier line excluded. The last matching pattern decides; patterns of deeper folders
/// come later. Patterns have the syntax of `Glob`, including braces. Nothing below an excluded
/// folder can be included again.
public struct IgnoreRules: Sendable, Hashable {
  public static let fileName: FilePath.Component = ".phbatchignore"

  /// The maximum length of all patterns with their braces expanded: that of the largest file
  /// without braces.
  static let lengthLimit = Scan.rulesLimit

  private var layers: [Layer] = []
  /// The length of all patterns with their braces expanded.
  private var length = 0

  public init() {}

  /// Adds the rules in `text`, the content of the `.phbatchignore` of `folder`.
  public mutating func add(_ text: [UInt8], in folder: FilePath) throws(IgnoreRulesError) {
    var rules: [Rule] = []
    let mark = "\u{FEFF}".utf8
    let text = text.starts(with: mark) ? text.dropFirst(mark.count) : text[...]
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let place = IgnoreRulesError.Place(folder: folder, line: index + 1)
      guard let line = String(validating: line, as: UTF8.self) else { throw .notUTF8(place) }
      do throws(GlobError) {
        guard let rule = try Rule(line) else { continue }
        rules.append(rule)
        length += rule.glob.length
      } catch { throw .pattern(error, place) }
      if length > Self.lengthLimit { throw .tooLong(limit: Self.lengthLimit, place) }
    }
    guard !rules.isEmpty else { return }
    layers.append(Layer(depth: folder.isEmpty ? 0 : folder.bytes.count + 1, rules: rules))
  }

  /// True if the rules exclude a path.
  ///
  /// The path is relative to the root, and below every folder with added rules.
  public func excludes(_ path: FilePath, isFolder: Bool) -> Bool {
    !layers.isEmpty && excludes(path.bytes[...], isFolder: isFolder)
  }

  /// True if the rules exclude an entry of a folder.
  ///
  /// If there are no rules, the path is not built, which saves time.
  func excludes(_ name: FileName, in folder: FilePath, isFolder: Bool) -> Bool {
    guard !layers.isEmpty else { return false }
    let path = folder.isEmpty ? Array(name.bytes) : folder.bytes + [UInt8(ascii: "/")] + name.bytes
    return excludes(path[...], isFolder: isFolder)
  }

  private func excludes(_ path: ArraySlice<UInt8>, isFolder: Bool) -> Bool {
    for layer in layers.reversed() {
      let below = path.dropFirst(layer.depth)
      for rule in layer.rules.reversed() where isFolder || !rule.foldersOnly {
        if rule.matches(below) { return !rule.takesBack }
      }
    }
    return false
  }

  private struct Layer: Hashable {
    /// The number of bytes of the path of the rules' folder and the slash after it.
    ///
    /// These bytes are removed from a path before the path is compared with the patterns.
    let depth: Int
    let rules: [Rule]
  }

  private struct Rule: Hashable {
    let glob: Glob
    /// True if the pattern must match the path from the rules' folder; false if a name is enough.
    private let isTied: Bool
    let takesBack: Bool
    let foldersOnly: Bool

    /// Parses a line; nil for a comment or an empty line.
    init?(_ line: String) throws(GlobError) {
      // Scalars are compared, because a `Character` includes the combining marks after it.
      var pattern = line.unicodeScalars[...]
      if pattern.last == "\r" { pattern.removeLast() }
      while pattern.last == " ", pattern.dropLast().last != "\\" { pattern.removeLast() }
      guard let first = pattern.first, first != "#" else { return nil }
      takesBack = first == "!"
      if takesBack { pattern.removeFirst() }
      foldersOnly = pattern.last == "/"
      if foldersOnly { pattern.removeLast() }
      isTied = pattern.contains("/")
      if pattern.first == "/" { pattern.removeFirst() }
      glob = try Glob(String(pattern))
    }

    func matches(_ path: ArraySlice<UInt8>) -> Bool {
      let slash = isTied ? nil : path.lastIndex(of: UInt8(ascii: "/"))
      return glob.matches(slash.map { path[($0 + 1)...] } ?? path)
    }
  }
}
