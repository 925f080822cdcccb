import FileStructure
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
  /// The films of the photos that were read.
  private let known: Mutex<[FilePath: Found]> = Mutex([:])

  /// - Parameters:
  ///   - library: The library.
  ///   - assets: The photos and films of the library, without renditions; nil if it was not read.
  init(in library: RealFileSystem, among assets: [Asset]? = nil) {
    self.library = library
    films = assets.map { assets in
      Dictionary(
        grouping: assets.filter(\.file.isQuickTimeFilm), by: { $0.path.removingLastComponent() })
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
    let scanned = (try? Scan(library).list(folder))?.scanned()
    return (scanned?.files ?? []).filter(\.isQuickTimeFilm).compactMap { $0.name.path(in: folder) }
  }
}

extension [Companion] {
  /// The names of the films of Live Photos among these files.
  var films: [FileName] { filter { $0.kind == .film }.map(\.file.name) }
}

extension ScannedFile {
  fileprivate var isQuickTimeFilm: Bool {
    claim.family == .video
      && String(decoding: name.extension, as: UTF8.self).lowercased()
        == PairedFilm.fileExtension
  }
}
