import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

extension Batch {
  /// Selects the photos of a run.
  enum Choice {
    case all
    /// The photos with these paths, which start at the library's root or contain the library's
    /// path.
    case named([FilePath])
    /// The photos in a folder; the path starts at the library's root.
    case below(FilePath)
    /// The photos to which these files belong; paths start at the library's root.
    case changed([FilePath])

    var isAll: Bool { if case .all = self { true } else { false } }
  }

  /// Finds out which photos the options select; `warning` is nil if there is none.
  func choice(_ files: NamedFiles) async throws -> (choice: Choice, warning: String?) {
    if let folder = options.folder { return (try below(folder), nil) }
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
      return (.all, "the recipe changed since '\(revision)': all photos are checked")
    }
    return (.changed(changes.files), nil)
  }

  /// The photos in a folder of the library.
  private func below(_ folder: FilePath) throws -> Choice {
    guard var path = try? folder.canonical() else {
      throw MissingInput("there is no folder '\(folder.displayed)'", hint: "check the path")
    }
    guard path.removePrefix(try library.canonical()) else {
      throw MissingInput(
        "'\(folder.displayed)' is not in the library '\(library.displayed)'",
        hint: "name the library that contains the folder with --library")
    }
    return path.isEmpty ? .all : .below(path)
  }

  /// Removes all photos that were not selected.
  ///
  /// - Returns: `missing`: selected photos whose originals are gone but whose sidecars exist.
  ///   `absent`: other named paths that do not exist. `unknown`: named paths outside the library
  ///   that do not exist.
  /// - Throws: `MissingInput` if photos are named and none of the paths exists.
  func keep(
    _ choice: Choice, of contents: inout LibraryContents, _ root: OutputRoot
  ) throws(MissingInput) -> (missing: [FilePath], absent: [FilePath], unknown: [FilePath]) {
    let missing = contents.missingOriginals(of: root).filter {
      recipe.selection.matches(path: $0.bytes)
    }
    switch choice {
    case .all: return (missing, [], [])
    case .below(let folder):
      contents.assets.removeAll { !$0.path.starts(with: folder) }
      contents.orphans.removeAll { !$0.path.starts(with: folder) }
      return (missing.filter { $0.starts(with: folder) }, [], [])
    case .changed(let files):
      // A mirror's renditions are not in the library, so a changed file of the library is never one
      // of them.
      let changed = ChangedPhotos(files, claims: root.isMirror ? [:] : contents.claims)
      contents.assets.removeAll { !changed.contains($0.path) }
      contents.orphans.removeAll { !changed.contains($0.path) }
      return (missing.filter(changed.contains), [], [])
    case .named(let named):
      let list = ListedPaths(library: root.library, known: contents.sidecars)
      let resolved = named.map { (named: $0, path: list.path($0)) }
      let chosen = Set(resolved.compactMap(\.path))
      let outside = resolved.filter { $0.path == nil }.map(\.named)
      let unknown = outside.filter { (try? $0.canonical()) == nil }
      contents.assets.removeAll { !chosen.contains($0.path) }
      contents.orphans.removeAll { !chosen.contains($0.path) }
      let gone = missing.filter(chosen.contains)
      // An existing file that is not a photo is not an error, because lists of files come from
      // programs such as find and git.
      let absent = chosen.subtracting(missing).filter {
        (try? root.library.status(at: $0)) == nil
      }
      let isNoneThere = absent.count == chosen.count && unknown.count == outside.count
      if !named.isEmpty && isNoneThere {
        throw MissingInput(
          "the list names no file that exists: \(named.enumeration)",
          hint: "paths start at the library or at the working directory; see also --null")
      }
      return (gone, absent.sorted { $0.string < $1.string }, unknown)
    }
  }
}

extension JSON {
  /// The names of the files from which the value, or a part of it, was read.
  fileprivate func collectFiles(_ names: inout Set<String>) {
    if let location { names.insert(location.source.name) }
    switch value {
    case .array(let elements): for element in elements { element.collectFiles(&names) }
    case .object(let object): for member in object.members { member.value.collectFiles(&names) }
    case .null, .bool, .number, .string: break
    }
  }
}
