import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The list of a web set's pictures, for who builds pages.
///
/// It is made of all sidecars anew after every run, whatever part of the library that looked at, so
/// that it says what is there: photos that are gone are not in it.
package struct WebSetManifest {
  let path: FilePath
  private let bytes: [UInt8]
  private let recipe: String

  /// What tells that a file is a manifest.
  package static let generator = "phbatch web set"
  package static let version = "1.0"
  private static let longest = 1 << 28

  /// Collects what a library has for a set.
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
    bytes = Array(json.canonicalText.utf8)
  }

  /// What lies at its path.
  enum State {
    /// These bytes.
    case current
    /// Nothing, or a manifest of this recipe with other bytes.
    case outdated
    /// Something else, which stays.
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

  /// Puts it in place of the one before, all at once.
  func write(in files: RealFileSystem) throws(FileSystemError) {
    try files.createFolders(path.removingLastComponent())
    try files.replace(path, with: bytes)
  }
}
