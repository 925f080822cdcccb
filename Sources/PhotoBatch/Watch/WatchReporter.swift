import Notation
import PhotoLibrary
import PhotoRecipes
import Synchronization
import SystemPackage

/// Reports the events of a watch one at a time; a problem that lasts is reported only once.
final class WatchReporter: Sendable {
  private struct Reported {
    var warnings: Set<String> = []
    var away: String?
    var status: WatchStatus?
  }

  private let observe: @Sendable (WatchEvent) -> Void
  private let reported = Mutex(Reported())

  init(_ observe: @escaping @Sendable (WatchEvent) -> Void) { self.observe = observe }

  func tell(_ event: WatchEvent) { reported.withLock { _ in observe(event) } }

  func tell(_ event: RunEvent) {
    guard case .warning(let text) = event else { return tell(.run(event)) }
    warnOnce(text, hint: "")
  }

  func finish(_ summary: RunSummary) { tell(.finished(summary)) }

  func pulse() { tell(.pulse) }

  func tell(_ status: WatchStatus) {
    reported.withLock { reported in
      var status = status
      status.isAway = reported.away != nil
      guard reported.status != status else { return }
      reported.status = status
      observe(.status(status))
    }
  }

  private func warnOnce(_ text: String, hint: String) {
    reported.withLock { reported in
      if reported.warnings.insert(text).inserted { observe(.warning(text, hint: hint)) }
    }
  }
}

extension WatchReporter {
  var isAway: Bool { reported.withLock { $0.away != nil } }

  func reportAway(_ reason: String) {
    reported.withLock { reported in
      guard reported.away == nil else { return }
      reported.away = reason
      observe(.away(reason))
    }
  }

  /// Reports that the library is available again, if it was missing.
  func reportBack() {
    reported.withLock { reported in
      guard reported.away != nil else { return }
      reported.away = nil
      observe(.back)
    }
  }
}

extension WatchReporter {
  /// Opens the kernel's interface for file events; nil if it cannot be opened, so that all folders
  /// are scanned regularly.
  func openEvents() -> (any FolderEvents)? {
    do throws(Errno) { return try Inotify() } catch {
      let isLimit = error == .tooManyOpenFiles
      warnOnce(
        "folders cannot be watched (\(error)), so they are scanned every minute",
        hint: isLimit ? InotifyLimits.queueRemedy : "")
      return nil
    }
  }

  /// Warns that a folder's changes are not reported by the kernel; only the first such folder is
  /// named.
  func warnOfPolling(_ folder: FilePath) {
    warnOnce(
      "the kernel does not report changes by other machines in '\(folder.displayed)', so this "
        + "folder is scanned every minute", hint: "change the interval with --poll SECONDS")
  }

  func warnOfLoss() {
    tell(.warning("the kernel lost events: all folders are scanned", hint: ""))
  }

  /// Warns that `unwatched` of `count` folders cannot be watched.
  func warn(_ obstacle: Errno, unwatched: Int, of count: Int) {
    if unwatched == 0 { return }
    guard obstacle == .noSpace else {
      return warnOnce(
        "some folders cannot be watched (\(obstacle)), so they are scanned every minute", hint: "")
    }
    let isReported = reported.withLock { !$0.warnings.insert("the limit of watches").inserted }
    if isReported { return }
    tell(
      .warning(
        "\(unwatched) of \(count) folders cannot be watched, because the system's limit is reached:"
          + " they are scanned every minute", hint: InotifyLimits.remedy(folders: count)))
  }

  func warn(of failures: [ScanError]) {
    for failure in failures { warnOnce(failure.message, hint: failure.hint) }
  }

  func warn(_ error: any Error, retrying delay: Duration) {
    let known = error as? any UserError
    tell(
      .warning(
        "\(known?.message ?? "\(error)"); trying again in \(delay.components.seconds) s",
        hint: known?.hint ?? ""))
  }

  func warnOfRetry(_ delay: Duration) {
    tell(
      .warning(
        "photos that failed because of system errors are tried again in"
          + " \(delay.components.seconds) s",
        hint: ""))
  }

  func warnOfRecipe(_ error: any Error) {
    let known = error as? any UserError
    let text = known is InvalidDocument ? "\(error)" : known?.message ?? "\(error)"
    tell(.warning("the last valid recipe stays in use: \(text)", hint: known?.hint ?? ""))
  }
}
