import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The photos that a user named on the command line: files and whole folders of one library.
struct PhotoPaths {
  let root: OutputRoot
  /// The paths relative to the library's root, for each named path; the empty path is the whole
  /// library.
  let found: [[FilePath]]

  /// The paths relative to the library's root.
  var paths: [FilePath] { found.flatMap(\.self) }

  /// Finds the library that contains the paths: the nearest enclosing folder that contains
  /// `.phbatch`.
  ///
  /// A path without an extension names the raw photo and the JPEG or HEIF photo that a camera has
  /// written together; upper and lower case of ASCII letters are equal in its name. The film of a
  /// Live Photo names the Live Photo.
  ///
  /// With `acceptsNew`, a named folder outside of any library is treated as a library. With
  /// `namesFiles`, a film names only itself.
  ///
  /// - Throws: `MissingInput` if there is no library, or more than one, or if a path is unknown;
  ///   `InvalidArgument` if no path is named.
  init(
    _ named: [FilePath], library: FilePath? = nil, acceptsNew: Bool = false,
    namesFiles: Bool = false
  ) throws {
    if named.isEmpty {
      throw InvalidArgument("no photo is named", hint: "name photos or folders of a library")
    }
    var roots: Set<FilePath> = []
    var places: [FilePath] = []
    let given = try library?.canonical()
    for path in named {
      let place = try Self.place(of: path)
      roots.insert(try given ?? Self.root(above: place, named: path, acceptsNew: acceptsNew))
      places.append(place)
    }
    guard let folder = roots.first, roots.count == 1 else {
      throw MissingInput(
        "the photos are in \(roots.count) libraries", hint: "name photos of only one library")
    }
    try self.init(
      named, at: places, in: OutputRoot(recognizing: folder), namesFiles: namesFiles)
  }

  /// Finds the paths in a library that is known.
  ///
  /// - Throws: `MissingInput` if a path is unknown.
  init(_ named: [FilePath], in root: OutputRoot) throws {
    try self.init(named, at: named.map(Self.place), in: root, namesFiles: false)
  }

  private init(
    _ named: [FilePath], at places: [FilePath], in root: OutputRoot, namesFiles: Bool
  ) throws {
    let folders = try [root.files, root.library].map { try $0.path.canonical() }
    let relative = try zip(named, places).map { name, place in
      for folder in folders {
        var relative = place
        if relative.removePrefix(folder) { return relative }
      }
      throw MissingInput(
        "'\(name.displayed)' is not in '\(folders[0].displayed)'", hint: "check the path")
    }
    let films = PairedFilms(in: root.library)
    let found = relative.map { path in
      if !root.knows(path) { return root.rawPair(named: path) }
      return [namesFiles ? path : root.photo(named: path, films)]
    }
    (self.root, self.found) = (root, found)
    let unknown = zip(named, zip(relative, found)).filter(\.1.1.isEmpty)
    if !unknown.isEmpty {
      let alike = unknown.flatMap { named, found in
        root.photos(named: found.0).compactMap { $0.name.path(in: named.removingLastComponent()) }
      }
      throw MissingInput(
        "there is no photo or folder \(unknown.map(\.0).enumeration)",
        hint: alike.isEmpty
          ? "check the path" : "name the photo with its extension: \(alike.enumeration)")
    }
  }

  /// True if the library itself is named.
  var isWholeLibrary: Bool { paths.contains { $0.isEmpty } }

  func contains(_ photo: FilePath) -> Bool {
    paths.contains { photo.starts(with: $0) }
  }

  /// True if a scan may lack named photos because of the error.
  func isAffected(by error: ScanError) -> Bool { paths.contains(where: error.affects) }

  /// The absolute path of a file or folder.
  ///
  /// A missing file is accepted if its folder exists: the user may name a photo by its path in the
  /// folder of `--output`, which contains no photos.
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

  private static func root(
    above place: FilePath, named path: FilePath, acceptsNew: Bool
  ) throws -> FilePath {
    var folder = place
    while true {
      if let files = try? RealFileSystem(root: folder),
        (try? files.status(at: OutputRoot.stateFolder))??.kind == .directory
      {
        return folder
      }
      guard folder.removeLastComponent() else { break }
    }
    if acceptsNew, (try? RealFileSystem(root: place)) != nil { return place }
    if (try? path.canonical()) == nil {
      throw MissingInput("there is no '\(path.displayed)'", hint: "check the path")
    }
    throw MissingInput(
      "'\(path.displayed)' is not in a library yet",
      hint: "name the library's folder with --library")
  }
}

extension OutputRoot {
  /// True if the path exists in the library or in the output root, or if the output root has a
  /// sidecar of it.
  fileprivate func knows(_ path: FilePath) -> Bool {
    let places = [(library, path), (files, path), (files, Sidecar.path(of: path))]
    return places.contains { files, path in
      (try? files.status(at: path)) ?? nil != nil
    }
  }

  /// The raw photo and the JPEG or HEIF photo with this path, except for their extensions; empty if
  /// there is no such pair.
  fileprivate func rawPair(named path: FilePath) -> [FilePath] {
    let folder = path.removingLastComponent()
    return RawPairs.names(in: photos(named: path)).compactMap { $0.path(in: folder) }
      .sorted { $0.string < $1.string }
  }

  /// The photos with this path, except for their extensions.
  fileprivate func photos(named path: FilePath) -> [ScannedFile] {
    guard let name = path.lastComponent?.string,
      let files = Scan(library).entered(path.removingLastComponent())?.scanned().files
    else { return [] }
    let stem = FileName(bytes: Array(name.utf8)[...]).folded
    return files.filter {
      FileName(bytes: $0.name.stem).folded == stem && $0.claim.family != nil
    }
  }
}
