import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The named photos: files and whole folders of one library.
struct PhotoPaths {
  let root: OutputRoot
  /// The paths from the library's root; the empty path is the whole library.
  let paths: [FilePath]

  /// Finds the library that contains the paths: the nearest enclosing folder that contains
  /// `.phbatch`.
  ///
  /// - Throws: `MissingInput` if there is no library, or more than one.
  init(_ named: [FilePath], library: FilePath? = nil) throws {
    var roots: Set<FilePath> = []
    var places: [FilePath] = []
    let given = try library?.canonical()
    for path in named {
      let place = try Self.place(of: path)
      roots.insert(try given ?? Self.root(above: place, named: path))
      places.append(place)
    }
    guard let folder = roots.first, roots.count == 1 else {
      throw MissingInput(
        "the photos are in \(roots.count) libraries", hint: "name photos of only one library")
    }
    root = try OutputRoot(recognizing: folder)
    let libraryPlace = try root.library.path.canonical()
    paths = try zip(named, places).map { name, place in
      var relative = place
      if relative.removePrefix(folder) { return relative }
      if relative.removePrefix(libraryPlace) { return relative }
      throw MissingInput(
        "'\(name.displayed)' is not in '\(folder.displayed)'", hint: "check the path")
    }
  }

  func contains(_ photo: FilePath) -> Bool {
    paths.contains { photo.starts(with: $0) }
  }

  /// The absolute path of a file or folder.
  ///
  /// The file itself may be missing if its folder exists, as in a mirror.
  private static func place(of path: FilePath) throws -> FilePath {
    do throws(FileSystemError) { return try path.canonical() } catch {
      guard error.errno == .noSuchFileOrDirectory, let name = path.lastComponent else {
        throw error
      }
      let folder = path.removingLastComponent()
      do throws(FileSystemError) {
        return try (folder.isEmpty ? "." : folder).canonical().appending(name)
      } catch {
        throw MissingInput("there is no '\(path.displayed)'", hint: "check the path")
      }
    }
  }

  private static func root(above place: FilePath, named path: FilePath) throws -> FilePath {
    var folder = place
    while true {
      if let files = try? RealFileSystem(root: folder),
        (try? files.status(at: OutputRoot.stateFolder))??.kind == .directory
      {
        return folder
      }
      guard folder.removeLastComponent() else { break }
    }
    throw MissingInput(
      "'\(path.displayed)' is not in a library yet",
      hint: "name the library's folder with --library")
  }
}
