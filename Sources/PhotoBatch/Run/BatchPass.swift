import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// One pass over the selected photos of a run, or over those of one part of a large library.
///
/// Photos with a valid outcome in the index are not planned again.
struct BatchPass {
  /// The library and its contents, without the photos that need no planning.
  private(set) var session: LibrarySession
  let recorder: Recorder
  /// All photos of the library.
  private(set) var originals: [FilePath]
  /// All films of the library, also if their photos alone are selected.
  let films: [Asset]
  /// The photos for which the pass may write renditions, judged by their paths and names.
  private(set) var planned: [Asset] = []
  /// The plans of photos in folders that were read, and of named photos, that need no planning,
  /// because the index has their outcome or their file is missing.
  private(set) var decided: [PhotoPlan] = []
  /// True for the first pass of a run, which also reports the photos of folders that are not read.
  private let isFirst: Bool
  /// The selected photos whose originals are missing but whose sidecars exist.
  private let missing: [FilePath]
  /// The renditions without a record that this pass reports, because it will not replace them.
  private let orphans: [Orphan]
  /// The git revision given with `--since`; empty if there is none.
  private let revision: String

  /// Begins a pass; `choose` may select a part of the photos that must be planned.
  ///
  /// A pass over a further part of the library continues the `record` of the first pass.
  init(
    of batch: Batch, over session: LibrarySession, _ choice: Batch.Choice,
    _ choose: (@Sendable ([Asset]) -> [Asset])?, continuing record: Recorder? = nil,
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) throws {
    isFirst = record == nil
    self.session = session
    let recipe = batch.recipe
    originals = session.contents.originals
    revision = batch.options.since ?? ""
    let all = session.contents.assets
    films = all.filter(\.file.isPairedFilm)
    let kept = try batch.keep(choice, of: &self.session.contents, session.root)
    missing = kept.missing
    let absent = kept.absent
    let decided = session.survey?.decided ?? [:]
    // Photos that are up to date keep their paths, so only other photos may get new paths. A part
    // of a larger run also respects the paths of photos that other parts render.
    let planning = (choice.isPart ? all : self.session.contents.assets)
      .filter { decided[$0.path]?.reason != .upToDate }
    orphans = Self.reported(kept.orphans, recipe, planning)
    let found = self.session.contents.assets.count + missing.count + orphans.count
    recorder =
      record
      ?? Recorder(
        self.session.contents, photos: session.reportedCount(among: found) + absent.count,
        counted: session.survey?.counted ?? [:], observe)
    if !isFirst { recorder.add(session.contents.problems) }
    if !session.root.isMirror { recorder.add(orphans: orphans.map(\.path)) }
    if isFirst, !session.root.isMirror, recipe.outputs.contains(where: \.budget.keepIfSmaller) {
      recorder.record(
        .warning("'keepIfSmaller' copies originals only to another folder; give one with --output"))
    }
    for path in kept.unknown {
      recorder.record(.warning("the list names '\(path.displayed)', which does not exist"))
    }
    let scan = Scan(session.root.library)
    let folders = Set(absent.map { $0.removingLastComponent() })
    let obstacles = Dictionary(uniqueKeysWithValues: folders.map { ($0, scan.obstacle(to: $0)) })
    for path in absent {
      let obstacle = (obstacles[path.removingLastComponent()] ?? nil).map {
        PhotoFailure(unreached: $0)
      }
      self.decided.append(
        PhotoPlan(
          path,
          obstacle ?? PhotoFailure(.fileMissing, "the file does not exist in the library")))
    }
    self.decided += self.session.contents.assets.compactMap { decided[$0.path] }
    self.session.contents.assets.removeAll { decided[$0.path] != nil }
    if let choose { self.session.contents.assets = choose(self.session.contents.assets) }
    if self.session.contents.assets.isEmpty { return }
    planned = planning.filter {
      recipe.selection.matches(path: $0.path.bytes) && $0.file.claim.isRead(with: recipe.inputs)
    }
  }

  /// Returns those of the renditions without a record that the pass reports.
  ///
  /// One at the path of a rendition to be written is left out, because the photo's own outcome
  /// reports it.
  private static func reported(
    _ found: [Orphan], _ recipe: Recipe, _ planning: [Asset]
  ) -> [Orphan] {
    let orphans = found.filter { recipe.selection.matches(path: $0.path.bytes) }
    if orphans.isEmpty { return [] }
    let paths = RenditionPaths(of: recipe)
    let expected = Set(planning.flatMap { paths.known(of: $0.path) + paths.films(of: $0.path) })
    return orphans.filter { $0.hasSidecar || !expected.contains($0.path) }
  }

  /// The plans of photos whose originals are missing, and of renditions without a record.
  var leftPlans: [PhotoPlan] {
    missing.map { PhotoPlan(missing: $0) } + orphans.map { PhotoPlan($0) }
  }

  /// The plans of all photos that need no planning.
  var known: [PhotoPlan] {
    var known = decided
    eachUnread { known.append($0) }
    return known
  }

  func reportKnown() {
    for plan in decided { report(plan) }
    eachUnread { report($0) }
  }

  private func eachUnread(_ body: (PhotoPlan) -> Void) {
    if isFirst { session.survey?.eachReported(body) }
  }

  /// Reports the missing photos and the renditions that still have no record, after all other
  /// photos.
  func end() {
    for plan in leftPlans where !recorder.hasTaken(plan.path) { report(plan) }
  }

  /// Forgets the photos of a part of a large library after they were rendered.
  mutating func forgetPhotos() {
    session.forget()
    (originals, planned, decided) = ([], [], [])
  }

  /// The summary of the pass.
  ///
  /// If a whole run has reported no photo, the summary contains the reason.
  func summary(_ choice: Batch.Choice, isPart: Bool = false) -> RunSummary {
    var summary = recorder.summary
    guard summary.isEmpty, summary.problems.isEmpty, !isPart else { return summary }
    summary.absence =
      switch choice {
      case .named([]): .emptyList
      case .named: .listedOthers
      case .changed where !originals.isEmpty: .unchanged(since: revision)
      case .all, .changed, .chosen, .folders, .planned: NoPhotos(in: session.root)
      }
    return summary
  }

  private func report(_ plan: PhotoPlan) {
    recorder.record(.started(plan.path))
    recorder.record(.finished(AssetOutcome(plan)))
  }
}

extension Scan {
  /// The error because of which a folder was not read; nil if it was read, or does not exist.
  ///
  /// If folders above it cannot be read either, the error is that of the highest of them, which a
  /// scan of the whole library reports.
  fileprivate func obstacle(to folder: FilePath) -> ScanError? {
    do throws(ScanError) {
      _ = try list(folder)
      return nil
    } catch {
      if case .folder(let error) = error, error.isOfMissingFolder { return nil }
      var outer = folder
      return outer.removeLastComponent() ? obstacle(to: outer) ?? error : error
    }
  }
}

extension FileSystemError {
  /// True if the path has no folder, although it may have a file or a symbolic link.
  fileprivate var isOfMissingFolder: Bool {
    [.noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels].contains(errno)
  }
}

/// A part of a run, as a watch does in one round; by default the whole run.
struct BatchShare: Sendable {
  /// Selects photos among the photos that must be planned; nil selects all.
  var choose: (@Sendable ([Asset]) -> [Asset])?
  /// The time after which no further photo is started; nil for no limit.
  var time: Duration?
  /// True if the run may remove edits that a user made; nil uses the value of the options.
  var mayDiscard: Bool?
  /// Called repeatedly while another run holds the library's lock.
  var whileWaiting: @Sendable () -> Void = {}
}
