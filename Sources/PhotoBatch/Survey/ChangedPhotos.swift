import PhotoLibrary
import SystemPackage

/// The photos that changed files belong to: a photo itself, its sidecar, its renditions, and what
/// lies beside it under its name.
struct ChangedPhotos {
  private var photos: Set<FilePath> = []
  /// What names begin with, by folder, of files that are nobody's for sure.
  private var beginnings: [FilePath: Set<[UInt8]>] = [:]
  /// Folders whose rules of what is a photo changed.
  private var folders: [FilePath] = []

  private static let ignoreFile: FilePath.Component = ".phbatchignore"

  /// Takes files from the library's root, and whose renditions files are, from the same root.
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
      // IMG_E1.JPG and IMG_O1.AAE belong to IMG_1.HEIC.
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

  /// What comes before the first dot, in lower case.
  private static func beginning(_ name: FilePath.Component) -> [UInt8] {
    name.bytes.prefix { $0 != UInt8(ascii: ".") }.map { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
  }
}
