import PhotoLibrary
import SystemPackage

extension LibraryContents {
  /// For each folder of originals, the other folders in which their sidecars name files.
  func touchedFolders(_ root: OutputRoot) -> [FolderKey: Set<FolderKey>] {
    var found: [FolderKey: Set<FolderKey>] = [:]
    func add(_ sidecars: [FilePath: FoundSidecar], _ tree: LibraryTree) {
      for (original, sidecar) in sidecars {
        let folder = FolderKey(.library, original.removingLastComponent())
        for path in sidecar.sidecar?.namedPaths(of: original, in: root) ?? [] {
          let other = path.removingLastComponent()
          for key in [FolderKey(tree, other), FolderKey(.library, other)] where key != folder {
            found[folder, default: []].insert(key)
          }
        }
      }
    }
    add(sidecars, root.renditionTree)
    if root.isMirror { add(librarySidecars, .library) }
    return found
  }
}

extension Sidecar {
  /// The paths that the sidecar names; if the output root is the library, without files beside the
  /// original.
  ///
  /// The function does not check whether the files exist.
  func namedPaths(of original: FilePath, in root: OutputRoot) -> [FilePath] {
    let kept = kept.map(\.rendition.file)
    let names = adjustments.flatMap { adjustment in
      let foreign = adjustment.foreign.map { [$0.file] + ($0.current.map { [$0.file] } ?? []) }
      return adjustment.renditions.map(\.file) + (foreign ?? [])
    }
    return (names + kept).compactMap {
      $0.isInFolder && !root.isMirror ? nil : $0.path(besides: original)
    }
  }
}
