import PhotoLibrary
import SystemPackage

/// Where a watched library lies, and where what is made of it.
struct WatchedRoots: Sendable {
  let library: FilePath
  /// Nil where sidecars and renditions stand beside the photos.
  let mirror: FilePath?

  /// Makes the output root as a run would.
  init(library: FilePath, output: FilePath?) throws {
    let root = try OutputRoot.create(library: library, output: output)
    self.library = library
    mirror = root.isMirror ? output : nil
  }

  /// Does so again where somebody has put a new folder in its place.
  func prepare() {
    // What is missing is made or reported by the next round.
    _ = try? OutputRoot.create(library: library, output: mirror)
  }

  var trees: [LibraryTree] { mirror == nil ? [.library] : [.library, .mirror] }

  /// Where a folder lies.
  func path(of folder: FolderKey) -> FilePath {
    let root = folder.tree == .mirror ? mirror ?? library : library
    return root.appending(folder.path.components)
  }

  /// Opens the roots.
  func open() throws(FileSystemError) -> WatchState.Roots {
    var roots: WatchState.Roots = [.library: try RealFileSystem(root: library)]
    if let mirror { roots[.mirror] = try RealFileSystem(root: mirror) }
    return roots
  }

  /// Opens the one that is written to.
  func openOutput() throws(FileSystemError) -> RealFileSystem {
    try RealFileSystem(root: mirror ?? library)
  }
}
