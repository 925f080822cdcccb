import PhotoLibrary
import SystemPackage

/// The photos that failed, or that need a person: they are told of once, and tried again when
/// something beside them changes.
struct Attempts: Sendable {
  private struct Attempt {
    let reason: Reason
    let detail: String?
    /// Whether the system was the reason: no space, no permission.
    let isSystem: Bool
  }

  /// What settled or went in a folder since the round began.
  private struct Change {
    var names = GroupNames()
    var hasLost = false
  }

  private var attempts: [FilePath: [FileName: Attempt]] = [:]
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
      return outcome.reason == .rendered || outcome.reason == .foreignNewer
    }
    // It went away between two looks, and that will be seen.
    if outcome.reason == .fileMissing { return false }
    // The next round looks at it as it is now.
    if let change = changes[folder], change.hasLost || change.names.concern(name) { return false }
    let old = attempts[folder]?[name]
    let new = Attempt(
      reason: outcome.reason, detail: outcome.detail, isSystem: outcome.systemCode != nil)
    attempts[folder, default: [:]][name] = new
    if new.isSystem { hasSystemFailures = true }
    return old?.reason != new.reason || old?.detail != new.detail
  }

  /// Whether a photo is to be left alone for now.
  func holds(_ path: FilePath) -> Bool {
    guard let component = path.lastComponent else { return false }
    return attempts[path.removingLastComponent()]?[FileName(component)] != nil
  }

  /// Tries those again for which something changed in their folder.
  mutating func forget(_ news: SettleTable.News, in folder: FilePath) {
    var change = changes[folder] ?? Change()
    for name in news.settled { change.names.insert(name) }
    change.hasLost = change.hasLost || news.hasLost
    changes[folder] = change
    if news.hasLost {
      attempts[folder] = nil
      return
    }
    guard let names = attempts[folder]?.keys else { return }
    var changed = GroupNames()
    for name in news.settled { changed.insert(name) }
    for name in names where changed.concern(name) { forget(name, in: folder) }
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
    hasSystemFailures = false
  }

  private mutating func forget(_ name: FileName, in folder: FilePath) {
    attempts[folder]?[name] = nil
    if attempts[folder]?.isEmpty ?? false { attempts[folder] = nil }
  }
}
