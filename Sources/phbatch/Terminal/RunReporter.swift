import ArgumentParser
import Foundation
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import Synchronization
import SystemPackage

enum OutputFormatOption: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

enum ProgressOption: String, ExpressibleByArgument, CaseIterable {
  case auto, bar, plain, none
}

/// Says what happens in a run: results on stdout, progress and messages on stderr.
final class RunReporter: Sendable {
  private let format: OutputFormatOption
  private let isQuiet: Bool
  private let showsEach: Bool
  private let progress: ProgressOption
  private let bar = Mutex<ProgressBar?>(nil)
  private let count = Mutex((done: 0, total: 0))

  /// With `showsEach` every photo gets a line, not only those that need one.
  init(
    format: OutputFormatOption, progress: ProgressOption, isQuiet: Bool, showsEach: Bool
  ) {
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
      if format == .json { emit(["event": .string("run-start"), "photos": .integer(photos)]) }
    case .started(let path):
      if format == .json { emit(["event": .string("asset-start")], path) }
    case .finished(let outcome): finished(outcome)
    case .warning(let text):
      if format == .json {
        emit(["event": .string("warning"), "message": .string(text)])
      } else {
        interrupting { Message.say("warning: \(text)") }
      }
    }
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
    if format == .json { return emit(outcome.event, outcome.path) }
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

  /// Says what the run came to.
  func finish(_ summary: RunSummary, _ code: PhotoBatch.ExitCode) {
    bar.withLock { bar in
      bar?.clear()
      bar = nil
    }
    if format == .json {
      var object = JSON.Object()
      object["event"] = .string("run-end")
      object["counts"] = .object(
        JSON.Object(
          Reason.allCases.compactMap { reason in
            summary.counts[reason].map { JSON.Object.Member(reason.rawValue, .integer($0)) }
          }))
      object["due"] = .integer(summary.due)
      object["renditions"] = .integer(summary.renditions)
      object["bytes"] = .integer(summary.bytes)
      object["exit"] = .integer(Int(code.rawValue))
      Message.result(JSON.object(object).compactText)
    } else if !isQuiet {
      Message.result(summary.sentence)
    }
  }

  private func emit(_ members: KeyValuePairs<String, JSON>, _ path: FilePath? = nil) {
    emit(JSON.object(members).object ?? JSON.Object(), path)
  }

  private func emit(_ json: JSON.Object, _ path: FilePath?) {
    var object = json
    if let path { object.add(path, as: "file") }
    Message.result(JSON.object(object).compactText)
  }

  /// Takes the progress bar off the line while something else is written.
  private func interrupting(_ body: () -> Void) {
    bar.withLock { bar in
      bar?.clear()
      body()
    }
  }
}

extension AssetOutcome {
  var event: JSON.Object {
    var object = JSON.Object()
    object["event"] = .string("asset-done")
    object["reason"] = .string(reason.rawValue)
    object["detail"] = detail.map(JSON.string)
    object["hint"] = hint.map(JSON.string)
    if isDue { object["due"] = .bool(true) }
    if !warnings.isEmpty { object["warnings"] = .array(warnings.map(JSON.string)) }
    object["renditions"] = .array(
      renditions.map { rendition in
        var entry = JSON.Object()
        entry["output"] = .string(rendition.output)
        entry.add(rendition.path, as: "file")
        entry["width"] = .integer(rendition.size.width)
        entry["height"] = .integer(rendition.size.height)
        entry["bytes"] = .integer(rendition.bytes)
        return .object(entry)
      })
    return object
  }
}

extension RunSummary {
  /// `3 rendered (6 renditions, 1.2 MB), 10 up-to-date`.
  var sentence: String {
    var parts = Reason.allCases.compactMap { reason -> String? in
      guard let count = counts[reason] else { return nil }
      let made = reason == .rendered && renditions > 0
      return "\(count) \(reason.rawValue)"
        + (made
          ? " (\(renditions) \(renditions == 1 ? "rendition" : "renditions"), \(Self.size(bytes)))"
          : "")
    }
    if due > 0 { parts.append("\(due) due") }
    return parts.isEmpty ? "no photos" : parts.joined(separator: ", ")
  }

  private static func size(_ bytes: Int) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB"]
    var value = Double(bytes)
    var unit = 0
    while value >= 1000 && unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    return unit == 0 ? "\(bytes) bytes" : String(format: "%.1f %@", value, units[unit])
  }
}
