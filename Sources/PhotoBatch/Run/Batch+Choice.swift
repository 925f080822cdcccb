import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

extension Batch {
  /// Which photos of the library a run looks at.
  enum Choice {
    case all
    /// These, from the library's root or with its path before them.
    case named([FilePath])
    /// Those that belong to these files, from the library's root.
    case changed([FilePath])

    var isAll: Bool { if case .all = self { true } else { false } }
  }

  /// Makes out which photos the options ask for, and what is worth a word about that.
  func choice(_ files: NamedFiles) async throws -> (choice: Choice, note: String?) {
    guard let revision = options.since else {
      return (options.photos.map { .named($0) } ?? .all, nil)
    }
    var sources: Set<String> = []
    document.tree.collectFiles(&sources)
    let recipe = try sources.sorted().map { try FilePath($0).canonical() }
    let own = recipe + files.entries.values.map(\.location)
    let changes = try await RevisionChanges(
      since: revision, in: RealFileSystem(root: library), others: own)
    if own.contains(where: changes.contains) {
      return (.all, "the recipe changed since '\(revision)': all photos are looked at")
    }
    return (.changed(changes.files), nil)
  }

  /// Leaves only the photos that were chosen.
  ///
  /// - Returns: Those chosen whose originals are gone and whose sidecars are there, and the others
  ///   that were named and are not there.
  func keep(
    _ choice: Choice, of contents: inout LibraryContents, _ root: OutputRoot
  ) -> (missing: [FilePath], absent: [FilePath]) {
    let missing = contents.missingOriginals(of: root).filter {
      recipe.selection.matches(path: $0.bytes)
    }
    switch choice {
    case .all: return (missing, [])
    case .changed(let files):
      // Renditions of a mirror are not in the library.
      let changed = ChangedPhotos(files, claims: root.isMirror ? [:] : contents.claims)
      contents.assets.removeAll { !changed.contains($0.path) }
      return (missing.filter(changed.contains), [])
    case .named(let named):
      let list = ListedPaths(library: root.library, known: contents.sidecars)
      let chosen = Set(named.compactMap(list.path))
      contents.assets.removeAll { !chosen.contains($0.path) }
      let gone = missing.filter(chosen.contains)
      // What is there and no photo is no mistake: lists come from find and git.
      let absent = chosen.subtracting(missing).filter {
        (try? root.library.status(at: $0)) == nil
      }
      return (gone, absent.sorted { $0.string < $1.string })
    }
  }
}

extension JSON {
  /// The names of the files that the value, or a part of it, was read from.
  fileprivate func collectFiles(_ names: inout Set<String>) {
    if let location { names.insert(location.source.name) }
    switch value {
    case .array(let elements): for element in elements { element.collectFiles(&names) }
    case .object(let object): for member in object.members { member.value.collectFiles(&names) }
    case .null, .bool, .number, .string: break
    }
  }
}
