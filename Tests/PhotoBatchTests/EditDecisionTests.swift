import PhotoLibrary
import Testing

@testable import PhotoBatch

/// SPEC section 4: the decision, row by row.
@Suite struct EditDecisionTests {
  typealias Base = Adjustment.Base
  typealias Entry = EditFacts.Entry

  static let below = Base.rendition(RecordedName(bytes: Array("below.jpg".utf8)), sha256: "b")
  static let top = Base.rendition(RecordedName(bytes: Array("top.jpg".utf8)), sha256: "t")
  static let main = Base.rendition(RecordedName(bytes: Array("main.jpg".utf8)), sha256: "m")
  static let old = Base.rendition(RecordedName(bytes: Array("old.jpg".utf8)), sha256: "o")

  static func ours(
    _ settings: String = "same", on base: Base = .original, current: Base? = top,
    _ renditions: EditFacts.Renditions = .present, overrides: Bool = false
  ) -> Entry {
    Entry(
      isHandled: true, settings: settings, base: base, hasOverrides: overrides, current: current,
      renditions: renditions)
  }

  static func other(
    on base: Base = .original, current: Base? = below, _ renditions: EditFacts.Renditions = .present
  ) -> Entry {
    Entry(
      isHandled: false, settings: "theirs", base: base, current: current, renditions: renditions)
  }

  static let foreign = Entry(
    isHandled: false, isForeign: true, settings: "", base: .original, current: nil,
    renditions: .present)

  static func facts(
    _ stack: [Entry], main: Base? = nil, variant: Bool = false, elsewhere: Bool = false,
    originalIsSame: Bool = true, _ previous: PreviousPolicy = .resume, overwrites: Bool = false,
    accepts: Bool = false
  ) -> EditFacts {
    EditFacts(
      stack: stack, isHandledElsewhere: elsewhere, settings: "same", mainCurrent: main,
      isVariant: variant, originalIsSame: originalIsSame,
      policy: .init(previous: previous, overwritesModified: overwrites, acceptsChanged: accepts))
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let facts: EditFacts
    /// The reason, or what is rendered from what.
    let expected: String

    init(_ name: String, _ facts: EditFacts, _ expected: String) {
      testDescription = name
      self.facts = facts
      self.expected = expected
    }
  }

  static func words(_ decision: EditDecision) -> String {
    switch decision {
    case .nothing(let reason, _): reason.rawValue
    case .render(let base, let effect, _): "\(name(effect)) from \(name(base))"
    }
  }

  private static func name(_ base: Base) -> String {
    if case .rendition(let file, _) = base { file.text } else { "original" }
  }

  private static func name(_ effect: EditDecision.Effect) -> String {
    switch effect {
    case .added: "added"
    case .resumed(let depth): "resumed \(depth)"
    case .replacedStack: "replaced"
    }
  }

