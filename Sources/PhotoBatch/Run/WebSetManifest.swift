import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The JSON list of a web set's pictures, for programs that build web pages.
///
/// Every run writes the list from all sidecars of the library, even if the run selects only some
/// photos, so the list is always complete. Missing photos are not in it.
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
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    let entries = photos.mappedOnAllCores { photo -> JSON? in
      guard let sidecar = contents.sidecars[photo]?.sidecar else { return nil }
      return WebSetEntry(set, of: recipe, photo, sidecar, root.files)?.json(set)
    }
    let json = JSON.object([
      "generator": .string(Self.generator), "version": .string(Self.version),
      "recipe": .string(recipe.identifier), "set": .string(set.name),
      "sizes": .string(set.sizes), "photos": .array(entries.compactMap(\.self)),
    ])
    bytes = json.canonicalBytes
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
    let json = JSONParser.parse(SourceText(name: path.displayed, bytes: there)).json
    let isOurs =
      json?["generator"]?.string == Self.generator && json?["recipe"]?.string == recipe
    return isOurs ? .outdated : .occupied
  }

  /// Writes the manifest, replacing a previous one atomically.
  func write(in files: RealFileSystem) throws(FileSystemError) {
    try files.createFolders(path.removingLastComponent())
    try files.replace(path, with: bytes)
  }
}
