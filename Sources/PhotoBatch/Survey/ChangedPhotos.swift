import PhotoLibrary
import SystemPackage

/// The photos to which changed files belong.
///
/// A photo has its own file, its sidecar, its renditions, and the files beside it with its name.
struct ChangedPhotos {
  private var photos: Set<FilePath> = []
  /// The parts of changed names before the first dot, by folder.
  private var beginnings: [FilePath: Set<[UInt8]>] = [:]
  /// The folders whose ignore rules changed.
  private var folders: [FilePath] = []

  private static let ignoreFile: FilePath.Component = ".phbatchignore"

  /// Finds the photos of changed files.
  ///
  /// `claims` maps renditions to their originals. All paths start at the library's root.
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
