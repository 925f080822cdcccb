/// The reason why a command found no photos.
public enum NoPhotos: Sendable, Hashable {
  /// The folders contain only other files, or are empty.
  case otherFiles(OtherFiles)
  /// The list of photos is empty.
  case emptyList
  /// The listed files are not photos of the library.
  case listedOthers
  /// No photo changed since this revision.
  case unchanged(since: String)
  /// The command `prune` found nothing to remove: every file belongs to a photo.
  case nothingToPrune
  /// The command `relink` found no photo that was moved or renamed.
  case nothingToRelink
  /// The command `undo --list` found no complete command; contains the reason why one is incomplete.
  case nothingToUndo(String)

  /// The counts of files that are not photos, by their kind.
  public struct OtherFiles: Sendable, Hashable {
    public var renditions = 0
    /// Files of other formats, such as texts, sidecars and companions.
    public var otherFormats = 0
    /// Files and folders that `.phbatchignore` or a built-in rule leaves out.
    public var ignored = 0
    /// Files and folders whose names begin with a dot.
    public var hidden = 0
    /// Symbolic links and special files.
    public var irregular = 0

    public init() {}
  }
}

extension NoPhotos: CustomStringConvertible {
  /// The sentence for a command that found no photos; `reason` is nil if the reason is not known.
  public static func text(_ reason: NoPhotos?) -> String {
    switch reason {
    case nil: "no photos"
    case .nothingToPrune?, .nothingToRelink?, .nothingToUndo?: reason?.description ?? ""
    case let reason?: "no photos: \(reason)"
    }
  }

  public var description: String {
    switch self {
    case .otherFiles(let files): files.description
    case .emptyList: "the list is empty"
    case .listedOthers: "no listed file is a photo of the library"
    case .nothingToPrune: "nothing to prune"
    case .nothingToRelink: "nothing to relink"
    case .nothingToUndo(let cause): "nothing to undo yet: \(cause)"
    case .unchanged(let revision): "none changed since '\(revision)'"
    }
  }
}

extension NoPhotos.OtherFiles: CustomStringConvertible {
  /// The counts that are not 0 as text, such as `only 3 renditions and 1 file of another format`.
  public var description: String {
    let parts = [
      (renditions, "rendition", "renditions"),
      (otherFormats, "file of another format", "files of other formats"),
      (ignored, "ignored entry", "ignored entries"), (hidden, "hidden entry", "hidden entries"),
      (irregular, "link or special file", "links or special files"),
    ]
    .filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
    guard let last = parts.last else { return "the folder is empty" }
    let others = parts.dropLast().joined(separator: ", ")
    return "only " + (others.isEmpty ? last : "\(others) and \(last)")
  }
}
