import PhotoLibrary
import PhotoRecipes
import SystemPackage

extension LibraryContents {
  /// Reads only what the photos in these folders need: the folders, those into which `recipe` writes
  /// their renditions, and those of photos that may own one of these paths.
  ///
  /// Nil if the recipes that were run over the library are not known, or if one of them collects
  /// renditions of several folders: photos of any folder may then own the paths.
  init?(
    around folders: Set<FilePath>, of root: OutputRoot, _ digests: KnownDigests,
    recipe: Recipe? = nil
  ) {
    let places = PlaceRegistry(of: root.library).places
    if root.isMirror || places.isEmpty || places.contains(where: \.startsAtRoot) { return nil }
    var part = Part(root)
    part.read(folders)
    let photos = part.contents.assets.map(\.path)
    let planned = recipe.map { RenditionPaths(of: $0) }.map { paths in
      photos.flatMap { paths.known(of: $0) }
    }
    part.read(Set((planned ?? []).map { $0.removingLastComponent() }))
    let paths = photos + (planned ?? [])
    part.read(Set(paths.flatMap { path in places.flatMap { $0.origins(of: path) } }.map(\.folder)))
    self = part.contents
    let search = OrphanSearch(in: root, digests, recipe: recipe)
    findOrphans(search, in: part.sorted, of: root)
  }

  /// Some folders of a library.
  private struct Part {
    private let root: OutputRoot
    private var reader: SidecarReader
    private var folders: [FilePath: ScannedFolder] = [:]
    private(set) var contents: LibraryContents

    init(_ root: OutputRoot) {
      self.root = root
      reader = SidecarReader(root)
      contents = LibraryContents(root)
    }

    mutating func read(_ paths: Set<FilePath>) {
      for path in paths where folders[path] == nil {
        folders[path] = Scan(root.library).entered(path)?.scanned()
      }
      contents = LibraryContents(root, library: sorted, mirror: [], &reader)
    }

    /// The folders, sorted by path.
    var sorted: [ScannedFolder] { folders.values.sorted { $0.path.string < $1.path.string } }
  }
}

extension PhotoChoice {
  /// The folders of the chosen photos; nil if a whole folder or a pattern is chosen.
  func folders(in root: OutputRoot) -> Set<FilePath>? {
    guard let parts else { return nil }
    var found: Set<FilePath> = []
    for part in parts {
      guard case .place(let path) = part.content, !path.isEmpty,
        (try? root.library.status(at: path))??.kind != .directory
      else { return nil }
      found.insert(path.removingLastComponent())
    }
    return found
  }
}
