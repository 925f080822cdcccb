import PhotoLibrary
import Synchronization
import SystemPackage

/// Which photo owns which path below the output root: no two photos write to one, none to an
/// original.
final class PathLedger: Sendable {
  private let originals: Set<FilePath>
  private let owners: Mutex<[FilePath: FilePath]>
  /// Paths that several photos of this run plan to write and no sidecar claims: none may.
  private let contested: [FilePath: Set<FilePath>]

  /// - Parameters:
  ///   - originals: Below the output root; empty where that is another folder.
  ///   - claims: The paths that sidecars claim, with their originals.
  ///   - planned: The paths that photos of this run will write, as far as they are known.
  init(
    originals: Set<FilePath>, claims: [FilePath: FilePath],
    planned: [(path: FilePath, original: FilePath)]
  ) {
    self.originals = originals
    owners = Mutex(claims)
    var planners: [FilePath: Set<FilePath>] = [:]
    for plan in planned where claims[plan.path] == nil {
      planners[plan.path, default: []].insert(plan.original)
    }
    contested = planners.filter { $0.value.count > 1 }
  }

  /// Makes a path the photo's own.
  ///
  /// - Throws: A collision, where another photo owns the path or has the same claim to it.
  func claim(_ path: FilePath, for original: FilePath) throws(PhotoFailure) {
    try checkUncontested(path, original)
    let owner = owners.withLock { owners in
      let owner = owners[path] ?? original
      owners[path] = owner
      return owner
    }
    try check(owner, of: path, original)
  }

  /// Looks whether a photo could claim a path.
  func check(_ path: FilePath, for original: FilePath) throws(PhotoFailure) {
    try checkUncontested(path, original)
    if let owner = owners.withLock({ $0[path] }) { try check(owner, of: path, original) }
  }

  private func checkUncontested(_ path: FilePath, _ original: FilePath) throws(PhotoFailure) {
    if originals.contains(path) {
      throw PhotoFailure(
        .collision, "'\(path.displayed)' is an original",
        hint: "put {name} or {recipe} into the output's path, or move that file away")
    }
    let others = contested[path]?.subtracting([original]) ?? []
    if let other = others.min(by: { $0.string < $1.string }) {
      throw PhotoFailure(
        .collision,
        "'\(path.displayed)' would be a rendition of '\(other.displayed)' as well",
        hint: "put {name} into the output's path")
    }
  }

  private func check(
    _ owner: FilePath, of path: FilePath, _ original: FilePath
  ) throws(PhotoFailure) {
    if owner == original { return }
    throw PhotoFailure(
      .collision, "'\(path.displayed)' belongs to '\(owner.displayed)'",
      hint:
        "put {name} into the output's path, list the other recipe under 'handles', or use --previous replace"
    )
  }
}
