import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

extension Batch {
  /// Selects the photos of a run.
  enum Choice {
    case all
    /// The photos with these paths, each relative to the library's root or containing the library's
    /// path.
    case named([FilePath])
    /// The photos and folders named in the command.
    case chosen(PhotoChoice)
    /// The photos to which these changed files belong; the paths are relative to the library's
    /// root.
    case changed([FilePath])
    /// The photos in these folders.
    case folders(Set<FilePath>)
    /// The photos of a shard, by their paths relative to the library's root.
    case planned(Set<FilePath>)

    var isAll: Bool { if case .all = self { true } else { false } }
    /// True if other parts of the same run process the other photos.
    var isPart: Bool {
      switch self {
      case .folders, .planned: true
      case .all, .named, .chosen, .changed: false
      }
    }
  }

  /// Returns the photos that the options select, and a warning; the warning is nil if there is
  /// none.
  func choice(_ files: NamedFiles) async throws -> (choice: Choice, warning: String?) {
    guard let revision = options.since else {
      if let photos = options.photos { return (.named(photos), nil) }
      guard let choice = options.choice, !choice.isWhole else { return (.all, nil) }
      return (.chosen(choice), nil)
    }
    var sources: Set<String> = []
    document.tree.collectFiles(&sources)
    let recipe = try sources.sorted().map { try FilePath($0).canonical() }
    let own = recipe + files.entries.values.map(\.location)
    let changes = try await RevisionChanges(
      since: revision, in: RealFileSystem(root: library), others: own)
    if own.contains(where: changes.contains) {
      return (.all, "the recipe changed since '\(revision)': all photos are checked")
    }
    return (.changed(changes.files), nil)
  }

  /// Removes from `contents` all photos that are not selected.
  ///
  /// - Returns: The other files that are selected.
  /// - Throws: `MissingInput` if photos are named and none of the paths exists, or if a named part
  ///   of the library has no photo.
  func keep(
    _ choice: Choice, of contents: inout LibraryContents, _ root: OutputRoot
  ) throws(MissingInput) -> Kept {
    let missing = contents.missingOriginals(of: root).filter {
      recipe.selection.matches(path: $0.bytes)
    }
    switch choice {
    case .all: return Kept(missing: missing, orphans: contents.orphans)
    case .folders(let folders):
      func isThere(_ path: FilePath) -> Bool { folders.contains(path.removingLastComponent()) }
      contents.assets.removeAll { !isThere($0.path) }
      return Kept(
        missing: missing.filter(isThere), orphans: contents.orphans.filter { isThere($0.path) })
    case .planned(let photos):
      contents.assets.removeAll { !photos.contains($0.path) }
      let gone = missing.filter(photos.contains)
      let absent = photos.subtracting(contents.assets.map(\.path)).subtracting(gone)
      // The plan has reported the orphans.
      return Kept(missing: gone, absent: absent.sorted { $0.string < $1.string })
    case .changed(let files):
      // With `--output`, renditions are outside the library, so a changed file of the library is
      // not a rendition.
      let changed = ChangedPhotos(files, claims: root.isMirror ? [:] : contents.claims)
      contents.assets.removeAll { !changed.contains($0.path) }
      return Kept(
        missing: missing.filter(changed.contains),
        orphans: contents.orphans.filter { changed.contains($0.path) })
    case .chosen(let choice):
      try choice.check(contents.assets.map(\.path) + missing)
      contents.assets.removeAll { !choice.contains($0.path) }
      return Kept(
        missing: missing.filter(choice.contains),
        orphans: contents.orphans.filter { choice.contains($0.path) })
    case .named(let named):
      let list = ListedPaths(library: root.library, known: contents.sidecars)
      let films = PairedFilms(in: root.library)
      let resolved = named.map { named in
        (named: named, path: list.path(named).map { root.photo(named: $0, films) })
      }
      let chosen = Set(resolved.compactMap(\.path))
      let outside = resolved.filter { $0.path == nil }.map(\.named)
      let unknown = outside.filter { (try? $0.canonical()) == nil }
      contents.assets.removeAll { !chosen.contains($0.path) }
      let gone = missing.filter(chosen.contains)
      // An existing file that is not a photo is not an error, because lists of files come from
      // programs such as find and git.
      let absent = chosen.subtracting(missing).filter {
        (try? root.library.status(at: $0)) == nil
      }
      let isNoneThere = absent.count == chosen.count && unknown.count == outside.count
      if !named.isEmpty && isNoneThere {
        throw MissingInput(
          "none of the listed files exists: \(named.enumeration)",
          hint: "paths start at the library or at the working directory; see also --null")
      }
      return Kept(
        missing: gone, absent: absent.sorted { $0.string < $1.string }, unknown: unknown,
        orphans: contents.orphans.filter { chosen.contains($0.path) })
    }
  }

  /// The selected files that are not photos of the library.
  struct Kept {
    /// The selected photos whose originals are gone but whose sidecars exist.
    var missing: [FilePath] = []
    /// Other named paths in the library that do not exist.
    var absent: [FilePath] = []
    /// Named paths outside the library that do not exist.
    var unknown: [FilePath] = []
    /// The selected renditions without a record; the others may still be in the way of renditions.
    var orphans: [Orphan] = []
  }
}

extension JSON {
  /// Collects the names of the files from which the value and its parts were read.
  fileprivate func collectFiles(_ names: inout Set<String>) {
    if let location { names.insert(location.source.name) }
    switch value {
    case .array(let elements): for element in elements { element.collectFiles(&names) }
    case .object(let object): for member in object.members { member.value.collectFiles(&names) }
    case .null, .bool, .number, .string: break
    }
  }
}
