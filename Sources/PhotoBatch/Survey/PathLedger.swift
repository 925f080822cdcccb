import PhotoLibrary
import Synchronization
import SystemPackage

/// The owners of paths below the output root.
///
/// No two photos write to the same path, and no photo writes to an original.
final class PathLedger: Sendable {
  private let originals: Set<FilePath>
  private let owners: Mutex<[FilePath: FilePath]>
  /// Paths that several photos of this run plan to write and that no sidecar records; no photo may
  /// write to them.
  private let contested: [FilePath: Set<FilePath>]

  /// - Parameters:
  ///   - originals: The originals below the output root; empty if the output root is not the
  ///     library.
  ///   - claims: The paths that sidecars record as renditions, with their originals.
  ///   - planned: The paths that photos of this run will write and that are known in advance.
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

  /// Records a photo as the owner of a path to which it will write.
  ///
  /// - Throws: A collision, if the path is an original, or if another photo owns the path or plans
  ///   to write to it.
  func claim(_ path: FilePath, for original: FilePath) throws(PhotoFailure) {
    try checkUncontested(path, original)
    let owner = owners.withLock { owners in
      let owner = owners[path] ?? original
      owners[path] = owner
      return owner
    }
    try check(owner, of: path, original)
  }

  /// Throws a collision if a photo cannot become the owner of a path; records nothing.
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
        "'\(path.displayed)' would also be a rendition of '\(other.displayed)'",
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
        "put {name} into the output's path, or give up the other photo's edit with 'phbatch revert'"
    )
  }
}
