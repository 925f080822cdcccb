public import Notation
import PhotoLibrary
import PhotoRecipes
import Synchronization
import SystemPackage

extension PhotoStatus {
  /// One line for the photo and one for each adjustment; with `why`, also one for each adjustment
  /// that an older rendering revision made, and one for each stale rendition with its reasons.
  public func text(why: Bool = false) -> String {
    var lines = [path.displayed]
    if let problem { lines[0] += ": \(problem.reason.rawValue): \(problem.detail)" }
    if stacks.isEmpty && problem == nil { lines[0] += ": no edits" }
    for stack in stacks {
      for (depth, adjustment) in stack.adjustments.enumerated() {
        let place = stack.variant.map { "variant \($0)" } ?? "main"
        let files = adjustment.renditions.map(\.displayed).joined(separator: ", ")
        lines.append(
          "  \(place)[\(depth)] \(adjustment.name), \(adjustment.summary)"
            + (files.isEmpty ? "" : ": \(files)"))
        if why, let fact = adjustment.olderRendering { lines.append("    \(fact)") }
      }
      if let plan = stack.plan {
        lines += ["    plan: \(plan.action.word)"] + plan.lines.map { "      \($0)" }
      }
      lines.append("    possible: \(stack.operations.summary)")
    }
    if let decision {
      let word = decision.isDue ? "would be rendered" : decision.reason.rawValue
      lines.append("  recipe: \(word)\(decision.detail.map { " (\($0))" } ?? "")")
      if why, let plan = decision.plan {
        lines += ["    plan: \(plan.action.word)"] + plan.lines.map { "      \($0)" }
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The status as a JSON object; with `why`, its member `plan` contains the plan of a run and the
  /// reasons, and an edit that an older rendering revision made has a member `olderRevision`.
  public func json(why: Bool = false) -> JSON {
    var object = JSON.Object(photo: path, problem: problem?.reason)
    object["stacks"] = .array(
      stacks.map { stack in
        var entry = JSON.Object(
          stack: stack.variant, edits: stack.adjustments.map { $0.json(why: why) })
        var operations = JSON.Object()
        for operation in stack.operations {
          operations[operation.name.rawValue] = operation.obstacle.map(JSON.string) ?? .bool(true)
        }
        entry["operations"] = .object(operations)
        entry["plan"] = (stack.plan?.members).map(JSON.object)
        return .object(entry)
      })
    if let decision {
      object["recipe"] = .string(decision.isDue ? "due" : decision.reason.rawValue)
      if why { object["plan"] = (decision.plan?.members).map(JSON.object) }
    }
    return .object(object)
  }
}

extension [StackOperation] {
  /// The possible operations, then the impossible operations with the reason.
  ///
  /// Examples: `resume, revert, not replace or stack (its edit is up to date)`, and without a recipe
  /// `revert; resume, replace and stack: name a recipe with --recipe`.
  fileprivate var summary: String {
    let possible = filter { $0.obstacle == nil }.map(\.name.rawValue)
    var obstacles: [(names: [String], obstacle: String)] = []
    for operation in self {
      guard let obstacle = operation.obstacle else { continue }
      if let index = obstacles.firstIndex(where: { $0.obstacle == obstacle }) {
        obstacles[index].names.append(operation.name.rawValue)
      } else {
        obstacles.append(([operation.name.rawValue], obstacle))
      }
    }
    var open: [String] = []
    if let index = obstacles.firstIndex(where: { $0.obstacle == StackOperation.needsRecipe }) {
      let (names, obstacle) = obstacles.remove(at: index)
      open = ["\(Self.list(names, "and")): \(obstacle)"]
    }
    let impossible = obstacles.map { "not \(Self.list($0.names, "or")) (\($0.obstacle))" }
    return ([(possible + impossible).joined(separator: ", ")] + open).joined(separator: "; ")
  }
}

extension [StackOperation] {
  private static func list(_ names: [String], _ word: String) -> String {
    (names.dropLast(2) + [names.suffix(2).joined(separator: " \(word) ")]).joined(separator: ", ")
  }
}

extension AdjustmentStatus {
  /// The name and version of the edit; other programs' edits may have no version.
  fileprivate var name: String { version.isEmpty ? identifier : "\(identifier) \(version)" }

  fileprivate var summary: String {
    switch foreign {
    case ForeignRecord.adopted?: return "changed by hand and adopted"
    case let kind?: return "by another program (\(kind))\(foreignState)"
    case nil where renditions.isEmpty && isNew: return "not rendered yet"
    case nil where renditions.isEmpty: return "not rendered, or its renditions were changed by hand"
    case nil: break
    }
    return switch state {
    case .upToDate: "as written"
    case .fileMissing: "a rendition is missing"
    case .superseded: "a rendition is not the recorded one, but phbatch wrote it"
    default: "a rendition was changed by hand"
    }
  }

  private var foreignState: String {
    if isFound { return ", not recorded by a run yet" }
    return switch file {
    case .recorded: ""
    case .changed: ", changed since the last run"
    case .gone: ", missing since the last run"
    }
  }

  /// The edit's state in one word, for the JSON output.
  private var word: String {
    if isFound { return "found" }
    if file == .changed { return "modified" }
    return switch state {
    case .modified: "modified"
    case .superseded: "superseded"
    case .upToDate: "present"
    default: "missing"
    }
  }

  /// A sentence about the older rendering revision; nil if the current one made the renditions.
  ///
  /// It is a fact, not a reason: only `--refresh` renders such renditions again.
  fileprivate var olderRendering: String? {
    olderRevision.map { revision in
      "\(Staleness.revision(was: revision, is: Engine.revision)); run --refresh renders it again"
    }
  }

  fileprivate func json(why: Bool) -> JSON {
    var object = JSON.Object(edit: identifier, version: version, date: date)
    object["foreign"] = foreign.map(JSON.string)
    if isFound { object["date"] = nil }
    object["state"] = .string(word)
    object["renditions"] = .array(renditions.map { .string($0.text) })
    if why { object["olderRevision"] = olderRevision.map(JSON.integer) }
    return .object(object)
  }
}

/// Collects the outcomes of photos from the events of a run.
final class Outcomes: Sendable {
  private let found = Mutex<[FilePath: AssetOutcome]>([:])

  var all: [FilePath: AssetOutcome] { found.withLock { $0 } }

  @Sendable func add(_ event: RunEvent) {
    if case .finished(let outcome) = event { found.withLock { $0[outcome.path] = outcome } }
  }
}

extension [PhotoStatus] {
  /// The number of photos in each state: `3 photos: 1 due, 2 up-to-date`.
  ///
  /// With a recipe, the states are the planned outcomes; otherwise the worst state of the photo's
  /// edits.
  public var totals: String {
    var counts: [String: Int] = [:]
    for photo in self { counts[photo.state, default: 0] += 1 }
    let parts = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let photos = self.count { $0.problem?.reason.isOfPresentPhoto ?? true }
    return "\(photos) \(photos == 1 ? "photo" : "photos"): "
      + parts.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }
}

extension PhotoStatus {
  fileprivate var state: String {
    if let decision { return decision.isDue ? "due" : decision.reason.rawValue }
    if let problem { return problem.reason.rawValue }
    let states = stacks.flatMap(\.adjustments).map(\.state)
    if states.isEmpty { return "without edits" }
    if states.contains(.modified) { return "changed by hand" }
    if states.contains(.fileMissing) { return "with missing renditions" }
    if states.contains(.superseded) { return "with superseded renditions" }
    return states.first { $0 != .upToDate }?.rawValue ?? "as written"
  }
}