  static let rows: [Row] = [
    // First adjustments.
    Row("empty main stack", facts([]), "added from original"),
    Row("empty variant", facts([], variant: true), "added from original"),
    Row(
      "empty variant of the current", facts([], main: main, variant: true), "added from main.jpg"),
    Row("empty, original changed", facts([], originalIsSame: false), "added from original"),
    Row("empty, replace", facts([], .replace), "added from original"),
    Row("empty, stack", facts([], .stack), "added from original"),
    Row("empty, skip", facts([], .skip), "added from original"),
    Row("empty, fail", facts([], .fail), "added from original"),
    Row("handled elsewhere", facts([], elsewhere: true), "other-variant"),
    Row("handled elsewhere, replace", facts([], elsewhere: true, .replace), "added from original"),
    Row(
      "other recipe's variant beside it", facts([ours()], variant: true, elsewhere: true),
      "up-to-date"),
    // Up to date.
    Row("same", facts([ours()]), "up-to-date"),
    Row("same under replace", facts([ours()], .replace), "up-to-date"),
    Row("same under stack", facts([ours()], .stack), "up-to-date"),
    Row("same under skip", facts([ours()], .skip), "up-to-date"),
    Row("same under fail", facts([ours()], .fail), "up-to-date"),
    Row("same with overrides", facts([ours(overrides: true)]), "up-to-date"),
    Row("same on top of another", facts([other(), ours(on: below)]), "up-to-date"),
    Row("same below another", facts([ours(), other(on: top, current: old)]), "up-to-date"),
    Row(
      "same between others", facts([other(), ours(on: below), other(on: top, current: old)]),
      "up-to-date"),
    Row(
      "same variant of the current", facts([ours(on: main)], main: main, variant: true),
      "up-to-date"),
    // Resumed.
    Row("changed settings", facts([ours("old")]), "resumed 0 from original"),
    Row(
      "changed settings, overrides", facts([ours("old", overrides: true)]),
      "resumed 0 from original"),
    Row(
      "changed settings on another", facts([other(), ours("old", on: below)]),
      "resumed 1 from below.jpg"),
    Row("missing rendition", facts([ours("same", .missing)]), "resumed 0 from original"),
    Row(
      "missing rendition, changed settings", facts([ours("old", .missing)]),
      "resumed 0 from original"),
    Row(
      "the current changed", facts([ours(on: old)], main: main, variant: true),
      "resumed 0 from main.jpg"),
    Row("the current came", facts([ours()], main: main, variant: true), "resumed 0 from main.jpg"),
    Row("the current went", facts([ours(on: main)], variant: true), "resumed 0 from original"),
    Row(
      "the base below changed", facts([other(current: main), ours(on: below)]),
      "resumed 1 from main.jpg"),
    Row("original changed", facts([ours()], originalIsSame: false), "resumed 0 from original"),
    // Stacked.
    Row("another's edit", facts([other()]), "added from below.jpg"),
    Row(
      "another's edit on another's", facts([other(), other(on: below, current: top)]),
      "added from top.jpg"),
    Row("a foreign sidecar alone", facts([foreign]), "added from original"),
    Row("another's edit, stack", facts([other()], .stack), "added from below.jpg"),
    Row("changed settings, stack", facts([ours("old")], .stack), "added from top.jpg"),
    Row("another's edit is gone", facts([other(.missing)]), "base-missing"),
    // Buried.
    Row("changed settings below another", facts([ours("old"), other(on: top)]), "buried"),
    Row(
      "missing rendition below another", facts([ours("same", .missing), other(on: top)]), "buried"),
    Row("changed settings below a foreign edit", facts([ours("old"), foreign]), "buried"),
    Row(
      "changed settings below another, replace", facts([ours("old"), other(on: top)], .replace),
      "replaced from original"),
    // Policies.
    Row("changed settings, skip", facts([ours("old")], .skip), "skipped"),
    Row("changed settings, fail", facts([ours("old")], .fail), "modified"),
    Row("another's edit, skip", facts([other()], .skip), "skipped"),
    Row("another's edit, fail", facts([other()], .fail), "modified"),
    Row("changed settings, replace", facts([ours("old")], .replace), "replaced from original"),
    Row("another's edit, replace", facts([other()], .replace), "replaced from original"),
    Row(
      "the current changed, replace", facts([ours(on: old)], main: main, variant: true, .replace),
      "replaced from main.jpg"),
    // What a person changed.
    Row("modified", facts([ours("same", .modified)]), "modified"),
    Row("modified, changed settings", facts([ours("old", .modified)]), "modified"),
    Row(
      "modified, overwrite", facts([ours("same", .modified)], overwrites: true),
      "resumed 0 from original"),
    Row("another's was modified", facts([other(.modified)]), "modified"),
    Row("modified below what is ours", facts([other(.modified), ours(on: below)]), "up-to-date"),
    Row(
      "original changed, overrides", facts([ours(overrides: true)], originalIsSame: false),
      "original-changed"),
    Row(
      "original changed, overrides, accepted",
      facts([ours(overrides: true)], originalIsSame: false, accepts: true),
      "resumed 0 from original"),
    Row(
      "original changed, foreign edit", facts([foreign], originalIsSame: false), "original-changed"),
    Row(
      "original changed, nothing of its own, skip", facts([ours()], originalIsSame: false, .skip),
      "skipped"),
  ]

  @Test(arguments: rows) func row(_ row: Row) {
    #expect(Self.words(EditDecision(row.facts)) == row.expected)
  }

