public import Notation

/// A file that a recipe names, such as a watermark or a profile.
///
/// Two files are equal if their paths are written identically; `folder` is used only to find the
/// file.
public struct NamedFile: SettingValue {
  /// The path as written, relative to `folder`.
  public var path: String
  /// The folder of the recipe that names the file; empty for the current folder.
  public var folder: String

  public init(path: String, folder: String) {
    self.path = path
    self.folder = folder
  }

  public static func == (a: NamedFile, b: NamedFile) -> Bool { a.path == b.path }
  public func hash(into hasher: inout Hasher) { hasher.combine(path) }

  public static func read(_ json: JSON, as kind: SettingKind) -> Result<NamedFile, Problem> {
    guard let path = json.string else { return wrongType(json, kind) }
    if path.isEmpty || path.utf8.contains(0) { return malformed(json, kind) }
    let source = json.location?.source.name ?? ""
    let slash = source.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { $0 == source.startIndex ? "/" : String(source[..<$0]) }
    return .success(NamedFile(path: path, folder: folder ?? ""))
  }

  /// The path as JSON; nil if no file was named.
  public var json: JSON? { path.isEmpty ? nil : .string(path) }

  /// The path of the file relative to the current folder.
  public var location: String {
    if path.first == "/" || folder.isEmpty { return path }
    return folder.last == "/" ? folder + path : "\(folder)/\(path)"
  }
}
