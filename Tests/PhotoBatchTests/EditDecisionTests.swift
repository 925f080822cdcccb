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
    _ renditions: EditFacts.Renditions = .present, overrides: Bool = false, old: Bool = false
  ) -> Entry {
    Entry(
      isHandled: true, settings: settings, base: base, hasOverrides: overrides, current: current,
      renditions: renditions, isOld: old)
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
    _ current: Base?, _ renditions: EditFacts.Renditions = .present
  ) -> Entry {
    Entry(
      isHandled: false, isForeign: true, settings: "", base: .original, current: current,
      renditions: renditions)
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
    /// The reason, or what is rendered from what.
    let expected: String

    init(_ name: String, _ facts: EditFacts, _ expected: String) {
      testDescription = name
      self.facts = facts
      self.expected = expected
    }
  }

  /// The reason; or what the recipe starts from, and what happens to the adjustments around it.
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

  static let rows: [Row] = [
    // First adjustments.
    Row("empty main stack", facts([]), "added from original"),
    Row("empty variant", facts([], variant: true), "added from original"),
    Row(
      "empty variant of the current", facts([], main: main, variant: true), "added from main.jpg"),
    Row("empty, replace", facts([], .replace), "added from original"),
    Row("empty, stack", facts([], .stack), "added from original"),
    Row("empty, skip", facts([], .skip), "added from original"),
    Row("empty, fail", facts([], .fail), "added from original"),
    Row("handled elsewhere", facts([], elsewhere: .newest), "other-variant"),
    Row(
      "handled elsewhere, replace", facts([], elsewhere: .newest, .replace),
      "added from original, moved"),
    Row(
      "handled elsewhere below others, replace", facts([], elsewhere: .belowOthers, .replace),
      "other-variant"),
    Row(
      "handled elsewhere, another's edit here", facts([other()], elsewhere: .newest),
      "other-variant"),
    Row(
      "in this stack and elsewhere", facts([ours()], variant: true, elsewhere: .newest),
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
      "same below another whose rendition is gone",
      facts([ours(), other(on: top, current: old, .missing)]), "up-to-date"),
    Row(
      "same between others", facts([other(), ours(on: below), other(on: top, current: old)]),
      "up-to-date"),
    Row(
      "same variant of the current", facts([ours(on: main)], main: main, variant: true),
      "up-to-date"),
    Row("same on a foreign edit", facts([foreign(below), ours(on: below)]), "up-to-date"),
    Row("same below a foreign edit", facts([ours(), foreign(below)]), "up-to-date"),
    Row("same by an older revision", facts([ours(old: true)]), "up-to-date"),
    Row(
      "same by an older revision, refresh", facts([ours(old: true)], refreshes: true),
      "resumed 0 from original"),
    Row("same, refresh", facts([ours()], refreshes: true), "up-to-date"),
    // Reverted.
    Row("reverted", facts([], reverted: true), "reverted"),
    Row("reverted, another's edit left", facts([other()], reverted: true), "reverted"),
    Row("reverted, redo", facts([], reverted: true, redoes: true), "added from original"),
    Row("reverted, replace", facts([], reverted: true, .replace), "reverted"),
    Row("reverted once, made again since", facts([ours()], reverted: true), "up-to-date"),
    // Resumed.
    Row("changed settings", facts([ours("old")]), "resumed 0 from original"),
    Row(
      "changed settings, overrides", facts([ours("old", overrides: true)]),
      "resumed 0 from original"),
    Row(
      "changed settings on another", facts([other(), ours("old", on: below)]),
      "resumed 1 from below.jpg on 0"),
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
      "resumed 1 from main.jpg on 0"),
    Row(
      "changed settings on a foreign edit", facts([foreign(below), ours("old", on: below)]),
      "resumed 1 from below.jpg on 0"),
    Row("original changed", facts([ours()], originalIsSame: false), "resumed 0 from original"),
    Row(
      "original changed below another's edit",
      facts([other(), ours(on: below)], originalIsSame: false), "resumed 1 from below.jpg on 0'"),
    // In place, with a replay of what stands on it.
    Row(
      "changed settings below another", facts([ours("old"), other(on: top)]),
      "resumed 0 from original below 1'"),
    Row(
      "changed settings below two", facts([ours("old"), other(on: top), other(on: below)]),
      "resumed 0 from original below 1' 2'"),
    Row(
      "changed settings between", facts([other(), ours("old", on: below), other(on: top)]),
      "resumed 1 from below.jpg on 0 below 2'"),
    Row(
      "missing rendition below another", facts([ours("same", .missing), other(on: top)]),
      "resumed 0 from original below 1'"),
    Row(
      "what stands on it cannot be replayed", facts([ours("old"), other(on: top, obstacle: gone)]),
      "file-missing"),
    Row(
      "what stands on it was modified", facts([ours("old"), other(on: top, .modified)]),
      "modified"),
    Row(
      "what stands on it was modified, overwrite",
      facts([ours("old"), other(on: top, .modified)], overwrites: true),
      "resumed 0 from original below 1'"),
    Row(
      "what stands on it is gone", facts([ours("old"), other(on: top, .missing)]),
      "resumed 0 from original below 1'"),
    Row(
      "original changed below another", facts([ours(), other(on: top)], originalIsSame: false),
      "resumed 0 from original below 1'"),
    Row(
      "twice in a stack: the newer", facts([ours("old"), ours("old", on: top)]),
      "resumed 1 from top.jpg on 0"),
    // Stacked.
    Row("another's edit", facts([other()]), "added from below.jpg on 0"),
    Row(
      "another's edit on another's", facts([other(), other(on: below, current: top)]),
      "added from top.jpg on 0 1"),
    Row("a foreign sidecar alone", facts([foreign]), "added from original on 0"),
    Row("a foreign edit with an image", facts([foreign(below)]), "added from below.jpg on 0"),
    Row("another's edit, stack", facts([other()], .stack), "added from below.jpg on 0"),
    Row("changed settings, stack", facts([ours("old")], .stack), "added from top.jpg on 0"),
    Row(
      "changed settings below another, stack", facts([ours("old"), other(on: top)], .stack),
      "added from below.jpg on 0 1"),
    Row("another's edit is gone", facts([other(.missing)]), "added from below.jpg on 0'"),
    Row(
      "two others' edits are gone",
      facts([other(.missing), other(on: below, current: top, .missing)]),
      "added from top.jpg on 0' 1'"),
    Row(
      "another's edit is gone and cannot be made", facts([other(.missing, obstacle: gone)]),
      "base-missing"),
    Row("a foreign image is gone", facts([foreign(below, .missing)]), "base-missing"),
    Row(
      "changed settings, the foreign image is gone",
      facts([foreign(below, .missing), ours("old", on: below)]), "base-missing"),
    Row(
      "another's was modified, overwrite", facts([other(.modified)], overwrites: true),
      "added from below.jpg on 0'"),
    // Buried.
    Row("changed settings below a foreign edit", facts([ours("old"), foreign]), "buried"),
    Row(
      "missing rendition below a foreign edit", facts([ours("same", .missing), foreign(below)]),
      "buried"),
    Row(
      "changed settings below another and a foreign edit",
      facts([ours("old"), other(on: top), foreign(main)]), "buried"),
    Row(
      "changed settings below another, replace", facts([ours("old"), other(on: top)], .replace),
      "added from original"),
    // Other programs.
    Row("found first", facts([], found: [below]), "added from below.jpg on found 0"),
    Row("found first, without an image", facts([], found: [nil]), "added from original on found 0"),
    Row(
      "two found first", facts([], found: [nil, below]), "added from below.jpg on found 0 found 1"),
    Row("found later", facts([ours()], found: [below]), "foreign-newer"),
    Row("found later, ignored", facts([ours()], found: [below], onForeign: .ignore), "up-to-date"),
    Row(
      "found later, changed settings", facts([ours("old")], found: [below]),
      "resumed 0 from original"),
    Row(
      "found later, stack", facts([ours()], found: [below], onForeign: .stack),
      "added from below.jpg on 0 found 0"),
    Row(
      "found later, replace", facts([ours()], found: [below], onForeign: .replace),
      "added from below.jpg on found 0"),
    Row(
      "replace keeps what another program made", facts([foreign(below), ours("old")], .replace),
      "added from below.jpg on 0"),
    Row(
      "the foreign image changed", facts([foreign(below, .modified), ours(on: below)]),
      "original-changed"),
    Row(
      "the foreign image changed, accepted",
      facts([foreign(below, .modified), ours(on: below)], accepts: true),
      "resumed 1 from below.jpg on 0*"),
    // Policies.
    Row("changed settings, skip", facts([ours("old")], .skip), "skipped"),
    Row("changed settings, fail", facts([ours("old")], .fail), "modified"),
    Row("another's edit, skip", facts([other()], .skip), "skipped"),
    Row("another's edit, fail", facts([other()], .fail), "modified"),
    Row("changed settings, replace", facts([ours("old")], .replace), "added from original"),
    Row("another's edit, replace", facts([other()], .replace), "added from original"),
    Row(
      "the current changed, replace", facts([ours(on: old)], main: main, variant: true, .replace),
      "added from main.jpg"),
    // What a person changed.
    Row("modified", facts([ours("same", .modified)]), "modified"),
    Row("modified, changed settings", facts([ours("old", .modified)]), "modified"),
    Row(
      "modified, overwrite", facts([ours("same", .modified)], overwrites: true),
      "resumed 0 from original"),
    Row("another's was modified", facts([other(.modified)]), "modified"),
    Row("modified below what is ours", facts([other(.modified), ours(on: below)]), "up-to-date"),
    Row(
      "modified below what is ours, changed settings",
      facts([other(.modified), ours("old", on: below)]), "modified"),
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
    #expect(Self.words(row.facts, EditDecision(row.facts)) == row.expected)
  }

  /// Every combination of stacks of up to three adjustments, policies and states, thinned out for
  /// the larger stacks: some 300,000.
  private static func everyCase(_ body: (EditFacts) -> Void) {
    var entries: [Entry] = [foreign, foreign(below), foreign(below, .missing)]
    entries.append(foreign(below, .modified))
    for isHandled in [false, true] {
      for settings in ["same", "old"] {
        for base in [Base.original, main] {
          for bits in 0..<8 {
            for renditions in [EditFacts.Renditions.present, .missing, .modified] {
              var entry = Entry(
                isHandled: isHandled, settings: settings, base: base,
                hasOverrides: bits & 1 != 0, current: top, renditions: renditions)
              entry.originalIsSame = bits & 2 == 0
              entry.obstacle = bits & 4 != 0 && !isHandled ? gone : nil
              entries.append(entry)
            }
          }
        }
      }
    }
    let few = entries.enumerated().filter { $0.offset % 11 < 2 }.map(\.element)
    var stacks: [[Entry]] = [[]] + entries.map { [$0] }
    stacks += entries.flatMap { entry in few.map { [entry, $0] } }
    stacks += few.flatMap { a in few.flatMap { b in few.map { [a, b, $0] } } }
    for (number, stack) in stacks.enumerated() {
      for previous in PreviousPolicy.allCases {
        for bits in 0..<64 where stack.count < 3 || (bits + number) % 16 == 0 {
          let isVariant = bits & 1 != 0
          let foreign = ForeignPolicy.allCases[(bits + number) % 4]
          body(
            facts(
              stack, main: isVariant && bits & 2 != 0 ? main : nil, variant: isVariant,
              elsewhere: bits & 4 != 0 ? .newest : nil, found: bits & 8 != 0 ? [below] : [],
              reverted: bits & 32 != 0, previous, onForeign: foreign, overwrites: bits & 16 != 0,
              accepts: bits & 2 != 0))
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
        law("up to date knows the original", entry?.originalIsSame == true)
      }
      if reason == .skipped { law("only skip skips", facts.policy.previous == .skip) }
      if reason == .reverted { law("only a note keeps it reverted", facts.isReverted) }
      law(
        "an untouched photo is never refused but for another stack or a reversion",
        !facts.stack.isEmpty || reason == .otherVariant || reason == .reverted)
    case .render(let edit): broken += brokenLaws(facts, edit, handled)
    }
    return broken
  }

  private static func brokenLaws(_ facts: EditFacts, _ edit: Edit, _ handled: Int?) -> [String] {
    var broken: [String] = []
    func law(_ name: String, _ holds: Bool) { if !holds { broken.append(name) } }
    let recipes = edit.layers.compactMap { layer -> Int?? in
      if case .recipe(let depth) = layer { .some(depth) } else { nil }
    }
    law("the recipe is made once", recipes.count == 1)
    if let depth = recipes.first ?? nil {
      law("resumes what it handles", facts.stack[depth].isHandled)
    }
    let depths = edit.layers.compactMap { layer -> Int? in
      switch layer {
      case .kept(let depth), .replayed(let depth), .refreshed(let depth): depth
      case .recipe(let depth): depth
      case .foreign: nil
      }
    }
    law("adjustments keep their order", depths == depths.sorted())
    law("no adjustment stands twice", Set(depths).count == depths.count)
    let dropped = Set(facts.stack.indices).subtracting(depths)
    law(
      "edits are dropped only when asked",
      dropped.isEmpty || facts.policy.previous == .replace || facts.policy.foreign == .replace)
    for layer in edit.layers {
      switch layer {
      case .replayed(let depth):
        law("only ours is replayed", !facts.stack[depth].isForeign)
        law("what cannot be replayed is not", facts.stack[depth].obstacle == nil)
        law(
          "replaying keeps what a person changed",
          facts.stack[depth].renditions != .modified || facts.policy.overwritesModified)
      case .recipe(let depth?):
        law(
          "resuming keeps what a person changed",
          facts.stack[depth].renditions != .modified || facts.policy.overwritesModified)
      case .recipe(nil), .kept, .foreign, .refreshed: break
      }
    }
    for (below, layer) in zip(edit.layers, edit.layers.dropFirst()) where layer.isRendered {
      guard case .kept(let depth) = below else { continue }
      law("a start is there as it was written", facts.stack[depth].renditions == .present)
    }
    law(
      "skip and fail leave edits alone",
      facts.stack.isEmpty || (facts.policy.previous != .skip && facts.policy.previous != .fail))
    let isPersonal = facts.stack.contains { $0.hasOverrides || $0.isForeign }
    if isPersonal && facts.stack.contains(where: { !$0.originalIsSame }) {
      law("personal edits wait for a person", facts.policy.acceptsChanged)
    }
    if handled == nil && facts.isReverted { law("reverted stays reverted", facts.policy.redoes) }
    return broken
  }

  /// What a rendering leaves behind is up to date: a run after a run does nothing.
  @Test func renderingOnceIsEnough() {
    var broken: EditFacts?
    Self.everyCase { facts in
      guard case .render(let edit) = EditDecision(facts) else { return }
      var after = facts
      after.stack = []
      for (place, layer) in edit.layers.enumerated() {
        let base = after.stack.last?.current ?? (place == 0 ? edit.start : .original)
        switch layer {
        case .kept(let depth):
          after.stack.append(facts.stack[depth])
        case .replayed(let depth):
          var entry = facts.stack[depth]
          (entry.base, entry.renditions, entry.originalIsSame) = (base, .present, true)
          after.stack.append(entry)
        case .refreshed(let depth):
          var entry = facts.stack[depth]
          entry.renditions = .present
          after.stack.append(entry)
        case .foreign(let index): after.stack.append(Self.foreign(facts.newForeign[index].current))
        case .recipe: after.stack.append(Self.ours("same", on: base, current: Self.top))
        }
        after.stack[place].originalIsSame = true
      }
      let recorded = edit.layers.contains { if case .foreign = $0 { true } else { false } }
      if recorded { after.newForeign = [] }
      if after.policy.foreign != .report && !recorded { after.policy.foreign = .ignore }
      let reason = Self.words(after, EditDecision(after))
      if reason != "up-to-date" && reason != "foreign-newer" {
        broken = facts
      }
    }
    #expect(broken == nil)
  }
}
