import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Undoes the last command's changes of a library, photo by photo.
///
/// Sidecars, and renditions that cannot be rendered again, are restored from the trash. Other
/// renditions are rendered from the settings in the restored sidecar. If the command moved edits to
/// another photo path, they move back.
struct LibraryUndo: Sendable {
  /// The command's changes of photos, by each original's current path.
  private let changes: [FilePath: TrashedRun.PhotoChange]
  /// The changes of files that belong to no photo.
  private let loose: [TrashedRun.PhotoChange]
  /// The outcomes of photos that the command changed and that the scan did not find.
  let absent: [AssetOutcome]
  /// True if the hint of a photo that cannot be undone names `--skip`.
  private let offersSkip: Bool

  /// Assigns the changes of a command to the library's photos, by the sidecars that it changed.
  init(_ run: TrashedRun, in session: LibrarySession, offersSkip: Bool) {
    self.offersSkip = offersSkip
    let photos = Set(session.contents.assets.map(\.path))
    var changes: [FilePath: TrashedRun.PhotoChange] = [:]
    var absent: [AssetOutcome] = []
    var loose: [TrashedRun.PhotoChange] = []
    for change in run.changes {
      let originals = change.sidecars.compactMap { Sidecar.original(of: $0.path) }
      if let original = originals.last(where: photos.contains) {
        changes[original] = change
      } else if change.needsNoPhoto {
        loose.append(change)
      } else if let original = originals.last {
        absent.append(Self.blocked(session.outcome(ofAbsent: original), offersSkip))
      }
    }
    self.changes = changes
    self.absent = absent
    self.loose = loose
  }

  func concerns(_ asset: Asset) -> Bool { changes[asset.path] != nil }

  func run(_ context: EditContext, _ asset: Asset, _ worker: WorkerProcess) -> AssetRunner.Result {
    guard let change = changes[asset.path] else { return .cancelled }
    let undo = PhotoUndo(context: context, asset: asset, worker: worker, change: change)
    do throws(PhotoFailure) { return .prepared(try undo.prepare()) } catch {
      return error.isCancelled ? .cancelled : .done(blocked(asset.path, error))
    }
  }

  /// Returns the planned outcome for a photo; writes nothing.
  func plan(_ context: EditContext, _ asset: Asset, _ worker: WorkerProcess) -> AssetRunner.Result {
    guard let change = changes[asset.path] else { return .cancelled }
    let undo = PhotoUndo(context: context, asset: asset, worker: worker, change: change)
    do throws(PhotoFailure) {
      try undo.check()
      var outcome = AssetOutcome(asset.path, .restored, change.sentence)
      outcome.isDue = true
      return .done(outcome)
    } catch { return .done(blocked(asset.path, error)) }
  }

  /// Restores the files that belong to no photo; with `writes` false, only checks them.
  func restoreLoose(_ context: EditContext, writes: Bool) -> [AssetRunner.Result] {
    loose.map { change in
      let place = change.place ?? ""
      let files = FileRestoration(
        context: context, change: change, folder: place.removingLastComponent())
      do throws(PhotoFailure) {
        if writes { return .prepared(try files.prepare()) }
        try files.check()
        var outcome = AssetOutcome(place, .restored, change.sentence)
        outcome.isDue = true
        return .done(outcome)
      } catch { return .done(blocked(place, error)) }
    }
  }

  private func blocked(_ path: FilePath, _ failure: PhotoFailure) -> AssetOutcome {
    Self.blocked(AssetOutcome(path, failure), offersSkip)
  }

  private static func blocked(_ outcome: AssetOutcome, _ offersSkip: Bool) -> AssetOutcome {
    var outcome = outcome
    if offersSkip {
      outcome.hint = "'phbatch undo --skip' leaves this photo as it is and undoes the others"
    }
    return outcome
  }

  /// The last `count` commands that changed the named photos, newest first.
  ///
  /// - Throws: `MissingInput` if fewer than `count` commands can be undone.
  static func steps(
    _ count: Int, of named: PhotoPaths, _ paths: [FilePath]
  ) throws -> [TrashedRun] {
    let found = try steps(atMost: count, of: named)
    if found.count == count { return found }
    if found.isEmpty { throw nothing(in: paths) }
    throw MissingInput(
      "only \(found.count.counting("step")) can be undone in \(paths.enumeration)",
      hint: "'phbatch undo --list' shows them")
  }

  /// The commands that can be undone, newest first, and the reason why no earlier command can be
  /// undone; nil if there is no earlier command.
  ///
  /// - Throws: `RecoveryError` if the newest command cannot be undone. The changes of named photos
  ///   may be in any command, so then no command may have an obstacle.
  static func list(
    of named: PhotoPaths
  ) throws -> (runs: [TrashedRun], obstacle: RecoveryError?) {
    guard named.isWholeLibrary else {
      return (try steps(atMost: Trash.mostRuns, of: named), nil)
    }
    let (runs, obstacle) = try Trash.undoableRuns(Trash.mostRuns, in: named.root.files)
    if runs.isEmpty, let obstacle { throw obstacle }
    return (runs, obstacle)
  }

  /// The last commands that changed the named photos, at most `count`, newest first.
  private static func steps(atMost count: Int, of named: PhotoPaths) throws -> [TrashedRun] {
    let files = named.root.files
    return named.isWholeLibrary
      ? try Trash.lastRuns(count, in: files)
      : try Trash.newestChanges(count, in: files, of: named.contains)
  }

  /// The error if no command can be undone.
  static func nothing(in paths: [FilePath]) -> MissingInput {
    MissingInput(
      "there is nothing to undo in \(paths.enumeration)",
      hint: "the last \(Trash.mostRuns) commands that changed something can be undone")
  }
}

extension LibrarySession {
  /// The outcome of a photo with edits that the scan did not find: it is missing, or the scan could
  /// not reach it.
  fileprivate func outcome(ofAbsent original: FilePath) -> AssetOutcome {
    guard let error = contents.problems.first(where: { $0.affects(original) }),
      root.library.has(original) != false
    else { return AssetOutcome(PhotoPlan(missing: original)) }
    return AssetOutcome(original, PhotoFailure(unreached: error))
  }
}

extension TrashedRun.PhotoChange {
  /// The effect of an undo as text: `restores the sidecar and 2 renditions, removes 1 rendition`.
  fileprivate var sentence: String {
    let back = renditions.filter { $0.before != .absent }.count
    let gone = renditions.filter { $0.before == .absent && $0.after != nil }.count
    let hadSidecar = sidecar.map { $0.before != .absent } ?? false
    func text(_ hasSidecar: Bool, _ count: Int) -> String? {
      let parts = [hasSidecar ? "the sidecar" : nil, count > 0 ? count.counting("rendition") : nil]
      let text = parts.compactMap(\.self).joined(separator: " and ")
      return text.isEmpty ? nil : text
    }
    return [
      text(hadSidecar, back).map { "restores \($0)" },
      text(!hadSidecar && sidecar != nil, gone).map { "removes \($0)" },
    ]
    .compactMap(\.self).joined(separator: ", ")
  }
}
