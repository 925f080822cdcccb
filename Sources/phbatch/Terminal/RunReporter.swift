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
  private let events: EventWriter

  /// With `showsEach`, every photo is printed on its own line.
  ///
  /// Reporters that share `events` number their JSON lines in one sequence.
  init(
    format: OutputFormatOption, progress: ProgressOption, isQuiet: Bool, showsEach: Bool,
    events: EventWriter = EventWriter(Message.result)
  ) {
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
    case .finished(let outcome): finished(outcome)
    case .warning(let text):
      if format == .text { interrupting { Message.say("warning: \(text)") } }
    }
    if format == .json { interrupting { events.note(event) } }
  }

  private func finished(_ outcome: AssetOutcome) {
    bar.withLock { $0?.advance() }
    let (done, total) = count.withLock { count in
      count.done += 1
      return count
    }
    if progress == .plain && outcome.reason == .rendered && !outcome.isDue {
      Message.say("\(done)/\(total) \(outcome.path.displayed)")
    }
    if format == .json { return }
    interrupting {
      for warning in outcome.warnings where !isQuiet {
        Message.say("warning: \(outcome.path.displayed): \(warning)")
      }
      if outcome.reason.outcome != .fine {
        Message.say(Self.line(outcome))
        if let hint = outcome.hint { Message.say("  hint: \(hint)") }
      } else if showsEach || outcome.isDue {
        if !isQuiet || outcome.isDue { Message.result(Self.line(outcome)) }
      }
    }
  }

  private static func line(_ outcome: AssetOutcome) -> String {
    let word = outcome.isDue ? "due" : outcome.reason.rawValue
    let lines = outcome.detail?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
    let first = lines.first.map { " (\($0))" } ?? ""
    return (["\(outcome.path.displayed): \(word)\(first)"] + lines.dropFirst().map { "  \($0)" })
      .joined(separator: "\n")
  }

  /// Prints the totals of the run.
  ///
  /// `error` is the error that ended a run that is not `isWhole`; the caller prints it.
  func finish(
    _ summary: RunSummary, _ code: PhotoBatch.ExitCode, error: (any UserError)? = nil,
    isWhole: Bool = true
  ) {
    bar.withLock { bar in
      bar?.clear()
      bar = nil
    }
    if format == .json {
      events.end(summary, code, error: error)
    } else if !isQuiet && isWhole {
      Message.result(summary.sentence)
    }
  }

  /// Clears the progress bar while other output is written.
  private func interrupting(_ body: () -> Void) {
    bar.withLock { bar in
      bar?.clear()
      body()
    }
  }
}
