import PhotoLibrary
import SystemPackage

/// The paths of a watched library and of its output root.
struct WatchedRoots: Sendable {
  let library: FilePath
  /// The output root; nil if sidecars and renditions are beside the photos.
  let mirror: FilePath?

  /// Creates the output root's folders in the same way as a run.
  init(library: FilePath, output: FilePath?) throws {
    let root = try OutputRoot.create(library: library, output: output)
    self.library = library
    mirror = root.isMirror ? output : nil
  }

  /// Prepares the output root again, after a new folder has appeared at its path.
  func prepare() {
    // Errors are ignored here, because the next round creates or reports a missing folder.
    _ = try? OutputRoot.create(library: library, output: mirror)
  }

  var trees: [LibraryTree] { mirror == nil ? [.library] : [.library, .mirror] }

  /// The path of a watched folder, below the library or the output root.
  func path(of folder: FolderKey) -> FilePath {
    let root = folder.tree == .mirror ? mirror ?? library : library
    return root.appending(folder.path.components)
  }

  /// Opens the root folders of the library and of the output root.
  func open() throws(FileSystemError) -> WatchState.Roots {
    var roots: WatchState.Roots = [.library: try RealFileSystem(root: library)]
    if let mirror { roots[.mirror] = try RealFileSystem(root: mirror) }
    return roots
  }

  /// Opens the output root.
  func openOutput() throws(FileSystemError) -> RealFileSystem {
    try RealFileSystem(root: mirror ?? library)
  }
}
