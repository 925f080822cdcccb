import PhotoLibrary
import PhotoRecipes
public import SystemPackage

/// The photos that a command names: a whole library, or photos, folders and patterns in a library.
public struct PhotoChoice: Sendable {
  /// The library.
  public let library: FilePath
  /// The folder that mirrors the library and in which the library was found; nil if there is none.
  public let output: FilePath?
  /// The parts of the library; nil for the whole library.
  let parts: [Part]?

  /// A named part of a library.
  struct Part: Sendable {
    /// The path as it was given.
    let named: FilePath
    let matches: @Sendable (FilePath) -> Bool
  }

  init(library: FilePath, output: FilePath? = nil, parts: [Part]? = nil) {
    self.library = library
    self.output = output
    self.parts = parts
  }

  /// True if the whole library is chosen.
  public var isWhole: Bool { parts == nil }

  /// True if a photo, named from the library's root, is chosen.
  public func contains(_ photo: FilePath) -> Bool {
    parts?.contains { $0.matches(photo) } ?? true
  }

  /// Throws if a part of the choice matches none of the photos.
  func check(_ photos: [FilePath]) throws(MissingInput) {
    guard let part = parts?.first(where: { !photos.contains(where: $0.matches) }) else { return }
    throw MissingInput(
      "there is no photo at '\(part.named.displayed)'",
      hint: "name an original, a folder of originals, or a pattern such as 'Photos/2024/*.jpg'")
  }
}
