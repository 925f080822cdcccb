import Dispatch
import PhotoLibrary
import Synchronization
import SystemPackage

/// Publishes prepared edits in groups, so that many photos share the syncs of files to the disk.
///
/// A group is published when it is large or old enough, or when the command ends. If the command is
/// atomic, everything is published at its end, or nothing. A photo's outcome is reported as soon as
/// its files would survive a power failure.
final class Committer: Sendable {
  private let publisher: Publisher<RealFileSystem>
  private let isAtomic: Bool
  private let willPublish: @Sendable ([AssetOutcome]) -> Void
  private let tell: @Sendable (AssetOutcome) -> Void
  /// The maximum number of files of a group; they stay open until they are published.
  private let mostFiles: Int
  private struct Waiting {
    var edits: [PreparedEdit] = []
    /// The number of files of the edits.
    var files = 0

    /// Removes all edits.
    mutating func takeAll() -> [PreparedEdit] {
      defer { (edits, files) = ([], 0) }
      return edits
    }
  }
  private let waiting = Mutex(Waiting())
  /// Locked while a group is published, so that groups are published one after another.
  private let turn = Mutex(())
  /// Runs the publication of groups that are old enough; publishing blocks, so it has its own
  /// queue.
  private let timer = DispatchQueue(label: "phbatch.committer")

  /// The maximum age of a group in seconds.
  private static let mostAge = 2.0

  /// `willPublish` receives the outcomes of a group right before it is published, `tell` the
  /// outcome of each photo afterwards.
  init(
    _ publisher: Publisher<RealFileSystem>, isAtomic: Bool, mostFiles: Int = 128,
    willPublish: @escaping @Sendable ([AssetOutcome]) -> Void = { _ in },
    _ tell: @escaping @Sendable (AssetOutcome) -> Void
  ) {
    self.publisher = publisher
    self.isAtomic = isAtomic
    self.mostFiles = mostFiles
    self.willPublish = willPublish
    self.tell = tell
  }

  /// Adds an edit to the group, and publishes the group if it is due.
  func submit(_ edit: PreparedEdit) {
    if isAtomic { keep(edit) } else { enqueue(edit) }
  }

  /// Keeps an edit of an atomic command until the command ends.
  ///
  /// The edit's staged files are closed, because the number of open files is limited.
  private func keep(_ edit: PreparedEdit) {
    var edit = edit
    do throws(PublishingError) {
      edit.group = try publisher.saved(edit.group)
      let saved = edit
      waiting.withLock { $0.edits.append(saved) }
    } catch {
      publisher.discard(edit.group)
      tell(edit.outcome(of: .failure(error)))
    }
  }

  private func enqueue(_ edit: PreparedEdit) {
    let (isFirst, isFull) = waiting.withLock { waiting in
      waiting.edits.append(edit)
      waiting.files += edit.fileCount
      return (waiting.edits.count == 1, waiting.files >= mostFiles)
    }
    if isFull {
      flush()
    } else if isFirst {
      timer.asyncAfter(deadline: .now() + Self.mostAge) { [weak self] in
        self?.flushIfOld()
      }
    }
  }

  /// Publishes the waiting group if it is old enough.
  ///
  /// The group that started the timer may have been published since; the waiting group is then
  /// newer.
  private func flushIfOld() {
    let isOld = waiting.withLock { waiting in
      waiting.edits.first.map { ContinuousClock.now - $0.time >= .seconds(Self.mostAge) } ?? false
    }
    if isOld { flush() }
  }

  /// Publishes the waiting edits, and reports their outcomes.
  func flush() {
    turn.withLock { _ in
      let edits = waiting.withLock { $0.takeAll() }
      if edits.isEmpty { return }
      willPublish(edits.map(\.outcome))
      let results = publisher.publish(edits.map(\.group), isAtomic: isAtomic)
      for (edit, result) in zip(edits, results) { tell(edit.outcome(of: result)) }
    }
  }

  /// Discards the waiting edits of an atomic command, because a photo failed or, if `isStopped`,
  /// because the command was stopped.
  func withdraw(isStopped: Bool) {
    let cause = isStopped ? "the command was stopped" : "another photo failed"
    let edits = waiting.withLock { $0.takeAll() }
    for edit in edits {
      publisher.discard(edit.group)
      tell(
        AssetOutcome(
          edit.outcome.path, .skipped, "nothing was published, because \(cause)"))
    }
  }
}

/// The files of one photo, ready to be published, and the outcome to report afterwards.
struct PreparedEdit: Sendable {
  fileprivate(set) var group: PublicationGroup<OpenFile>
  var outcome: AssetOutcome
  let time = ContinuousClock.now

  fileprivate var fileCount: Int { group.inOrder.count }

  fileprivate func outcome(
    of result: Result<[FileIdentity?], PublishingError>
  ) -> AssetOutcome {
    switch result {
    case .success(let identities):
      var outcome = outcome
      let paths = group.renditions.map(\.path) + (group.sidecar.map { [$0.path] } ?? [])
      outcome.published = Array(zip(paths, identities)).map { (path: $0, identity: $1) }
      return outcome
    case .failure(let error):
      var failed = AssetOutcome(outcome.path, PhotoFailure(error))
      if case .conflict = error { failed.isOvertaken = true }
      return failed
    }
  }
}
