import ArgumentParser
import Notation
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import PhotoReports
import Synchronization

enum OutputFormatOption: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

enum ProgressOption: String, ExpressibleByArgument, CaseIterable {
  case auto, bar, plain, none
}

/// Prints the events of a run: results on stdout, progress and messages on stderr.
final class RunReporter: Sendable {
  private let format: OutputFormatOption
  private let isQuiet: Bool
  private let showsEach: Bool
  private let progress: ProgressOption
  private let bar = Mutex<ProgressBar?>(nil)
  private let count = Mutex((done: 0, total: 0))
  /// True if the lines of photos are printed at the end of the run, sorted by path.
  private let sorts: Bool
  private let waiting = Mutex<[AssetOutcome]>([])
  private let unread = Mutex(UnreadFiles())
  private let events: EventWriter

  /// Creates a reporter; with `showsEach`, every photo is printed, even if it needs no work.
  ///
  /// With `sorts`, the lines are printed at the end, sorted by path. Reporters that share `events`
  /// number their JSON lines in one sequence.
  init(
    format: OutputFormatOption, progress: ProgressOption, isQuiet: Bool, showsEach: Bool,
    sorts: Bool = false, events: EventWriter = EventWriter(Message.result)
  ) {
    self.sorts = sorts
    self.events = events
    self.format = format
    self.isQuiet = isQuiet
    self.showsEach = showsEach
    let isPossible = ProgressBar.isPossible
    let automatic: ProgressOption = isQuiet || format == .json ? .none : isPossible ? .bar : .plain
    self.progress = progress == .auto ? automatic : progress
  }

  func report(_ event: RunEvent) {
    switch event {
    case .began(let photos):
      count.withLock { $0.total = photos }
      if progress == .bar { bar.withLock { $0 = ProgressBar(total: photos) } }
    case .started: break
    case .rendering(let path, let frames, let all):
      bar.withLock { $0?.note("\(path.displayed): frame \(frames) of \(all)") }
    case .finished(let outcome):
      advance(outcome)
      if sorts { waiting.withLock { $0.append(outcome) } } else { tell(outcome) }
    case .undoable(let step):
      if format == .text && !isQuiet { Message.result(Self.line(step)) }
    case .warning(let text):
      if format == .text { interrupting { Message.say("warning: \(text)") } }
    }
    if case .finished = event { return }
    if format == .json { interrupting { events.note(event) } }
  }

  /// Counts a photo as done, and updates the progress on stderr.
  private func advance(_ outcome: AssetOutcome) {
    bar.withLock { $0?.advance() }
    let (done, total) = count.withLock { count in
      count.done += 1
      return count
    }
    if progress == .plain && outcome.reason == .rendered && !outcome.isDue {
      Message.say("\(done)/\(total) \(outcome.path.displayed)")
    }
  }

  /// Prints a photo's outcome, with its warnings and hint, as the options request.
  private func tell(_ outcome: AssetOutcome) {
    if format == .json { return interrupting { events.note(.finished(outcome)) } }
    interrupting {
      for warning in outcome.warnings where !isQuiet {
        Message.say("warning: \(outcome.path.displayed): \(warning)")
      }
      if outcome.reason.outcome != .fine {
        Message.say(Self.line(outcome))
        if let hint = outcome.hint { Message.say("  hint: \(hint)") }
      } else if isQuiet {
        return
      } else if showsEach || outcome.isDue || !outcome.reason.isQuiet {
        Message.result(Self.line(outcome))
        if outcome.isDue {
          for line in outcome.plan?.lines ?? [] { Message.result("  \(line)") }
        }
        if let hint = outcome.hint { Message.say("  hint: \(hint)") }
      } else if outcome.reason == .unsupportedFormat {
        unread.withLock { $0.add(outcome) }
      }
    }
  }

  static func line(_ outcome: AssetOutcome) -> String {
    let word = outcome.isDue ? "due" : outcome.reason.rawValue
    let lines = outcome.detail?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
    let first = lines.first.map { " (\($0))" } ?? ""
    return (["\(outcome.path.displayed): \(word)\(first)"] + lines.dropFirst().map { "  \($0)" })
      .joined(separator: "\n")
  }

  private static func line(_ step: UndoStep) -> String {
    let command = step.command.map { "\($0), " } ?? ""
    return "step \(step.number): \(command)\(step.changes.counting("change"))"
  }

  /// Prints the formats that were not read, and the totals of the run.
  ///
  /// `isWhole` is false if the run was stopped, or ended with `error`, which the caller prints. The
  /// totals of a stopped run are printed only if at least one photo was finished.
  func finish(
    _ summary: RunSummary, _ code: PhotoBatch.ExitCode, error: (any UserError)? = nil,
    isWhole: Bool = true
  ) {
    bar.withLock { bar in
      bar?.clear()
      bar = nil
    }
    let waiting = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting.sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
    }
    for outcome in waiting { tell(outcome) }
    if format == .json {
      events.end(summary, code, error: error)
    } else if !isQuiet && isWhole {
      if !showsEach {
        let count = summary.counts[.unsupportedFormat] ?? 0
        for line in unread.withLock({ $0.lines(of: count) }) { Message.say(line) }
      }
      Message.result(summary.sentence)
    } else if !isQuiet && error == nil && !summary.isEmpty {
      Message.result("stopped: \(summary.sentence)")
    }
  }

  /// Removes the progress bar from the terminal while `body` writes other output.
  private func interrupting(_ body: () -> Void) {
    bar.withLock { bar in
      bar?.clear()
      body()
    }
  }
}
