import PhotoLibrary
public import SystemPackage

extension NoPhotos {
  /// Counts the files at or below these paths, by the reason why each of them is not a photo.
  ///
  /// The empty path is the whole library.
  init(in root: OutputRoot, below paths: [FilePath] = [""]) {
    let contents = LibraryContents(scanning: root)
    let claims = contents.claims
    let orphans = Set(contents.orphans.map(\.path))
    var counts = OtherFiles()
    func isNamed(_ path: FilePath?) -> Bool {
      guard let path else { return false }
      return paths.contains { path.starts(with: $0) || $0.starts(with: path) }
    }
    for folder in Scan(root.library).walk({ $0.scanned() }).folders {
      for file in folder.files {
        guard let path = file.name.path(in: folder.path), isNamed(path) else { continue }
        let isRendition = !root.isMirror && claims[path] != nil || orphans.contains(path)
        if isRendition { counts.renditions += 1 } else { counts.otherFormats += 1 }
      }
      let others = folder.sidecars.map(\.name) + folder.companions.map(\.file.name)
      counts.otherFormats += others.filter { isNamed($0.path(in: folder.path)) }.count
      for entry in folder.skipped where isNamed(entry.name.path(in: folder.path)) {
        switch entry.reason {
        case .hidden: counts.hidden += 1
        case .ignored, .thumbnails, .anotherLibrary: counts.ignored += 1
        case .symbolicLink, .notFile: counts.irregular += 1
        case .folderNamedLikePhoto: break
        }
      }
    }
    if root.isMirror && paths != [""] { counts.renditions += claims.keys.filter(isNamed).count }
    self = .otherFiles(counts)
  }

  /// Counts the files of a library; `folder` is the library or its separate output root.
  public init(in folder: FilePath) throws {
    self.init(in: try OutputRoot(reading: folder))
  }

  /// Counts the files at or below the named paths of one library.
  public init(naming paths: [FilePath], library: FilePath? = nil) throws {
    let named = try PhotoPaths(paths, library: library)
    self.init(in: named.root, below: named.paths)
  }
}
