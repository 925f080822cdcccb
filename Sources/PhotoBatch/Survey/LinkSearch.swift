import Notation
import PhotoLibrary
import PhotoRecipes
import Synchronization
import SystemPackage

/// What is known of a folder, from the names of its files and from its sidecars, before it is read.
struct FolderLinks: Sendable {
  /// The folders that must be read together with this folder.
  var others: Set<FolderKey> = []
  /// The number of files that are probably photos, less the renditions that the folder's sidecars
  /// record in other folders.
  var photos = 0
}

/// Finds the links between the folders of a large library, so that it can be divided into parts that
/// do not depend on each other.
///
/// A folder is linked to the folders with files that its sidecars record, to the folders into which
/// the recipe writes renditions of its photos, and to the folders with photos of which its files may
/// be renditions by the path templates of all recipes.
final class LinkSearch: Sendable {
  /// The error thrown if the folders of a library cannot be read one after the other.
  struct Undivided: Error {}

  private let root: OutputRoot
  private let paths: RenditionPaths
  /// The path templates of recipes that were run over the library, and of the recipe to be run.
  private let registered: Set<RenditionPlace>
  /// The registered path templates that lead out of the folders of photos.
  private let leaving: [RenditionPlace]
  private let state = Mutex(State())

  /// The templates in a sidecar, and the tree of the sidecar; see `SidecarText.form`.
  private struct Form: Hashable {
    let tree: LibraryTree
    let hash: UInt64
  }

  private struct State {
    /// The templates in sidecars that were parsed.
    var forms: Set<Form> = []
    var places: Set<RenditionPlace> = []
  }

  /// Prepares the search before a run of `recipe`.
  ///
  /// Nil if the folders of the recipe's renditions are not known before rendering.
  init?(_ root: OutputRoot, _ recipe: Recipe) {
    paths = RenditionPaths(of: recipe)
    guard paths.knowsFolders else { return nil }
    self.root = root
    var registry = PlaceRegistry(of: root.library)
    if !root.isMirror { registry.add(recipe) }
    registered = Set(registry.places)
    leaving = registry.places.filter { !$0.staysInFolder && !$0.startsAtRoot }
  }

  /// The path templates that only sidecars record, in the folders that were searched.
  var recordedPlaces: Set<RenditionPlace> { state.withLock { $0.places } }

  /// The links of folders, in the order of the folders; nil if the folders cannot be divided.
  func links(of folders: [(key: FolderKey, listed: ListedFolder)]) -> [FolderLinks]? {
    let found = folders.mappedOnAllCores(portion: 1) { try? self.links(of: $0.key, $0.listed) }
    let links = found.compactMap(\.self)
    return links.count == folders.count ? links : nil
  }

  private func links(of key: FolderKey, _ listed: ListedFolder) throws -> FolderLinks {
    var found = FolderLinks()
    if root.isMirror {
      found.others.insert(FolderKey(key.tree == .library ? .mirror : .library, key.path))
    }
    let names = listed.names()
    let recorded = try readSidecars(names.sidecars, in: key, &found)
    if key.tree == .library { add(names.files, in: key.path, recorded, to: &found) }
    found.others.remove(key)
    return found
  }

  /// Adds the links that follow from sidecars, and returns the hashes of the names that they record
  /// in their own folder.
  ///
  /// A sidecar that records files in its own folder only, and the path templates of a sidecar that
  /// was parsed before, is not parsed.
  ///
  /// - Throws: If a sidecar cannot be read, because its links are then not known.
  private func readSidecars(
    _ sidecars: [(name: FileName, bytes: Int64)], in key: FolderKey, _ found: inout FolderLinks
  ) throws -> Set<UInt64> {
    if sidecars.isEmpty { return [] }
    let files = key.tree == .library ? root.library : root.files
    let folder = try files.openForReading(key.path)
    var recorded: Set<UInt64> = []
    for (name, size) in sidecars where size <= Int64(Sidecar.sizeLimit) {
      let bytes = try files.read(name, in: folder, limit: Sidecar.sizeLimit + 1)
      let text = SidecarText(bytes)
      if let text {
        let own = SidecarText.hash(name.bytes.dropLast(Sidecar.suffix.utf8.count))
        for name in text.names where name != own { recorded.insert(name) }
        if state.withLock({ $0.forms.contains(Form(tree: key.tree, hash: text.form)) }) { continue }
      }
      guard let path = name.path(in: key.path), let original = Sidecar.original(of: path),
        let sidecar = try? Sidecar(SourceText(name: path.displayed, bytes: bytes))
          .checked(for: original)
      else { continue }
      for named in Set(sidecar.namedPaths(of: original, in: root)) {
        let other = named.removingLastComponent()
        if !root.isMirror && other != key.path && named.namesPhoto { found.photos -= 1 }
        found.others.insert(FolderKey(key.tree, other))
        found.others.insert(FolderKey(.library, other))
      }
      if key.tree == .library { try add(sidecar) }
      if let text {
        state.withLock { _ = $0.forms.insert(Form(tree: key.tree, hash: text.form)) }
      }
    }
    return recorded
  }

  /// Adds the path templates of a sidecar that are not registered.
  private func add(_ sidecar: Sidecar) throws {
    var recorded = RecordedPlaces()
    recorded.add(sidecar)
    let places = recorded.places.subtracting(registered)
    // Any file could then be a rendition of a photo in another folder.
    if places.contains(where: { !$0.staysInFolder && !$0.startsAtRoot }) { throw Undivided() }
    if !places.isEmpty { state.withLock { $0.places.formUnion(places) } }
  }

  /// Adds the links that follow from the names of files in a folder of the library.
  private func add(
    _ names: [FileName], in folder: FilePath, _ recorded: Set<UInt64>, to found: inout FolderLinks
  ) {
    for name in names where FileClaim(name) != .none {
      if recorded.isEmpty || !recorded.contains(SidecarText.hash(name.bytes)) { found.photos += 1 }
    }
    if paths.stayInFolder && leaving.isEmpty { return }
    // The bytes of a file tell its format, so any file may be a photo.
    for path in names.compactMap({ $0.path(in: folder) }) {
      for other in paths.folders(of: path) {
        found.others.insert(FolderKey(root.renditionTree, other))
      }
      for origin in leaving.flatMap({ $0.origins(of: path) }) {
        found.others.insert(FolderKey(.library, origin.folder))
      }
    }
  }
}

extension FilePath {
  fileprivate var namesPhoto: Bool {
    lastComponent.map { FileClaim(FileName($0)) != .none } ?? false
  }
}
