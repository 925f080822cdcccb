import PhotoLibrary
import SystemPackage

/// The photos that failed, or that need a person: they are reported of once, and tried again when
/// something of theirs changes.
struct Attempts: Sendable {
  private struct Attempt {
    /// Whether the system was the reason: no space, no permission.
    let isSystem: Bool
    /// Whether a file of any name may be in the way.
    let isObstructed: Bool
  }

  private struct Report: Equatable {
    let reason: Reason
    let detail: String?
  }

  /// What came, settled or went in a folder since the round began.
  private struct Change {
    private var names = GroupNames()
    private var hasLost = false
    /// Whether nobody knows what went.
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
  /// What was said of photos, whether or not they are to be tried again.
  private var reported: [FilePath: [FileName: Report]] = [:]
  /// What is in folders with attempts, as it was seen last.
  private var names: [FolderKey: Set<FileName>] = [:]
  /// By folder: a photo may have failed for what it was before.
  private var changes: [FilePath: Change] = [:]
  /// Whether a failure of the system is to be tried again some time.
  private(set) var hasSystemFailures = false

  /// Begins a round: what changes from now on may change under its hands.
  mutating func beginRound() { changes = [:] }

  /// Takes what became of a photo; whether it is worth telling.
  mutating func note(_ outcome: AssetOutcome) -> Bool {
    guard let component = outcome.path.lastComponent else { return true }
    let (folder, name) = (outcome.path.removingLastComponent(), FileName(component))
    if outcome.reason.outcome == .fine {
      forget(name, in: folder)
      reported[folder]?[name] = nil
      return outcome.reason == .rendered || outcome.reason == .foreignNewer
    }
    // That will be seen.
    if outcome.isGone { return false }
    let attempt = Attempt(
      isSystem: outcome.systemCode != nil,
      isObstructed: outcome.reason.outcome == .needsPerson || outcome.reason == .collision)
    // The next round looks at it as it is now.
    if let change = changes[folder], change.concerns(name, attempt.isObstructed) { return false }
    attempts[folder, default: [:]][name] = attempt
    if attempt.isSystem { hasSystemFailures = true }
    let new = Report(reason: outcome.reason, detail: outcome.detail)
    let old = reported[folder, default: [:]].updateValue(new, forKey: name)
    return old != new
  }

  /// Whether a photo is to be left alone for now.
  func holds(_ path: FilePath) -> Bool {
    guard let component = path.lastComponent else { return false }
    return attempts[path.removingLastComponent()]?[FileName(component)] != nil
  }

  /// Whether a folder with attempts is to be looked at, to know later what went there.
  func isUnseen(_ key: FolderKey) -> Bool { attempts[key.path] != nil && names[key] == nil }

  /// Takes what a folder holds now, and returns the names that went; nil where that is not known.
  mutating func see(_ folder: ScannedFolder, _ key: FolderKey) -> [FileName]? {
    guard attempts[key.path] != nil else {
      names[key] = nil
      return nil
    }
    let current = Set(folder.allFiles.map(\.name))
    defer { names[key] = current }
    return names[key].map { Array($0.subtracting(current)) }
  }

  /// Tries those again for which something changed in their folder, or for which, as far as that is
  /// not known, something may have gone.
  mutating func forget(_ news: SettleTable.News, lost: [FileName]? = nil, in folder: FilePath) {
    for name in news.settled + (lost ?? []) { reported[folder]?[name] = nil }
    if reported[folder]?.isEmpty ?? false { reported[folder] = nil }
    changes[folder, default: Change()].note(news, lost)
    guard let attempts = attempts[folder] else { return }
    var change = Change()
    change.note(SettleTable.News(settled: news.settled, hasLost: news.hasLost), lost)
    for (name, attempt) in attempts where change.concerns(name, attempt.isObstructed) {
      forget(name, in: folder)
    }
  }

  /// Forgets a folder that is gone.
  mutating func forget(_ key: FolderKey) {
    names[key] = nil
    if key.tree == .library { (attempts[key.path], reported[key.path]) = (nil, nil) }
  }

  /// Tries those again that failed because of the system.
  mutating func forgetSystemFailures() {
    hasSystemFailures = false
    for folder in attempts.keys {
      attempts[folder] = attempts[folder]?.filter { !$0.value.isSystem }
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
