import Notation
import PhotoLibrary
import PhotoRecipes
import Synchronization
import SystemPackage

/// Tells what happens in a watch, one event at a time; what goes on being wrong is said once.
final class WatchReporter: Sendable {
  private struct Told {
    var warnings: Set<String> = []
    var away: String?
    var status: WatchStatus?
  }

  private let observe: @Sendable (WatchEvent) -> Void
  private let told = Mutex(Told())

  init(_ observe: @escaping @Sendable (WatchEvent) -> Void) { self.observe = observe }

  func tell(_ event: WatchEvent) { told.withLock { _ in observe(event) } }

  func tell(_ event: RunEvent) {
    guard case .warning(let text) = event else { return tell(.run(event)) }
    warnOnce(text, hint: "")
  }

  func finish(_ summary: RunSummary) { tell(.finished(summary)) }

  func pulse() { tell(.pulse) }

  func tell(_ status: WatchStatus) {
    told.withLock { told in
      var status = status
      status.isAway = told.away != nil
      guard told.status != status else { return }
      told.status = status
      observe(.status(status))
    }
  }

  private func warnOnce(_ text: String, hint: String) {
    told.withLock { told in
      if told.warnings.insert(text).inserted { observe(.warning(text, hint: hint)) }
    }
  }
}

extension WatchReporter {
  var isAway: Bool { told.withLock { $0.away != nil } }

  func tellAway(_ reason: String) {
    told.withLock { told in
      guard told.away == nil else { return }
      told.away = reason
      observe(.away(reason))
    }
  }

  /// Says that the library is back, if it was away.
  func tellBack() {
    told.withLock { told in
      guard told.away != nil else { return }
      told.away = nil
      observe(.back)
    }
  }
}

extension WatchReporter {
  /// The kernel's events; without them folders are looked at now and then.
  func openEvents() -> (any FolderEvents)? {
    do throws(Errno) { return try Inotify() } catch {
      let isLimit = error == .tooManyOpenFiles
      warnOnce(
        "folders cannot be watched (\(error)): they are looked at every minute",
        hint: isLimit ? InotifyLimits.queueRemedy : "")
      return nil
    }
  }

  /// Says so of the first such folder.
  func warnOfPolling(_ folder: FilePath) {
    warnOnce(
      "of '\(folder.displayed)' the kernel does not tell what other machines do: it is looked at "
        + "every minute", hint: "--poll SECONDS sets another time")
  }

  func warnOfLoss() {
    tell(.warning("more happened than the kernel kept: everything is looked at", hint: ""))
  }

  /// Says that folders could not be watched, `unwatched` of `count`.
  func warn(_ obstacle: Errno, unwatched: Int, of count: Int) {
    if unwatched == 0 { return }
    guard obstacle == .noSpace else {
      return warnOnce(
        "some folders cannot be watched (\(obstacle)): they are looked at every minute", hint: "")
    }
    let isTold = told.withLock { !$0.warnings.insert("the limit of watches").inserted }
    if isTold { return }
    tell(
      .warning(
        "\(unwatched) of \(count) folders cannot be watched, because the system's limit is reached:"
          + " they are looked at every minute", hint: InotifyLimits.remedy(folders: count)))
  }

  func warn(of failures: [ScanError]) {
    for failure in failures { warnOnce(failure.message, hint: failure.hint) }
  }

  func warn(_ error: any Error, retrying delay: Duration) {
    let known = error as? any UserError
    tell(
      .warning(
        "\(known?.message ?? "\(error)"); tried again in \(delay.components.seconds) s",
        hint: known?.hint ?? ""))
  }

  func warnOfRetry(_ delay: Duration) {
    tell(
      .warning("what the system refused is tried again in \(delay.components.seconds) s", hint: ""))
  }

  func warnOfRecipe(_ error: any Error) {
    let known = error as? any UserError
    let text = known is InvalidDocument ? "\(error)" : known?.message ?? "\(error)"
    tell(.warning("the recipe was kept as it was: \(text)", hint: known?.hint ?? ""))
  }
}
