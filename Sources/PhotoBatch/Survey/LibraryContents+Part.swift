import PhotoLibrary
import PhotoRecipes
import SystemPackage

extension LibraryContents {
  /// Reads only the folders that matter for the photos in `folders`.
  ///
  /// These are: `folders`, the folders into which `recipe` writes renditions of these photos, and
  /// the folders of other photos that may own one of these paths.
  ///
  /// Returns nil if photos of any folder may own the paths: if no path templates of earlier recipes
  /// are known, if one of them starts at the library's root, or if the output root is not the
  /// library.
  ///
  /// `known` are the path templates of all recipes if the caller knows them; then the output root
  /// may also be another folder.
  init?(
    around folders: Set<FilePath>, of root: OutputRoot, _ digests: KnownDigests,
    recipe: Recipe? = nil, places known: [RenditionPlace]? = nil
  ) {
    let places = known ?? (root.isMirror ? [] : PlaceRegistry(of: root.library).places)
    if places.isEmpty || places.contains(where: \.startsAtRoot) { return nil }
    var part = Part(root)
    part.read(folders)
    let photos = part.contents.assets.map(\.path)
    let planned = recipe.map { RenditionPaths(of: $0) }.map { paths in
      photos.flatMap { paths.known(of: $0) }
    }
    part.read(Set((planned ?? []).map { $0.removingLastComponent() }))
    let paths = photos + (planned ?? [])
    // Renditions in their photos' own folders lead to no other folder.
    let leaving = places.filter { !$0.staysInFolder }
    part.read(
      Set(paths.flatMap { path in leaving.flatMap { $0.origins(of: path) } }.map(\.folder)))
    self = part.contents
    let search = OrphanSearch(in: root, digests, recipe: recipe)
    findOrphans(search, in: part.sorted, of: root)
  }

  /// Reads what matters for the photos in `folders`, or everything if `folders` is nil or if photos
  /// of any folder may matter.
  init(of root: OutputRoot, around folders: Set<FilePath>?, _ digests: KnownDigests) {
    self =
      folders.flatMap { LibraryContents(around: $0, of: root, digests) }
      ?? LibraryContents(scanning: root)
  }

  /// The folders of a library that were read so far, and their contents.
  private struct Part {
    private let root: OutputRoot
    private var reader: SidecarReader
    private var folders: [FilePath: ScannedFolder] = [:]
    /// The same folders of a separate output root.
    private var mirrored: [FilePath: ScannedFolder] = [:]
    private(set) var contents: LibraryContents

    init(_ root: OutputRoot) {
      self.root = root
      reader = SidecarReader(root)
      contents = LibraryContents(root)
    }

    mutating func read(_ paths: Set<FilePath>) {
      let new = paths.filter { folders[$0] == nil }
      if new.isEmpty { return }
      for path in new {
        folders[path] = Scan(root.library).entered(path)?.scanned()
        if root.isMirror { mirrored[path] = Scan(root.files).entered(path)?.scanned() }
      }
      contents = LibraryContents(
        root, library: sorted, mirror: Self.sorted(mirrored), &reader)
    }

    /// The folders of the library, sorted by path.
    var sorted: [ScannedFolder] { Self.sorted(folders) }

    private static func sorted(_ folders: [FilePath: ScannedFolder]) -> [ScannedFolder] {
      folders.values.sorted { $0.path.string < $1.path.string }
    }
  }
}

extension PhotoPaths {
  /// The contents of the library that matter for the named photos; all contents if a folder is
  /// named, or if photos of any folder may matter.
  func contents(_ digests: KnownDigests) -> LibraryContents {
    let isFolder = paths.contains { path in
      path.isEmpty || (try? root.library.status(at: path))??.kind == .directory
    }
    return LibraryContents(
      of: root, around: isFolder ? nil : Set(paths.map { $0.removingLastComponent() }), digests)
  }
}

extension PhotoChoice {
  /// The folders of the chosen photos; nil if the choice contains a folder, a pattern or the whole
  /// library.
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
