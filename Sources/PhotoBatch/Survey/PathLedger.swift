import PhotoLibrary
import PhotoRecipes
import Synchronization
import SystemPackage

/// The owners of paths below the output root.
///
/// No two photos write to the same path, and no photo writes to an original.
final class PathLedger: Sendable {
  private let originals: Set<FilePath>
  private let owners: Mutex<[FilePath: FilePath]>
  /// The paths that several photos may write and that no sidecar records, each with these photos,
  /// sorted by path.
  ///
  /// No photo may write to such a path, unless the run renders none of the others.
  private let contested: [FilePath: [Asset]]
  /// Tells for each photo that was looked up whether the run renders it.
  private let rendered = Mutex<[FilePath: Bool]>([:])
  /// The checks of the photos against the recipe's conditions.
  private let checks = Mutex<[FilePath: Check]>([:])
  /// True if the ledger belongs to a run, during which neither the recipe nor the photos change.
  private let isOfRun: Bool

  private final class Check: Sendable {
    /// The first condition that the photo does not meet, or `.some(nil)` if it meets all; nil if it
    /// was not checked.
    let unmet = Mutex<Condition??>(nil)
  }

  /// - Parameters:
  ///   - originals: The originals below the output root; empty if the output root is not the
  ///     library.
  ///   - claims: The paths that sidecars record as renditions, with their originals.
  ///   - planned: The photos for which this run may write renditions, and the paths of these; nil
  ///     if they are not known.
  init(
    originals: Set<FilePath>, claims: [FilePath: FilePath],
    planned: (photos: [Asset], paths: RenditionPaths)?
  ) {
    self.originals = originals
    owners = Mutex(claims)
    isOfRun = planned != nil
    contested = planned.map { Self.contested($0.photos, $0.paths, claims) } ?? [:]
  }

  private static func contested(
    _ photos: [Asset], _ paths: RenditionPaths, _ claims: [FilePath: FilePath]
  ) -> [FilePath: [Asset]] {
    var first: [FilePath: Int] = [:]
    var contested: [FilePath: [Asset]] = [:]
    for (index, photo) in photos.enumerated() {
      for path in paths.known(of: photo.path) where claims[path] == nil {
        if let other = first[path] {
          contested[path, default: [photos[other]]].append(photo)
        } else {
          first[path] = index
        }
      }
    }
    return contested.mapValues { $0.sorted { $0.path.string < $1.path.string } }
  }

  /// Looks up whether the run renders the other photos that may write to a path, until it finds one
  /// that it renders.
  ///
  /// `isRendered` is called only for photos whose result is not known yet.
  func lookUpRivals(
    at path: FilePath, of original: FilePath,
    _ isRendered: (Asset) throws(PhotoFailure) -> Bool
  ) throws(PhotoFailure) {
    for rival in contested[path] ?? [] where rival.path != original {
      let known = rendered.withLock { $0[rival.path] }
      let found = if let known { known } else { try isRendered(rival) }
      if known == nil { rendered.withLock { $0[rival.path] = found } }
      if found { return }
    }
  }

  /// Returns the first of the recipe's conditions that a photo does not meet; nil if it meets all.
  ///
  /// `check` may read the photo's header. A run calls it once for each photo, unless it throws; other
  /// threads wait for its result.
  func unmetCondition(
    of photo: FilePath, _ check: () throws(PhotoFailure) -> Condition?
  ) throws(PhotoFailure) -> Condition? {
    if !isOfRun { return try check() }
    let known = checks.withLock { checks in
      let known = checks[photo] ?? Check()
      checks[photo] = known
      return known
    }
    return try known.unmet.withLock { unmet throws(PhotoFailure) in
      if let unmet { return unmet }
      let found = try check()
      unmet = .some(found)
      return found
    }
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
      let remedy = "put {recipe} into the output's path"
      throw PhotoFailure(
        .collision, "'\(path.displayed)' is an original",
        hint: path == original ? remedy : "\(remedy), or move that file away")
    }
    guard let photos = contested[path] else { return }
    let other = rendered.withLock { rendered in
      photos.first { $0.path != original && rendered[$0.path] ?? true }
    }
    if let other {
      throw PhotoFailure(
        .collision,
        "'\(path.displayed)' would also be a rendition of '\(other.path.displayed)'",
        hint: Self.hint(original, other.path))
    }
  }

  private func check(
    _ owner: FilePath, of path: FilePath, _ original: FilePath
  ) throws(PhotoFailure) {
    if owner == original { return }
    throw PhotoFailure(
      .collision, "'\(path.displayed)' belongs to '\(owner.displayed)'",
      hint: Self.hint(original, owner)
        + ", or give up the other photo's edit with 'phbatch revert'")
  }

  /// Returns the hint how two photos get different paths.
  ///
  /// Photos in different folders may have the same name.
  private static func hint(_ original: FilePath, _ other: FilePath) -> String {
    let isBeside = original.removingLastComponent() == other.removingLastComponent()
    return "put \(isBeside ? "{name}" : "{folder}") into the output's path"
  }
}
