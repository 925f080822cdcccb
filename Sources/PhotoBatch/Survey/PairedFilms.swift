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
  /// The films of each folder that are beside no photo with their name, by identifier.
  private let free: Mutex<[FilePath: [String: FilePath]]> = Mutex([:])

  init(in library: RealFileSystem) { self.library = library }

  /// The film of a photo; `companions` are the films beside it with its name.
  ///
  /// Files that cannot be read have no identifier.
  func film(of asset: Asset, companions: [FilePath]) -> Found {
    guard let identifier = identifier(ofPhoto: asset.path) else { return .none }
    for path in companions where self.identifier(ofFilm: path) == identifier {
      return .film(path)
    }
    if let other = companions.first { return .other(other) }
    let folder = asset.path.removingLastComponent()
    let films = free.withLock { folders in
      if let known = folders[folder] { return known }
      let found = freeFilms(in: folder)
      folders[folder] = found
      return found
    }
    return films[identifier].map { .film($0) } ?? .none
  }

  /// The film of the photo at a path; nil if there is none.
  func film(ofPhotoAt path: FilePath) -> FilePath? {
    let folder = path.removingLastComponent()
    guard let name = path.lastComponent.map({ FileName($0) }),
      let scanned = (try? Scan(library).list(folder))?.scanned(),
      let file = scanned.files.first(where: { $0.name == name })
    else { return nil }
    return film(
      of: Asset(path: path, file: file),
      companions: scanned.companions(of: name).films.compactMap { $0.path(in: folder) }
    ).path
  }

  private func identifier(ofPhoto path: FilePath) -> String? {
    identifier(path) { Metadata(of: $0).exif?.pairIdentifier }
  }

  private func identifier(ofFilm path: FilePath) -> String? {
    identifier(path) { PairIdentifier.inFilm($0) }
  }

  private func identifier(_ path: FilePath, _ read: (ByteSource) -> String?) -> String? {
    guard let file = try? library.open(path) else { return nil }
    return file.withDescriptor { read(.descriptor($0.rawValue)) }
  }

  private func freeFilms(in folder: FilePath) -> [String: FilePath] {
    let scanned = (try? Scan(library).list(folder))?.scanned()
    var films: [String: FilePath] = [:]
    for file in scanned?.files ?? [] where file.isQuickTimeFilm {
      guard let path = file.name.path(in: folder), let identifier = identifier(ofFilm: path),
        films[identifier] == nil
      else { continue }
      films[identifier] = path
    }
    return films
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