  /// Every combination of stacks of up to three adjustments, policies and states: about 300,000.
  private static func everyCase(_ body: (EditFacts) -> Void) {
    var entries: [Entry] = []
    for isHandled in [false, true] {
      for isForeign in [false, true] where !(isHandled && isForeign) {
        for settings in ["same", "old"] {
          for base in [Base.original, main] {
            for hasOverrides in [false, true] {
              for renditions in [EditFacts.Renditions.present, .missing, .modified] {
                entries.append(
                  Entry(
                    isHandled: isHandled, isForeign: isForeign, settings: settings,
                    base: isForeign ? .original : base, hasOverrides: hasOverrides,
                    current: isForeign ? nil : top, renditions: renditions))
              }
            }
          }
        }
      }
    }
    let few = Array(Set(entries.enumerated().filter { $0.offset % 7 == 0 }.map(\.element)))
    var stacks: [[Entry]] = [[]] + entries.map { [$0] }
    stacks += entries.flatMap { entry in few.map { [entry, $0] } }
    stacks += few.flatMap { a in few.flatMap { b in few.map { [a, b, $0] } } }
    for stack in stacks {
      for previous in PreviousPolicy.allCases {
        for bits in 0..<32 {
          let isVariant = bits & 1 != 0
          body(
            facts(
              stack, main: isVariant && bits & 2 != 0 ? main : nil, variant: isVariant,
              elsewhere: bits & 4 != 0, originalIsSame: bits & 8 != 0, previous,
              overwrites: bits & 16 != 0, accepts: bits & 2 != 0))
        }
      }
    }
  }

  @Test func lawsHoldInEveryCase() {
    var count = 0
    var broken: [String: EditFacts] = [:]
    Self.everyCase { facts in
      count += 1
      let decision = EditDecision(facts)
      for law in Self.brokenLaws(facts, decision) { broken[law] = facts }
    }
    #expect(count > 100_000)
    #expect(broken.isEmpty, "\(broken)")
  }

  private static func brokenLaws(_ facts: EditFacts, _ decision: EditDecision) -> [String] {
    var broken: [String] = []
    func law(_ name: String, _ holds: Bool) { if !holds { broken.append(name) } }
    law("deciding twice is the same", EditDecision(facts) == decision)
    let handled = facts.stack.lastIndex(where: \.isHandled)
    switch decision {
    case .nothing(let reason, _):
      law("nothing to do is not called rendered", reason != .rendered)
      if reason == .upToDate {
        let entry = handled.map { facts.stack[$0] }
        law("up to date has the settings", entry?.settings == facts.settings)
        law("up to date has its renditions", entry?.renditions == .present)
      }
      if reason == .skipped { law("only skip skips", facts.policy.previous == .skip) }
      law(
        "an untouched photo is never refused but for another stack",
        !facts.stack.isEmpty || reason == .otherVariant)
    case .render(let base, let effect, _):
      if case .resumed(let depth) = effect {
        law("resumes what it handles", facts.stack[depth].isHandled)
        law("resumes the newest", depth == facts.stack.count - 1)
        law(
          "resuming keeps what a person changed",
          facts.stack[depth].renditions != .modified || facts.policy.overwritesModified)
      }
      if effect == .replacedStack { law("replaces when asked", facts.policy.previous == .replace) }
      if effect == .added, handled != nil {
        law("stands in a stack once", facts.policy.previous == .stack)
      }
      if facts.stack.isEmpty { law("a first edit is added", effect == .added) }
      law(
        "skip and fail leave edits alone",
        facts.stack.isEmpty || (facts.policy.previous != .skip && facts.policy.previous != .fail))
      let known = facts.stack.flatMap { [$0.base, $0.current ?? .original] }
      law(
        "starts from something recorded",
        base == .original || base == facts.mainCurrent || known.contains(base))
      if !facts.originalIsSame, facts.stack.contains(where: { $0.hasOverrides || $0.isForeign }) {
        law("personal edits wait for a person", facts.policy.acceptsChanged)
      }
    }
    return broken
  }

  /// What a rendering leaves behind is up to date: a run after a run does nothing.
  @Test func renderingOnceIsEnough() {
    var broken: EditFacts?
    Self.everyCase { facts in
      guard case .render(let base, let effect, _) = EditDecision(facts) else { return }
      var after = facts
      let made = Self.ours("same", on: base, current: Self.top)
      switch effect {
      case .added: after.stack.append(made)
      case .resumed(let depth): after.stack[depth] = made
      case .replacedStack: after.stack = [made]
      }
      after.originalIsSame = true
      // What lies below must be what it started from, as it is in a sidecar.
      guard after.stack.count == 1 || after.stack[after.stack.count - 2].current == base else {
        return
      }
      if Self.words(EditDecision(after)) != "up-to-date" { broken = facts }
    }
    #expect(broken == nil)
  }
}
