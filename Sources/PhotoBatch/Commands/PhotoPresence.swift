import PhotoLibrary
import SystemPackage

/// Checks whether photos are still at their recorded paths.
///
/// Some file systems find a file also by a name with other case or another Unicode form. A photo
/// whose name changed only in these is no longer at its recorded path.
struct PhotoPresence {
  private let library: RealFileSystem
  private let scanned: Set<FilePath>
  /// The identities of the scanned photos, by their paths in lower case.
  ///
  /// Swift compares texts regardless of their Unicode form.
  private let identities: [String: [FileIdentity]]

  init(_ contents: LibraryContents, in root: OutputRoot) {
    library = root.library
    scanned = Set(contents.assets.map(\.path))
    identities = Dictionary(grouping: contents.assets) { $0.path.string.lowercased() }
      .mapValues { $0.map(\.file.status.identity) }
  }

  /// True if a photo is at this path, whether the scan lists it or not.
  func hasPhoto(_ path: FilePath) -> Bool {
    scanned.contains(path) || fileLeftOut(at: path) != nil
  }

  /// The status of the file at this path that the scan leaves out, such as one that
  /// `.phbatchignore` lists; nil if there is none.
  func fileLeftOut(at path: FilePath) -> FileStatus? {
    guard !scanned.contains(path), let status = try? library.status(at: path),
      status.kind == .regular,
      !(identities[path.string.lowercased()] ?? []).contains(status.identity)
    else { return nil }
    return status
  }
}
