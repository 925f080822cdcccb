public import Notation
public import PhotoBatch
import PhotoRecipes
import Synchronization
import SystemPackage

/// Writes the events of a command as JSON, one object per line, in the form that `EventSchema`
/// describes.
///
/// Several threads may share a writer; it numbers the lines in the order of the calls.
public final class EventWriter: Sendable {
  private let number = Mutex(0)
  private let write: @Sendable (String) -> Void

  /// The version of the JSON form of the events.
  ///
  /// A higher major version may break programs that read the events.
  public static let version = "1.0"

  /// Creates a writer that calls `write` with each line, without a line feed.
  public init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

  public func note(_ event: RunEvent) {
    switch event {
    case .began(let photos):
      emit("run-start", ["photos": .integer(photos), "version": .string(Self.version)])
    case .started(let path): emit("asset-start", JSON.Object(file: path))
    case .rendering(let path, let frames, let all):
      var object = JSON.Object(file: path)
      (object["frames"], object["of"]) = (.integer(frames), .integer(all))
      emit("asset-progress", object)
    case .undoable(let step):
      var object = JSON.Object()
      object["step"] = .integer(step.number)
      object["command"] = step.command.map(JSON.string)
      object["changes"] = .integer(step.changes)
      emit("undo-step", object)
    case .warning(let text): emit("warning", ["message": .string(text)])
    case .finished(let outcome):
      if outcome.reason.outcome == .needsPerson { emit("conflict", outcome.conflict) }
      emit("asset-done", outcome.json)
    }
  }

  /// Writes those events of a watch that do not belong to one of its runs; other events are
  /// ignored.
  public func note(_ event: WatchEvent) {
    switch event {
    case .reloaded: emit("recipe-reloaded", JSON.Object())
    case .away(let reason): emit("library-away", ["message": .string(reason)])
    case .back: emit("library-back", JSON.Object())
    case .warning(let text, let hint):
      var object = JSON.Object()
      object["message"] = .string(text)
      object["hint"] = hint.isEmpty ? nil : .string(hint)
      emit("warning", object)
    case .ready, .run, .finished, .status, .pulse: break
    }
  }

  /// Writes the events of `verify`: its findings, then the totals.
  public func note(_ verification: Verification) {
    for finding in verification.findings {
      var object = JSON.Object(file: finding.path)
      object["kind"] = .string(finding.kind.rawValue)
      object["detail"] = finding.detail.map(JSON.string)
      emit("finding", object)
    }
    emit(
      "verify-end",
      [
        "sidecars": .integer(verification.sidecars), "originals": .integer(verification.originals),
        "renditions": .integer(verification.renditions), "bytes": .integer(verification.bytes),
        "findings": .integer(verification.findings.count),
        "exit": .integer(Int(verification.exitCode.rawValue)),
      ])
  }

  /// Writes the last event of a run; `error` is the error that ended the run early, nil if it
  /// completed.
  public func end(_ summary: RunSummary, _ code: ExitCode, error: (any UserError)? = nil) {
    var object = summary.json
    object["exit"] = .integer(Int(code.rawValue))
    object["error"] = error.map(\.json)
    emit("run-end", object)
  }

  private func emit(_ name: String, _ members: KeyValuePairs<String, JSON>) {
    emit(name, JSON.object(members).object ?? JSON.Object())
  }

  private func emit(_ name: String, _ members: JSON.Object) {
    var object = members
    object["event"] = .string(name)
    object["time"] = .string(SourceDate.text)
    number.withLock { number in
      number += 1
      object["seq"] = .integer(number)
      write(JSON.object(object).compactText)
    }
  }
}

extension JSON.Object {
  fileprivate init(file: FilePath) {
    self.init()
    add(file, as: "file")
  }
}

extension UserError {
  /// The error's message and hint, as an object of an event or a report.
  var json: JSON { .object(["message": .string(message), "hint": .string(hint)]) }
}

extension AssetOutcome {
  /// The photo's outcome, as an object of an event or a report.
  var json: JSON.Object {
    var object = conflict
    if isDue { object["due"] = .bool(true) }
    if !warnings.isEmpty { object["warnings"] = .array(warnings.map(JSON.string)) }
    if isDue || reason == .rendered {
      for member in plan?.members.members ?? [] { object[member.key] = member.value }
    }
    object["originalBytes"] = originalBytes.map(JSON.integer)
    object["renditions"] = .array(renditions.map { .object($0.json) })
    return object
  }

  /// The part of the outcome that has the photo's path and reason, without its renditions.
  fileprivate var conflict: JSON.Object {
    var object = JSON.Object(file: path)
    object["reason"] = .string(isDue ? SchemaPart.due : reason.rawValue)
    object["detail"] = detail.map(JSON.string)
    object["hint"] = hint.map(JSON.string)
    return object
  }
}

extension AssetOutcome.Rendition {
  fileprivate var json: JSON.Object {
    var object = JSON.Object(file: path)
    object["output"] = .string(output)
    object["width"] = .integer(size.width)
    object["height"] = .integer(size.height)
    object["bytes"] = .integer(bytes)
    object["quality"] = quality.map(JSON.integer)
    object["clipped"] = clipped.map { .number(($0 * 10_000).rounded() / 10_000) }
    if isOriginal { object["copied"] = .bool(true) }
    return object
  }
}

extension RunSummary {
  /// The totals of a run, as an object of an event or a report.
  var json: JSON.Object {
    var object = JSON.Object()
    object["counts"] = .object(
      JSON.Object(
        Reason.allCases.compactMap { reason in
          counts[reason].map { JSON.Object.Member(reason.rawValue, .integer($0)) }
        }))
    object["due"] = .integer(due)
    object["renditions"] = .integer(renditions)
    object["bytes"] = .integer(bytes)
    return object
  }
}
