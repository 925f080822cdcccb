import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Undoes the changes of the last command, photo by photo.
///
/// Sidecars, and renditions that could not be made again, come from the trash. Other renditions are
/// rendered from the settings in the restored sidecar. Edits that moved with their photo move back.
struct LibraryUndo: Sendable {
  /// The changes, by the current paths of the originals.
  private let changes: [FilePath: TrashedRun.PhotoChange]
  /// The originals that the command changed and that no longer exist.
  private let missing: [FilePath]
  /// True if the hint of a photo that cannot be undone names `--skip`.
  private let offersSkip: Bool

  /// Finds each photo that a command changed among those of the library.
  init(_ run: TrashedRun, photos: Set<FilePath>, offersSkip: Bool) {
    self.offersSkip = offersSkip
    var changes: [FilePath: TrashedRun.PhotoChange] = [:]
    var missing: [FilePath] = []
    for change in run.changes {
      let originals = change.sidecars.compactMap { Sidecar.original(of: $0.path) }
      if let original = originals.last(where: photos.contains) {
        changes[original] = change
      } else if let original = originals.last {
        missing.append(original)
      }
    }
    self.changes = changes
    self.missing = missing
  }

  func concerns(_ asset: Asset) -> Bool { changes[asset.path] != nil }

  func run(_ context: EditContext, _ asset: Asset, _ worker: WorkerProcess) -> AssetRunner.Result {
    guard let change = changes[asset.path] else { return .cancelled }
    let undo = PhotoUndo(context: context, asset: asset, worker: worker, change: change)
    do throws(PhotoFailure) { return .prepared(try undo.prepare()) } catch {
      return error.isCancelled ? .cancelled : .done(blocked(AssetOutcome(asset.path, error)))
    }
  }

  /// Returns the outcome that `run` would have for a photo; writes nothing.
  func plan(_ context: EditContext, _ asset: Asset, _ worker: WorkerProcess) -> AssetRunner.Result {
    guard let change = changes[asset.path] else { return .cancelled }
    let undo = PhotoUndo(context: context, asset: asset, worker: worker, change: change)
    do throws(PhotoFailure) {
      try undo.checkFiles()
      var outcome = AssetOutcome(asset.path, .restored, change.sentence)
      outcome.isDue = true
      return .done(outcome)
    } catch { return .done(blocked(AssetOutcome(asset.path, error))) }
  }

  var missingOutcomes: [AssetOutcome] {
    missing.map { blocked(AssetOutcome(PhotoPlan(missing: $0))) }
  }

  private func blocked(_ outcome: AssetOutcome) -> AssetOutcome {
    var outcome = outcome
    if offersSkip {
      outcome.hint = "'phbatch undo --skip' leaves this photo as it is and undoes the others"
    }
    return outcome
  }

  /// The changes that an undo of the named photos reverses.
  ///
  /// - Throws: `MissingInput` if there are none.
  static func changes(of named: PhotoPaths, _ paths: [FilePath]) throws -> TrashedRun {
    let files = named.root.files
    let found =
      named.isWholeLibrary
      ? try Trash.lastRun(in: files) : try Trash.newestChanges(in: files, of: named.contains)
    guard let found else {
      throw MissingInput(
        "there is nothing to undo in \(paths.enumeration)",
        hint: "only the last command that changed something can be undone")
    }
    return found
  }
}

extension TrashedRun.PhotoChange {
  /// The effect of an undo: `restores its sidecar and 2 renditions, removes 1 rendition`.
  fileprivate var sentence: String {
    let back = renditions.filter { $0.before != .absent }.count
    let gone = renditions.filter { $0.before == .absent && $0.after != nil }.count
    let hadSidecar = sidecar.map { $0.before != .absent } ?? false
    func text(_ hasSidecar: Bool, _ count: Int) -> String? {
      let parts = [hasSidecar ? "its sidecar" : nil, count > 0 ? count.counting("rendition") : nil]
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
