import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The JSON list of a web set's pictures, for programs that build web pages.
///
/// Every run writes the list from all sidecars of the library, even if the run selects only some
/// photos, so the list is always complete. Missing photos are not in it. The entry of a photo that
/// cannot be read now is copied from the previous list.
package struct WebSetManifest {
  let path: FilePath
  private let bytes: [UInt8]
  private let recipe: String

  /// The value of the key `generator`, by which a run recognizes its own manifest.
  package static let generator = "phbatch web set"
  package static let version = "1.0"
  private static let longest = 1 << 28

  /// Collects the entries of a web set from all photos of the library.
  init(_ set: WebSet, of recipe: Recipe, _ contents: LibraryContents, _ root: OutputRoot) {
    path = FilePath(set.manifest)
    self.recipe = recipe.identifier
    let photos = contents.assets.map(\.path).filter { recipe.selection.matches(path: $0.bytes) }
    let found = photos.mappedOnAllCores { photo -> (photo: FilePath, json: JSON)? in
      guard let sidecar = contents.sidecars[photo]?.sidecar,
        let entry = WebSetEntry(set, of: recipe, photo, sidecar, root.files)
      else { return nil }
      return (photo, entry.json(set))
    }.compactMap(\.self)
    let unread = Self.unread(path, recipe, contents, root, besides: Set(found.map(\.photo)))
    let entries = (found + unread).sorted {
      $0.photo.bytes.lexicographicallyPrecedes($1.photo.bytes)
    }
    let json = JSON.object([
      "generator": .string(Self.generator), "version": .string(Self.version),
      "recipe": .string(recipe.identifier), "set": .string(set.name),
      "sizes": .string(set.sizes), "photos": .array(entries.map(\.json)),
    ])
    bytes = json.canonicalBytes
  }

  /// The entries of the previous manifest, except those of the `listed` photos, that may still be
  /// right, although their photos, sidecars or renditions cannot be read now; empty if the whole
  /// library could be read.
  private static func unread(
    _ path: FilePath, _ recipe: Recipe, _ contents: LibraryContents, _ root: OutputRoot,
    besides listed: Set<FilePath>
  ) -> [(photo: FilePath, json: JSON)] {
    if contents.problems.isEmpty && contents.sidecars.values.allSatisfy(\.isUsable) { return [] }
    guard let bytes = try? root.files.read(path, limit: longest),
      let previous = previous(path, bytes, of: recipe.identifier)
    else { return [] }
    return (previous["photos"]?.array ?? []).compactMap { entry in
      guard let photo = entry.path, !listed.contains(photo),
        recipe.selection.matches(path: photo.bytes),
        !contents.problems.isEmpty || contents.sidecars[photo]?.isUsable == false
      else { return nil }
      let files = (entry["sources"]?.array ?? []).flatMap { $0["files"]?.array ?? [] }
      let needed = files.compactMap(\.path) + [Sidecar.path(of: photo)]
      let found = [root.library.has(photo)] + needed.map(root.files.has)
      // If everything can be read, the new manifest leaves the photo out rightly.
      let isRead = contents.sidecars[photo]?.isUsable == true && !found.contains(nil)
      return isRead || found.contains(false) ? nil : (photo, entry)
    }
  }

  /// The manifest in these bytes; nil if they are not a manifest of this recipe.
  private static func previous(_ path: FilePath, _ bytes: [UInt8], of recipe: String) -> JSON? {
    let json = JSONParser.parse(SourceText(name: path.displayed, bytes: bytes)).json
    let isOurs =
      json?["generator"]?.string == generator && json?["recipe"]?.string == recipe
    return isOurs ? json : nil
  }

  /// The state of the file at the manifest's path.
  enum State {
    /// The file has the bytes that the run would write.
    case current
    /// There is no manifest, or the manifest of this recipe differs from the new manifest.
    case outdated
    /// The file at the path is not a manifest of this recipe, so the run keeps it.
    case occupied
  }

  func state(in files: RealFileSystem) throws(FileSystemError) -> State {
    guard let status = try files.status(at: path) else { return .outdated }
    guard status.kind == .regular else { return .occupied }
    let there = try files.read(path, limit: Self.longest)
    if there == bytes { return .current }
    return Self.previous(path, there, of: recipe) == nil ? .occupied : .outdated
  }

  /// Writes the manifest, replacing a previous one atomically.
  func write(in files: RealFileSystem) throws(FileSystemError) {
    try files.createFolders(path.removingLastComponent())
    try files.replace(path, with: bytes)
  }
}

extension JSON {
  /// The path that `JSON.Object.add` wrote as `file`; nil if there is none.
  fileprivate var path: FilePath? {
    let bytes = self["fileBytes"]?.string.flatMap(Base64.decode)
    let text = self["file"]?.string.map { Array($0.utf8) }
    return (bytes ?? text).flatMap { FilePath(bytes: $0) }
  }
}
