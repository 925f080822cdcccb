import Notation
import PhotoBatch
import PhotoRecipes
import Synchronization
import SystemPackage
import Vips

/// Runs of the saved recipe.
extension Studio {
  /// Starts a run, and sends its progress to all pages.
  ///
  /// - Throws: `Refusal` if there are unsaved changes, or if a run is already in progress.
  func startRun() throws -> JSON {
    try session.checkMayWrite("nothing can be rendered")
    try session.checkOpen()
    if !session.unsaved.isEmpty {
      throw Refusal(409, "the edit is not saved", hint: "save it first")
    }
    switch try follow() {
    case .same: break
    case .taken:
      throw Refusal(
        409, "another program has changed the recipe's file; the page shows this version now",
        hint: "look at the photo, and run again")
    case .other(let refusal): throw refusal
    }
    let batch = try savedBatch()
    guard run.begin(batch) else {
      throw Refusal(409, "a run is in progress", hint: "wait for its end, or stop it")
    }
    let progress = RunProgress { [weak self] in self?.tell(.object(["run": $0])) }
    BlockingThread.start { [self] in
      var end = JSON.Object()
      do {
        let (states, changes) = (states, states.changes)
        _ = try waiting {
          try await batch.run { event in
            if case .finished(let outcome) = event { states.run(outcome, after: changes) }
            progress.note(event)
          }
        }
      } catch is CancellationError {
        end["stopped"] = .bool(true)
      } catch {
        let stated = PageError(error)
        end["problem"] = .string(stated.message)
        end["hint"] = .string(stated.hint)
      }
      run.end()
      do { try session.reload() } catch {
        let unread = Refusal(unread: error)
        let problems = [end["problem"]?.string, unread.message]
        end["problem"] = .string(problems.compactMap(\.self).joined(separator: "; "))
        if end["hint"] == nil { end["hint"] = .string(unread.hint) }
      }
      thumbnails.forgetAll()
      tell(.object(["changed": editState]))
      progress.end(end)
    }
    return .object(["started": .bool(true)])
  }

  /// Takes over a recipe that another program has changed, and tells all pages.
  func follow() throws(Refusal) -> StudioSession.RecipeOnDisk {
    let found = try session.follow()
    if case .taken = found { renew() }
    return found
  }

  /// Takes over the settings of a photo that another program has changed, and tells all pages.
  ///
  /// - Returns: True if the photo has other settings now.
  func follow(photo: Int) throws(Refusal) -> Bool {
    // The end of a run reads all sidecars.
    if run.isRunning { return false }
    let isChanged = try session.follow(photo: photo)
    if isChanged { renew() }
    return isChanged
  }

  /// Forgets what depends on the edit, after another program has changed it, and tells all pages.
  private func renew() {
    checking.stop()
    thumbnails.forgetAll()
    states.forget()
    tell(.object(["changed": editState]))
  }

  func savedBatch() throws -> Batch {
    try Batch(
      recipe: session.options.recipe, library: session.options.library,
      options: session.options.batch)
  }
}

/// Counts the photos of a run, and reports the counts to all pages about ten times a second.
private final class RunProgress: Sendable {
  private struct Counts {
    var (total, done, rendered) = (0, 0, 0)
    var failures = ListedProblems()
    var warnings = ListedProblems(of: "warning")
    var told = ContinuousClock.now
  }

  private static let interval = Duration.milliseconds(100)

  private let counts = Mutex(Counts())
  private let tell: @Sendable (JSON) -> Void

  init(_ tell: @escaping @Sendable (JSON) -> Void) { self.tell = tell }

  func note(_ event: RunEvent) {
    let message = counts.withLock { counts -> JSON? in
      switch event {
      case .began(let photos): counts.total = photos
      case .finished(let outcome):
        counts.done += 1
        for warning in outcome.warnings {
          counts.warnings.add("\(outcome.path.string): \(warning)")
        }
        if outcome.reason.outcome > .due {
          counts.failures.add(outcome)
        } else if !outcome.renditions.isEmpty {
          counts.rendered += 1
        }
      case .warning(let text):
        counts.warnings.add(text)
        return nil
      case .started, .rendering, .undoable: return nil
      }
      if counts.told.duration(to: .now) < Self.interval && counts.done > 1 { return nil }
      counts.told = .now
      return Self.json(counts)
    }
    if let message { tell(message) }
  }

  func end(_ facts: JSON.Object) {
    var object = counts.withLock { Self.json($0) }.object ?? JSON.Object()
    for member in facts.members { object[member.key] = member.value }
    object["ended"] = .bool(true)
    tell(.object(object))
  }

  private static func json(_ counts: Counts) -> JSON {
    .object([
      "total": .integer(counts.total), "done": .integer(counts.done),
      "rendered": .integer(counts.rendered),
      "failed": .integer(counts.failures.count),
      "failures": .array(counts.failures.lines.map(JSON.string)),
      "warned": .integer(counts.warnings.count),
      "warnings": .array(counts.warnings.lines.map(JSON.string)),
    ])
  }
}
