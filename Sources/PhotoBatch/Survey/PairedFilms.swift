import FileStructure
import Notation
import PhotoLibrary
import PhotoMetadata
import PhotoRecipes
import Synchronization
import SystemPackage

/// Finds the films of Live Photos in a library.
///
/// A photo and a film belong together if both state the same content identifier. The film has the
/// name of the photo, or it has another name and is beside no photo with its name.
final class PairedFilms: Sendable {
  /// The film of a photo.
  enum Found: Sendable, Hashable {
    case none
    case film(FilePath)
    /// A film with the name of a Live Photo that does not state the photo's identifier.
    case other(FilePath)

    var path: FilePath? { if case .film(let path) = self { path } else { nil } }
  }

  private let library: RealFileSystem
  /// The films of the library that are not renditions; nil if the folders are read for them.
  private let films: [FilePath: [Asset]]?
  /// The films of each folder that are beside no photo with their name, by identifier.
  private let free: Mutex<[FilePath: [String: FilePath]]> = Mutex([:])
  /// The photos of each folder that are beside no film with their name, by identifier.
  private let alone: Mutex<[FilePath: [String: FilePath]]> = Mutex([:])
  /// The folder that was listed last; commands name many files of one folder.
  private let listed: Mutex<ScannedFolder?> = Mutex(nil)
  /// The films of the photos that were read.
  private let known: Mutex<[FilePath: Found]> = Mutex([:])

  /// - Parameters:
  ///   - library: The library.
  ///   - assets: The films of the library, without renditions; photos among them are ignored. Nil
  ///     if the library was not read.
  ///   - beside: The films among them that are beside a photo with their name.
  init(
    in library: RealFileSystem, among assets: [Asset]? = nil, _ beside: [FilePath: Asset] = [:]
  ) {
    self.library = library
    films = assets.map { assets in
      Dictionary(
        grouping: assets.filter { $0.file.isPairedFilm && beside[$0.path] == nil },
        by: { $0.path.removingLastComponent() })
    }
  }

  /// The film of a photo; `companions` are the films beside it with its name.
  ///
  /// The photo is read only if a film may belong to it.
  ///
  /// - Throws: An error of the file system, because a film that cannot be read is not missing.
  func film(of asset: Asset, companions: [FilePath]) throws(FileSystemError) -> Found {
    let free = try freeFilms(in: asset.path.removingLastComponent())
    if companions.isEmpty && free.isEmpty { return .none }
    if let known = known.withLock({ $0[asset.path] }) { return known }
    let found = try found(asset.path, companions, free)
    known.withLock { $0[asset.path] = found }
    return found
  }

  private func found(
    _ photo: FilePath, _ companions: [FilePath], _ free: [String: FilePath]
  ) throws(FileSystemError) -> Found {
    guard let identifier = try identifier(ofPhoto: photo) else { return .none }
    for path in companions where try self.identifier(ofFilm: path) == identifier {
      return .film(path)
    }
    if let other = companions.first { return .other(other) }
    return free[identifier].map { .film($0) } ?? .none
  }

  /// The film with the name of an image that is no photo of the library, such as one that Photos
  /// rendered.
  func film(beside image: FilePath) throws(FileSystemError) -> Found {
    var films: [FilePath] = []
    for ending in [PairedFilm.fileExtension, PairedFilm.fileExtension.uppercased()] {
      var path = image
      path.extension = ending
      if try library.status(at: path)?.kind == .regular { films.append(path) }
    }
    return try film(of: image, among: films)
  }

  /// The one of these films that states the identifier of an image.
  func film(of image: FilePath, among films: [FilePath]) throws(FileSystemError) -> Found {
    films.isEmpty ? .none : try found(image, films, [:])
  }

  /// The film of the photo at a path; nil if there is none.
  func film(ofPhotoAt path: FilePath) throws(FileSystemError) -> FilePath? {
    let folder = path.removingLastComponent()
    guard let name = path.lastComponent.map({ FileName($0) }),
      let scanned = (try? Scan(library).list(folder))?.scanned(),
      let file = scanned.files.first(where: { $0.name == name })
    else { return nil }
    return try film(
      of: Asset(path: path, file: file),
      companions: scanned.companions(of: name).films.compactMap { $0.path(in: folder) }
    ).path
  }

