import PhotoLibrary
import SystemPackage

/// Resolves paths that a user gave in a list of photos.
///
/// A path may be relative to the library's root or to the working directory, and may lead out of
/// the library.
struct ListedPaths {
  private let library: RealFileSystem
  /// The library's path as given, and its absolute path without symbolic links.
  private let prefixes: [FilePath]
  /// The absolute path of the working directory; nil if it cannot be determined.
  private let place: FilePath?
  private let known: [FilePath: FoundSidecar]

  /// `known` contains the sidecars by their originals; the originals may be missing.
  init(library: RealFileSystem, known: [FilePath: FoundSidecar]) {
    self.library = library
    self.known = known
    let canonical = try? library.path.canonical()
    prefixes = [library.path.lexicallyNormalized(), canonical].compactMap(\.self)
    place = try? FilePath(".").canonical()
  }

  /// The path relative to the library's root; nil for a path outside the library.
  func path(_ named: FilePath) -> FilePath? {
    let named = named.lexicallyNormalized()
    if named.isRelative && isThere(named) { return named }
    let stripped = prefixes.lazy.compactMap { Self.stripped(named, of: $0) }.first
    if let stripped, isThere(stripped) { return stripped }
    if let found = try? named.canonical() { return within(found) }
    if let stripped { return stripped }
    let isNeverWithin = named.isAbsolute || named.components.first?.kind == .parentDirectory
    return isNeverWithin ? within(place?.pushing(named).lexicallyNormalized() ?? named) : named
  }

  private func isThere(_ path: FilePath) -> Bool {
    if known[path] != nil { return true }
    return (try? library.status(at: path)) ?? nil != nil
  }

  private func within(_ path: FilePath) -> FilePath? {
    prefixes.last.flatMap { Self.stripped(path, of: $0) }
  }

  private static func stripped(_ path: FilePath, of prefix: FilePath) -> FilePath? {
    var path = path
    return path.removePrefix(prefix) && !path.isEmpty ? path : nil
  }
}
