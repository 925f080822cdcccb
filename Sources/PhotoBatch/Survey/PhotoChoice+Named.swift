import Notation
import PhotoLibrary
import PhotoRecipes
public import SystemPackage

extension PhotoChoice {
  /// Finds the library of the named photos: the given library, or the nearest enclosing folder that
  /// contains `.phbatch`.
  ///
  /// If a single folder is named and `library` is nil, that folder is the library. A path that does
  /// not exist and contains wildcards is a pattern; without wildcards, it can name a raw photo and
  /// its JPEG without their extensions.
  ///
  /// - Throws: `MissingInput` if there is no library, or more than one, or if a path is unknown.
  public init(_ named: [FilePath], library: FilePath? = nil) throws {
    if library == nil, named.count == 1, !Self.isFile(named[0]), !Self.isPattern(named[0]),
      !Self.isPair(named[0])
    {
      try Self.checkPresence(of: named[0])
      self.init(library: named[0])
      return
    }
    // The library is found by paths that exist: the named path, or the folder in which a pattern
    // begins.
    let patterns = named.map { Self.isPattern($0) ? Pattern($0) : nil }
    let anchors = zip(named, patterns).map { $1?.folder ?? $0 }
    let paths = try PhotoPaths(anchors, library: library)
    let parts = try zip(zip(named, patterns), paths.found).flatMap { part, places in
      try places.map { place in
        guard let pattern = part.1 else {
          return Part(named: part.0, content: .place(place))
        }
        return Part(named: part.0, content: .pattern(try pattern.glob(below: place)))
      }
    }
    self.init(
      library: paths.root.library.path,
      output: paths.root.isMirror ? paths.root.files.path : nil, parts: parts)
  }

  private static func checkPresence(of path: FilePath) throws(MissingInput) {
    do throws(FileSystemError) { _ = try RealFileSystem(root: path) } catch {
      // Other errors are those of an existing library.
      guard error.errno == .noSuchFileOrDirectory else { return }
      throw MissingInput(
        "there is no library or photo '\(path.displayed)'",
        hint: "give the path of a folder of photos, or of photos in it")
    }
  }

  private static func isFile(_ path: FilePath) -> Bool {
    let folder = path.removingLastComponent()
    guard let name = path.lastComponent,
      let files = try? RealFileSystem(root: folder.isEmpty ? "." : folder),
      let status = try? files.status(at: FilePath(root: nil, [name]))
    else { return false }
    return status.kind == .regular
  }

  /// True if a path that does not exist names a raw photo and its JPEG.
  private static func isPair(_ path: FilePath) -> Bool {
    (try? path.canonical()) == nil && (try? PhotoPaths([path]))?.paths.count ?? 0 > 1
  }

  private static func isPattern(_ path: FilePath) -> Bool {
    Pattern.hasWildcard(path.bytes) && (try? path.canonical()) == nil
  }

  /// A pattern of paths, such as `Photos/2024/*.jpg`; in the part of the path that exists, `*` and
  /// other wildcards are ordinary characters.
  private struct Pattern {
    /// The folder in which the pattern begins: the longest beginning of the path that exists.
    let folder: FilePath
    private let rest: String

    init(_ path: FilePath) {
      let parts = path.components.map { $0 }
      let count = parts.indices.prefix { index in
        (try? FilePath(root: path.root, parts.prefix(index + 1)).canonical()) != nil
      }.count
      let folder = FilePath(root: path.root, parts.prefix(count))
      self.folder = folder.isEmpty ? "." : folder
      rest = FilePath(root: nil, parts.dropFirst(count)).string
    }

    static func hasWildcard(_ bytes: [UInt8]) -> Bool {
      bytes.contains { "*?[{".utf8.contains($0) }
    }

    /// The pattern for paths relative to the library's root; `place` is the path of the pattern's
    /// folder.
    func glob(below place: FilePath) throws -> Glob {
      let folder = place.string.map { "*?[]{}\\,!".contains($0) ? "\\\($0)" : "\($0)" }.joined()
      do throws(GlobError) { return try Glob(folder.isEmpty ? rest : "\(folder)/\(rest)") } catch {
        throw MissingInput("the pattern '\(rest)' is invalid: \(error.message)", hint: error.hint)
      }
    }
  }
}
