import PhotoLibrary
import Testing

@testable import PhotoBatch

/// The rules in `docs/editing.md` that decide whether a run renders a photo, and from which base.
@Suite struct EditDecisionTests {
  typealias Base = Adjustment.Base
  typealias Entry = EditFacts.Entry

  static let below = Base.rendition(RecordedName(bytes: Array("below.jpg".utf8)), sha256: "b")
  static let top = Base.rendition(RecordedName(bytes: Array("top.jpg".utf8)), sha256: "t")
  static let main = Base.rendition(RecordedName(bytes: Array("main.jpg".utf8)), sha256: "m")
  static let old = Base.rendition(RecordedName(bytes: Array("old.jpg".utf8)), sha256: "o")

  static func ours(
    _ settings: String = "same", on base: Base = .original, current: Base? = top,
    _ renditions: EditFacts.Renditions = .present, overrides: Bool = false, old: Bool = false
  ) -> Entry {
    Entry(
      isHandled: true, settings: settings, base: base, hasOverrides: overrides, current: current,
      renditions: renditions, olderRevision: old ? 0 : nil)
  }

  static func other(
    on base: Base = .original, current: Base? = below,
    _ renditions: EditFacts.Renditions = .present, obstacle: EditFacts.Obstacle? = nil
  ) -> Entry {
    Entry(
      isHandled: false, settings: "theirs", base: base, current: current, renditions: renditions,
      obstacle: obstacle)
  }

  static func foreign(
    _ current: Base?, _ renditions: EditFacts.Renditions = .present,
    file: ForeignFileState = .recorded
  ) -> Entry {
    Entry(
      isHandled: false, isForeign: true, settings: "", base: .original, current: current,
      renditions: renditions, file: file)
  }

  /// The adjustment after a change of the photo's own settings that no run has rendered.
  static func pending(_ entry: Entry) -> Entry {
    var entry = entry
    entry.isPending = true
    return entry
  }

  static let foreign = foreign(nil)
  static let gone = EditFacts.Obstacle(reason: .fileMissing, detail: "its watermark is gone")

  static func facts(
    _ stack: [Entry], main: Base? = nil, variant: Bool = false,
    elsewhere: EditFacts.Elsewhere? = nil, originalIsSame: Bool = true, found: [Base?] = [],
    reverted: Bool = false, _ previous: PreviousPolicy = .resume,
    onForeign: ForeignPolicy = .report, overwrites: Bool = false, accepts: Bool = false,
    redoes: Bool = false, refreshes: Bool = false
  ) -> EditFacts {
    var stack = stack
    if !originalIsSame { for index in stack.indices { stack[index].originalIsSame = false } }
    return EditFacts(
      stack: stack, elsewhere: elsewhere, settings: "same", mainCurrent: main,
      isVariant: variant, isReverted: reverted,
      newForeign: found.map { EditFacts.Foreign(current: $0) },
      policy: .init(
        previous: previous, foreign: onForeign, overwritesModified: overwrites,
        acceptsChanged: accepts, redoes: redoes, refreshes: refreshes))
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let facts: EditFacts
    /// The expected decision as text: the reason if nothing is rendered, or the rendered layers and
    /// their bases.
    let expected: String

    init(_ name: String, _ facts: EditFacts, _ expected: String) {
      testDescription = name
      self.facts = facts
      self.expected = expected
    }
  }

  /// The decision as text: the reason if nothing is rendered, otherwise the base of the recipe's
  /// adjustment and the treatment of the adjustments below and above it.
  static func words(_ facts: EditFacts, _ decision: EditDecision) -> String {
    switch decision {
    case .nothing(let reason, _): return reason.rawValue
    case .render(let edit):
      var below: [String] = []
      var above: [String] = []
      var start = edit.start
      var words = ""
      for layer in edit.layers {
        switch layer {
        case .kept(let depth):
          start = facts.stack[depth].current ?? .original
          below.append("\(depth)")
        case .replayed(let depth):
          if words.isEmpty {
            start = facts.stack[depth].current ?? .original
            below.append("\(depth)'")
          } else {
            above.append("\(depth)'")
          }
        case .foreign(let index):
          start = facts.newForeign[index].current ?? .original
          below.append("found \(index)")
        case .refreshed(let depth):
          start = facts.stack[depth].current ?? .original
          below.append("\(depth)*")
        case .recipe(let depth):
          words = "\(depth.map { "resumed \($0)" } ?? "added") from \(name(start))"
        }
      }
      if !below.isEmpty { words += " on \(below.joined(separator: " "))" }
      if !above.isEmpty { words += " below \(above.joined(separator: " "))" }
      return words + (edit.moves ? ", moved" : "")
    }
  }

  private static func name(_ base: Base) -> String {
    if case .rendition(let file, _) = base { file.text } else { "original" }
  }

  @Test(arguments: rows) func theDecisionForTheseFactsIsTheExpectedOne(_ row: Row) {
    #expect(Self.words(row.facts, EditDecision(row.facts)) == row.expected)
  }
}