  /// The Live Photo to which the film at a path belongs; nil if it belongs to none.
  func photo(ofFilmAt path: FilePath) throws(FileSystemError) -> FilePath? {
    let folder = path.removingLastComponent()
    guard path.isNamedLikePairedFilm, let name = path.lastComponent.map({ FileName($0) }) else {
      return nil
    }
    let scanned = scanned(folder)
    guard let film = scanned?.companions.first(where: { $0.file.name == name }) else {
      let file = scanned?.files.first { $0.name == name }
      return try file.flatMap { file throws(FileSystemError) in
        try photo(of: Asset(path: path, file: file))
      }
    }
    for photo in film.photos {
      guard let place = photo.path(in: folder),
        let file = scanned?.files.first(where: { $0.name == photo })
      else { continue }
      let films = scanned?.companions(of: photo).films ?? []
      let found = try self.film(
        of: Asset(path: place, file: file), companions: films.compactMap { $0.path(in: folder) })
      if found == .film(path) { return place }
    }
    return nil
  }

  private func scanned(_ folder: FilePath) -> ScannedFolder? {
    if let known = listed.withLock(\.self), known.path == folder { return known }
    let scanned = (try? Scan(library).list(folder))?.scanned()
    listed.withLock { $0 = scanned }
    return scanned
  }

  /// The Live Photo to which a film with another name belongs; nil if it belongs to none.
  func photo(of film: Asset) throws(FileSystemError) -> FilePath? {
    guard film.file.isPairedFilm, let identifier = try identifier(ofFilm: film.path) else {
      return nil
    }
    let folder = film.path.removingLastComponent()
    guard try freeFilms(in: folder)[identifier] == film.path else { return nil }
    if let known = alone.withLock({ $0[folder] }) { return known[identifier] }
    let scanned = scanned(folder)
    var found: [String: FilePath] = [:]
    for photo in scanned?.files ?? [] where [.photo, .raw].contains(photo.claim.family) {
      guard scanned?.companions(of: photo.name).films.isEmpty ?? true,
        let path = photo.name.path(in: folder), let own = try self.identifier(ofPhoto: path)
      else { continue }
      found[own] = found[own] ?? path
    }
    alone.withLock { [found] in $0[folder] = found }
    return found[identifier]
  }

  private func identifier(ofPhoto path: FilePath) throws(FileSystemError) -> String? {
    try identifier(path) { Metadata(of: $0).exif?.pairIdentifier }
  }

  private func identifier(ofFilm path: FilePath) throws(FileSystemError) -> String? {
    try identifier(path) { PairIdentifier.inFilm($0) }
  }

  /// The identifier in a file; nil if it states none, or if the file is missing.
  private func identifier(
    _ path: FilePath, _ read: (ByteSource) -> String?
  ) throws(FileSystemError) -> String? {
    guard try library.status(at: path) != nil else { return nil }
    let file = try library.open(path)
    return file.withDescriptor { read(.descriptor($0.rawValue)) }
  }

  private func freeFilms(in folder: FilePath) throws(FileSystemError) -> [String: FilePath] {
    if let known = free.withLock({ $0[folder] }) { return known }
    var found: [String: FilePath] = [:]
    let free = films.map { $0[folder, default: []].map(\.path) }
    for path in free ?? listedFilms(in: folder) {
      if let identifier = try identifier(ofFilm: path), found[identifier] == nil {
        found[identifier] = path
      }
    }
    self.free.withLock { [found] in $0[folder] = found }
    return found
  }

  private func listedFilms(in folder: FilePath) -> [FilePath] {
    (scanned(folder)?.files ?? []).filter(\.isPairedFilm).compactMap { $0.name.path(in: folder) }
  }
}

extension [Companion] {
  /// The names of the films of Live Photos among these files.
  var films: [FileName] { filter { $0.kind == .film }.map(\.file.name) }
}

extension FilePath {
  /// True if the file has the extension of a Live Photo's film.
  fileprivate var isNamedLikePairedFilm: Bool {
    self.extension?.lowercased() == PairedFilm.fileExtension
  }
}

extension ScannedFile {
  /// True if the file can be the film of a Live Photo, by its name.
  var isPairedFilm: Bool {
    claim.family == .video
      && String(decoding: name.extension, as: UTF8.self).lowercased()
        == PairedFilm.fileExtension
  }
}

extension OutputRoot {
  /// The photo that a user means by a path: the Live Photo of a film that has no edits of its own, or
  /// the path itself.
  func photo(named path: FilePath, _ films: PairedFilms) -> FilePath {
    guard let photo = try? films.photo(ofFilmAt: path) else { return path }
    let sidecar = Sidecar.path(of: path)
    guard let bytes = try? files.read(sidecar, limit: Sidecar.sizeLimit) else { return photo }
    let own = try? Sidecar(SourceText(name: sidecar.displayed, bytes: bytes))
    return own?.adjustments.isEmpty ?? false ? photo : path
  }
}
