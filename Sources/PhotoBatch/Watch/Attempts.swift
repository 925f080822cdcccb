import PhotoLibrary
import SystemPackage

/// The photos whose last rendering failed or needs a user's decision.
///
/// A repeated problem is reported only once. A photo is tried again when its files change, or some
/// time after a system error; after a collision, when any file of the library changes, because the
/// other photo may be in any folder.
struct Attempts: Sendable {
  private struct Attempt {
    /// True if a system error was the reason, such as a full disk or missing permission.
    let isSystem: Bool
    /// True if a file that does not belong to the photo may have caused the failure.
    let isObstructed: Bool
    /// True if another photo owns a path of the photo, or may write to it.
    let isCollision: Bool
  }

  private struct Report: Equatable {
    let reason: Reason
    let detail: String?
  }

  /// The files that appeared, became stable or were removed in a folder since the round began.
  private struct Change {
    private var names = GroupNames()
    private var hasLost = false
    /// True if files were removed from the folder and their names are not known.
    private var isUnclear = false

    mutating func note(_ news: SettleTable.News, _ lost: [FileName]?) {
      for name in news.settled + news.appeared + (lost ?? []) { names.insert(name) }
      hasLost = hasLost || news.hasLost
      isUnclear = isUnclear || news.hasLost && lost == nil
    }

    func concerns(_ name: FileName, _ isObstructed: Bool) -> Bool {
      isUnclear || hasLost && isObstructed || names.concern(name)
    }
  }

  private var attempts: [FilePath: [FileName: Attempt]] = [:]
  /// The last report of each photo, including photos that will not be tried again.
  private var reported: [FilePath: [FileName: Report]] = [:]
  /// The file names in folders with attempts, as of the last scan.
  private var names: [FolderKey: Set<FileName>] = [:]
  /// The changes found during this round, by folder.
  ///
  /// A photo's outcome may refer to its files before such a change, so it is not recorded as a
  /// failed attempt.
  private var changes: [FilePath: Change] = [:]
  /// True if a file of any folder changed during this round.
  private var hasChanges = false
  /// True if a photo that failed with a system error is to be tried again later.
  private(set) var hasSystemFailures = false

  /// Begins a round, and forgets the changes found before it.
  ///
  /// If a file changes from now on, the round may read it before or after the change.
  mutating func beginRound() { (changes, hasChanges) = ([:], false) }

  /// Records the outcome of a photo.
  ///
  /// Returns true if the caller should report the outcome.
  mutating func note(_ outcome: AssetOutcome) -> Bool {
    guard let component = outcome.path.lastComponent else { return true }
    let (folder, name) = (outcome.path.removingLastComponent(), FileName(component))
    if outcome.reason == .orphan { return isNew(outcome, name, in: folder) }
    if outcome.reason.outcome == .fine {
      forget(name, in: folder)
      reported[folder]?[name] = nil
      return outcome.reason == .rendered || outcome.reason == .foreignNewer
    }
    // The photo was removed during the round; the next scan finds this.
    if outcome.isGone { return false }
    let attempt = Attempt(
      isSystem: outcome.systemCode != nil,
      isObstructed: outcome.reason.outcome == .needsPerson,
      isCollision: outcome.reason == .collision)
    // The photo's files changed during the round, so the next round tries it again.
    if let change = changes[folder], change.concerns(name, attempt.isObstructed) { return false }
    // The collision may have ended during the round, so it is reported and tried again.
    if attempt.isCollision && hasChanges { return isNew(outcome, name, in: folder) }
    attempts[folder, default: [:]][name] = attempt
    if attempt.isSystem { hasSystemFailures = true }
    return isNew(outcome, name, in: folder)
  }

  /// Records a report; returns true if it differs from the last report of the file.
  private mutating func isNew(
    _ outcome: AssetOutcome, _ name: FileName, in folder: FilePath
  ) -> Bool {
    let new = Report(reason: outcome.reason, detail: outcome.detail)
    return reported[folder, default: [:]].updateValue(new, forKey: name) != new
  }

  /// True if a photo is not tried now: its last attempt failed, and its files have not changed
  /// since.
  func holds(_ path: FilePath) -> Bool {
    guard let component = path.lastComponent else { return false }
    return attempts[path.removingLastComponent()]?[FileName(component)] != nil
  }

  /// True if the folder contains photos that failed, but its file names are not recorded yet;
  /// without them, a removed file cannot be detected.
  func isUnseen(_ key: FolderKey) -> Bool { attempts[key.path] != nil && names[key] == nil }

  /// Records the names of a folder's files, and returns the names of files that were removed since
  /// the last scan; nil if these are not known.
  mutating func see(_ folder: ScannedFolder, _ key: FolderKey) -> [FileName]? {
    guard attempts[key.path] != nil else {
      names[key] = nil
      return nil
    }
    let current = Set(folder.allFiles.map(\.name))
    defer { names[key] = current }
    return names[key].map { Array($0.subtracting(current)) }
  }

  /// Forgets the failed attempts of photos whose files changed, so that the next round tries them.
  ///
  /// `lost` are the names of removed files. If they are not known, forgets every attempt that a
  /// removed file may have affected.
  mutating func forget(_ news: SettleTable.News, lost: [FileName]? = nil, in folder: FilePath) {
    for name in news.settled + (lost ?? []) { reported[folder]?[name] = nil }
    if reported[folder]?.isEmpty ?? false { reported[folder] = nil }
    changes[folder, default: Change()].note(news, lost)
    forgetCollisions()
    guard let attempts = attempts[folder] else { return }
    var change = Change()
    change.note(SettleTable.News(settled: news.settled, hasLost: news.hasLost), lost)
    for (name, attempt) in attempts where change.concerns(name, attempt.isObstructed) {
      forget(name, in: folder)
    }
  }

  /// Forgets the attempts, reports and names of a folder that was removed.
  mutating func forget(_ key: FolderKey) {
    names[key] = nil
    forgetCollisions()
    if key.tree == .library { (attempts[key.path], reported[key.path]) = (nil, nil) }
  }

  /// Forgets the attempts that failed with system errors.
  mutating func forgetSystemFailures() {
    hasSystemFailures = false
    for folder in attempts.keys {
      attempts[folder] = attempts[folder]?.filter { !$0.value.isSystem }
    }
  }

  private mutating func forgetCollisions() {
    hasChanges = true
    for (folder, photos) in attempts {
      for (name, attempt) in photos where attempt.isCollision { forget(name, in: folder) }
    }
  }

  mutating func forgetAll() {
    attempts = [:]
    names = [:]
    hasSystemFailures = false
  }

  private mutating func forget(_ name: FileName, in folder: FilePath) {
    attempts[folder]?[name] = nil
    if attempts[folder]?.isEmpty ?? false { attempts[folder] = nil }
  }
}
