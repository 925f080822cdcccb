import PhotoLibrary
import Synchronization
import SystemPackage

/// Who owns which path below the output root: no two photos write to one, and none to an original.
final class PathLedger: Sendable {
  /// Why a path cannot be had.
  enum Refusal: Error {
    /// It is the rendition of another photo.
    case owned(by: FilePath)
    case original
  }

  private let originals: Set<FilePath>
  private let owners: Mutex<[FilePath: FilePath]>
  /// Paths that two photos without a right to them want: neither gets them.
  private let contested: [FilePath: FilePath]

  /// - Parameters:
  ///   - originals: Below the output root; empty where that is another folder.
  ///   - claims: The paths that sidecars claim, with their originals.
  ///   - wishes: The paths that photos of this run are going to want, as far as they are known.
  init(
    originals: Set<FilePath>, claims: [FilePath: FilePath],
    wishes: [(path: FilePath, original: FilePath)]
  ) {
    self.originals = originals
    owners = Mutex(claims)
    var first: [FilePath: FilePath] = [:]
    var contested: [FilePath: FilePath] = [:]
    for wish in wishes where claims[wish.path] == nil {
      if let other = first[wish.path], other != wish.original {
        contested[wish.path] = other
      } else {
        first[wish.path] = wish.original
      }
    }
    self.contested = contested
  }

  /// Makes a path the photo's own.
  func claim(_ path: FilePath, for original: FilePath) throws(Refusal) {
    if originals.contains(path) { throw .original }
    if let other = contested[path] { throw .owned(by: other) }
    let owner = owners.withLock { owners in
      let owner = owners[path] ?? original
      owners[path] = owner
      return owner
    }
    if owner != original { throw .owned(by: owner) }
  }
}
