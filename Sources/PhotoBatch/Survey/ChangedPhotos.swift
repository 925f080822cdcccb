import PhotoLibrary
import SystemPackage

/// The photos of a library to which changed files belong.
///
/// A changed file belongs to a photo if it is the photo's own file, its sidecar, one of its
/// renditions, or a file in the same folder whose name is equal up to the first dot. If a folder's
/// `.phbatchignore` changed, all photos below that folder count as changed.
struct ChangedPhotos {
  private var photos: Set<FilePath> = []
  /// For each folder, the names of its changed files up to the first dot, in lower case.
  private var beginnings: [FilePath: Set<[UInt8]>] = [:]
  /// The folders whose ignore rules changed.
  private var folders: [FilePath] = []

  private static let ignoreFile: FilePath.Component = ".phbatchignore"

  /// Finds the photos to which the changed `files` belong.
  ///
  /// `claims` maps the path of each rendition to the path of its original. All paths are relative
  /// to the library's root.
  init(_ files: [FilePath], claims: [FilePath: FilePath]) {
    for path in files {
      photos.insert(path)
      if let original = Sidecar.original(of: path) { photos.insert(original) }
      if let owner = claims[path] { photos.insert(owner) }
      guard let name = path.lastComponent else { continue }
      let folder = path.removingLastComponent()
      if name == Self.ignoreFile { folders.append(folder) }
      let beginning = Self.beginning(name)
      beginnings[folder, default: []].insert(beginning)
      // Companions on iOS have an extra letter: IMG_E1.JPG and IMG_O1.AAE belong to IMG_1.HEIC.
      let mark = beginning.dropFirst(4).first
      if beginning.starts(with: Array("img_".utf8)), mark.map({ "eo".utf8.contains($0) }) ?? false {
        beginnings[folder, default: []].insert(Array(beginning[..<4] + beginning[5...]))
      }
    }
  }

  func contains(_ photo: FilePath) -> Bool {
    if photos.contains(photo) { return true }
    let folder = photo.removingLastComponent()
    let isBeside =
      photo.lastComponent.map { beginnings[folder]?.contains(Self.beginning($0)) ?? false } ?? false
    return isBeside || folders.contains { folder.starts(with: $0) }
  }

  /// The part of a name before the first dot, in lower case.
  private static func beginning(_ name: FilePath.Component) -> [UInt8] {
    name.bytes.prefix { $0 != UInt8(ascii: ".") }.map { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
  }
}
