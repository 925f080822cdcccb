import Foundation
import PhotoLibrary
import TestRandom
import Testing

@testable import PhotoBatch

extension EditDecisionTests {
  /// Calls `body` for combinations of policies, states and stacks of up to three adjustments: all
  /// combinations of the small stacks, and a selection of those of the larger stacks.
  ///
  /// `PHBATCH_SOAK=1` selects about 900,000. Otherwise one in four of the small stacks and one in
  /// fifteen of the larger stacks are used; 15 has no factor in common with the numbers of states.
  private static func everyCase(_ body: (EditFacts) -> Void) {
    var entries: [Entry] = [foreign, foreign(below), foreign(below, .missing)]
    entries.append(foreign(below, .modified))
    for isHandled in [false, true] {
      for settings in ["same", "old"] {
        for base in [Base.original, main] {
          for bits in 0..<8 {
            for renditions in [EditFacts.Renditions.present, .superseded, .missing, .modified] {
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
    for (number, stack) in stacks.enumerated()
    where TestVolume.isWhole || number % (stack.count < 2 ? 4 : 15) == 1 {
      for previous in PreviousPolicy.allCases {
        let step = stack.count < 2 ? 1 : stack.count == 2 ? 16 : 64
        for bits in stride(from: number % step, to: 64, by: step) {
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

  @Test func decisionsObeyTheRulesForEveryCombinationOfStatesAndPolicies() {
    var count = 0
    var broken: [String: EditFacts] = [:]
    Self.everyCase { facts in
      count += 1
      let decision = EditDecision(facts)
      for law in Self.brokenLaws(facts, decision) { broken[law] = facts }
    }
    print("decisions: \(count) cases of edits")
    #expect(count > (TestVolume.isWhole ? 100_000 : 25_000))
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
    if facts.isReverted, handled.map({ facts.stack[$0].settings != facts.settings }) ?? true {
      law("reverted stays reverted", facts.policy.redoes)
    }
    return broken
  }

  /// After a rendering the photo is up to date: a second run renders nothing.
  @Test func aRenderedPhotoIsUpToDateInTheNextRun() {
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
