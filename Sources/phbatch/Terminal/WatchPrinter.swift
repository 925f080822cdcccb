import ArgumentParser
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import PhotoReports
import Synchronization

/// Whether a watch shows its status in one line.
enum StatusLineOption: String, ExpressibleByArgument, CaseIterable {
  case auto, bar, none
}

/// Prints the events of a watch: photos on stdout, messages and, on a terminal, a status line on
/// stderr.
///
/// Also reports the status to systemd.
final class WatchPrinter: Sendable {
  private struct State {
    var round: RunReporter?
    var rendered = 0
    var line: String?
  }

  private let format: OutputFormatOption
  private let isQuiet: Bool
  private let hasLine: Bool
  private let service: ServiceManager
  private let events = EventWriter(Message.result)
  private let state = Mutex(State())

  init(
    format: OutputFormatOption, progress: StatusLineOption, isQuiet: Bool, service: ServiceManager
  ) {
    self.format = format
    self.isQuiet = isQuiet
    self.service = service
    hasLine =
      progress == .bar
      || (progress == .auto && ProgressBar.isPossible && !isQuiet && format == .text)
  }

  func report(_ event: WatchEvent) {
    if case .pulse = event { return service.say("WATCHDOG=1") }
    state.withLock { state in
      clear(state)
      tell(event, &state)
      draw(state)
    }
  }

  private func tell(_ event: WatchEvent, _ state: inout State) {
    switch event {
    case .ready: service.say("READY=1")
    case .run(let event):
      if case .finished(let outcome) = event, outcome.reason == .rendered { state.rendered += 1 }
      if state.round == nil {
        state.round = RunReporter(
          format: format, progress: .none, isQuiet: isQuiet, showsEach: true, events: events)
      }
      state.round?.report(event)
    case .finished(let summary):
      if format == .json { state.round?.finish(summary, summary.exitCode(reportsDue: false)) }
      state.round = nil
    case .reloaded: say("the recipe was read again", event)
    case .warning(let text, let hint):
      warn(text, event)
      if format == .text && !hint.isEmpty { Message.say("  hint: \(hint)") }
    case .away(let reason): warn("\(reason): waiting until it is available again", event)
    case .back: say("the library is available again", event)
    case .status(let status): show(status, &state)
    case .pulse: break
    }
  }

  private func warn(_ text: String, _ event: WatchEvent) {
    if format == .json { events.note(event) } else { Message.say("warning: \(text)") }
  }

  private func say(_ text: String, _ event: WatchEvent) {
    if format == .json {
      events.note(event)
    } else if !isQuiet {
      Message.say(text)
    }
  }

  private func show(_ status: WatchStatus, _ state: inout State) {
    var parts = ["\(status.folders) folders"]
    if status.polled > 0 { parts.append("\(status.polled) of them polled") }
    if status.waiting > 0 { parts.append("\(status.waiting) files still changing") }
    if status.isRendering { parts.append("rendering") }
    if status.isAway { parts.append("library unavailable") }
    parts.append("\(state.rendered) rendered")
    state.line = "watching: " + parts.joined(separator: ", ")
    service.say("STATUS=\(parts.joined(separator: ", "))")
  }

  private func clear(_ state: State) {
    if hasLine && state.line != nil { Message.draw("\r\u{1B}[K") }
  }

  private func draw(_ state: State) {
    if hasLine, let line = state.line { Message.draw(line) }
  }
}
