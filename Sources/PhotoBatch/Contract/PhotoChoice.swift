import Notation
import PhotoLibrary
import PhotoRecipes
public import SystemPackage

/// The photos that a command names: a whole library, or photos, folders and patterns in a library.
public struct PhotoChoice: Sendable {
  /// The library's folder.
  public let library: FilePath
  /// The library's separate output root, if the named photos were found through it; nil otherwise.
  public let output: FilePath?
  /// The parts of the library; nil for the whole library.
  let parts: [Part]?

  /// The photos and folders among the parts, as a set for quick search: there may be as many as the
  /// library has photos.
  private let places: Set<FilePath>
  private let patterns: [Glob]

  /// A named part of a library.
  struct Part: Sendable {
    /// The path as the user gave it.
    let named: FilePath
    let content: Content

    enum Content: Sendable {
      /// A photo or folder, by its path relative to the library's root.
      case place(FilePath)
      case pattern(Glob)
    }
  }

  init(library: FilePath, output: FilePath? = nil, parts: [Part]? = nil) {
    self.library = library
    self.output = output
    self.parts = parts
    places = Set(
      (parts ?? []).compactMap { if case .place(let path) = $0.content { path } else { nil } })
    patterns = (parts ?? []).compactMap {
      if case .pattern(let glob) = $0.content { glob } else { nil }
    }
  }

  /// True if the whole library is chosen.
  public var isWhole: Bool { parts == nil }

  /// True if a photo is chosen; `photo` is its path relative to the library's root.
  public func contains(_ photo: FilePath) -> Bool {
    isWhole || Self.around(photo).contains(where: places.contains)
      || patterns.contains { $0.matches(photo.bytes) }
  }

  /// True if a scan may lack chosen photos because of the error; a pattern may match photos of any
  /// folder.
  func isAffected(by error: ScanError) -> Bool {
    isWhole || !patterns.isEmpty || places.contains(where: error.affects)
  }

  /// A path and the folders that contain it.
  private static func around(_ path: FilePath) -> some Sequence<FilePath> {
    sequence(first: path) { $0.isEmpty ? nil : $0.removingLastComponent() }
  }

  /// Throws if a path or glob that the user gave matches none of the photos.
  func check(_ photos: [FilePath]) throws(MissingInput) {
    guard let parts else { return }
    let known = Set(photos.flatMap(Self.around))
    let unmatched = parts.first { part in
      switch part.content {
      case .place(let path): !known.contains(path)
      case .pattern(let glob): !photos.contains { glob.matches($0.bytes) }
      }
    }
    guard let part = unmatched else { return }
    throw MissingInput(
      "there is no photo at '\(part.named.displayed)'",
      hint: "name an original, a folder of originals, or a pattern such as 'Photos/2024/*.jpg'")
  }
}
