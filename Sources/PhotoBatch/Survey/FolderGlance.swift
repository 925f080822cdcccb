import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// What the names of a folder's files, and the names in its sidecars, tell before the folder is read.
struct FolderGlance: Sendable {
  /// The folders that must be read together with this folder.
  var links: Set<FolderKey> = []
  /// The number of files that are probably photos.
  var photos = 0
  /// True if the folder is in the library and has sidecars.
  var hasSidecars = false
}

/// Looks at folders, so that a large library can be divided into parts that do not depend on each
/// other.
///
/// A folder is linked to the folders with files that its sidecars record, to the folders into which
/// the recipe writes renditions of its photos, and to the folders with photos of which its files may
/// be renditions by the path templates of all recipes.
struct FolderGlancer: Sendable {
  private let root: OutputRoot
  private let paths: RenditionPaths
  /// The path templates of all recipes that lead out of the folders of photos.
  private let places: [RenditionPlace]
  /// True if the path templates of earlier recipes are known.
  let knowsPlaces: Bool

  /// Prepares to look at folders before a run of `recipe`.
  ///
  /// Nil if photos of any folder may have renditions in the same folder: if a template gives folders
  /// that are not known before rendering.
  init?(_ root: OutputRoot, _ recipe: Recipe) {
    paths = RenditionPaths(of: recipe)
    guard paths.knowsFolders else { return nil }
    self.root = root
    let known = PlaceRegistry(of: root.library).places
    knowsPlaces = !known.isEmpty
    places = (known + (root.isMirror ? [] : RenditionPlace.places(of: recipe)))
      .filter { !$0.staysInFolder && !$0.startsAtRoot }
  }

  /// True if a folder's links do not depend on the names of its files.
  var ignoresNames: Bool { paths.stayInFolder && places.isEmpty }

  /// Looks at a folder; without `opensSidecars`, at names only.
  func glance(
    _ folder: ScannedFolder, _ tree: LibraryTree, opensSidecars: Bool = true
  ) -> FolderGlance {
    var glance = FolderGlance()
    glance.hasSidecars = tree == .library && !folder.sidecars.isEmpty
    if root.isMirror {
      glance.links.insert(FolderKey(tree == .library ? .mirror : .library, folder.path))
    }
    var recorded: Set<[UInt8]> = []
    if opensSidecars {
      for sidecar in folder.sidecars {
        guard let path = sidecar.name.path(in: folder.path),
          let original = Sidecar.original(of: path)
        else { continue }
        note(path, of: original, sidecar.status.identity, tree, &glance, &recorded)
      }
    }
    if tree == .library { note(folder, recorded, &glance) }
    return glance
  }

  /// Adds the links that follow from the names of a folder's files.
  private func note(
    _ folder: ScannedFolder, _ recorded: Set<[UInt8]>, _ glance: inout FolderGlance
  ) {
    for file in folder.files where file.claim != .none {
      if !recorded.contains(Array(file.name.bytes)) { glance.photos += 1 }
      guard !ignoresNames, let path = file.name.path(in: folder.path) else { continue }
      for other in paths.folders(of: path) where root.isMirror || other != folder.path {
        glance.links.insert(FolderKey(root.renditionTree, other))
      }
      for place in places {
        for origin in place.origins(of: path) where origin.folder != folder.path {
          glance.links.insert(FolderKey(.library, origin.folder))
        }
      }
    }
  }

  /// Adds the links that follow from a sidecar, and the names that it records in its own folder.
  ///
  /// A sidecar that records files in its own folder only is not parsed.
  private func note(
    _ path: FilePath, of original: FilePath, _ identity: FileIdentity, _ tree: LibraryTree,
    _ glance: inout FolderGlance, _ recorded: inout Set<[UInt8]>
  ) {
    let files = tree == .library ? root.library : root.files
    guard identity.size <= Int64(Sidecar.sizeLimit),
      let bytes = try? files.read(path, limit: Sidecar.sizeLimit + 1)
    else { return }
    let own = original.lastComponent?.bytes ?? []
    if let names = PlainNames.recorded(in: bytes) {
      for name in names where !own.elementsEqual(name) { recorded.insert(Array(name)) }
      return
    }
    guard let sidecar = SidecarReader.read(path, of: original, identity, files).sidecar else {
      return
    }
    let folder = original.removingLastComponent()
    for named in sidecar.namedPaths(of: original, in: root) {
      let other = named.removingLastComponent()
      for key in [FolderKey(tree, other), FolderKey(.library, other)]
      where key != FolderKey(.library, folder) {
        glance.links.insert(key)
      }
    }
    for rendition in sidecar.adjustments.flatMap(\.renditions) where rendition.file.isInFolder {
      recorded.insert(rendition.file.bytes)
    }
  }
}
