import PhotoLibrary
import Synchronization
import SystemPackage

/// Who owns which path below the output root: no two photos write to one, and none to an original.
final class PathLedger: Sendable {
  /// Why a path cannot be had.
  enum Refusal: Error {
    /// It is the rendition of another photo.
    case owned(by: FilePath)
    /// Another photo of this run wants it with the same right.
    case wanted(by: FilePath)
    case original
  }

  private let originals: Set<FilePath>
  private let owners: Mutex<[FilePath: FilePath]>
  /// Paths that several photos without a right to them want: none of these gets them.
  private let contested: [FilePath: Set<FilePath>]

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
    var wishers: [FilePath: Set<FilePath>] = [:]
    for wish in wishes where claims[wish.path] == nil {
      wishers[wish.path, default: []].insert(wish.original)
    }
    contested = wishers.filter { $0.value.count > 1 }
  }

  /// Makes a path the photo's own.
  func claim(_ path: FilePath, for original: FilePath) throws(Refusal) {
    if originals.contains(path) { throw .original }
    let others = contested[path]?.subtracting([original]) ?? []
    if let other = others.min(by: { $0.string < $1.string }) { throw .wanted(by: other) }
    let owner = owners.withLock { owners in
      let owner = owners[path] ?? original
      owners[path] = owner
      return owner
    }
    if owner != original { throw .owned(by: owner) }
  }
}
