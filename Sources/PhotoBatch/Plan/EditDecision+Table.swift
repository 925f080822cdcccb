import PhotoLibrary

extension EditDecision {
  /// The decision for one recipe and one stack: the first rule that applies.
  init(_ facts: EditFacts) {
    let start = facts.mainCurrent ?? .original
    let handled = facts.stack.lastIndex(where: \.isHandled)
    if let handled, let same = Self.unchanged(facts, handled, start) {
      self = same
    } else if let refusal = Self.refusal(facts, handled) {
      self = refusal
    } else if facts.policy.previous == .replace && !facts.stack.isEmpty {
      self = .render(from: start, .replacedStack, note: nil)
    } else if let handled, facts.policy.previous != .stack {
      self = Self.resumed(facts, handled, start)
    } else {
      self = Self.added(facts, start)
    }
  }

  /// Up to date, at any depth.
  private static func unchanged(
    _ facts: EditFacts, _ handled: Int, _ start: Adjustment.Base
  ) -> EditDecision? {
    let entry = facts.stack[handled]
    let base = base(of: handled, facts, start)
    let baseIsSame = base == entry.base && (base != .original || facts.originalIsSame)
    guard entry.settings == facts.settings, baseIsSame, entry.renditions == .present else {
      return nil
    }
    return .nothing(.upToDate, nil)
  }

  /// What stands in the way of any change.
  private static func refusal(_ facts: EditFacts, _ handled: Int?) -> EditDecision? {
    let isEdited = !facts.stack.isEmpty
    if isEdited && facts.policy.previous == .skip { return .nothing(.skipped, nil) }
    if isEdited && facts.policy.previous == .fail {
      return .nothing(.modified, "the photo has an edit already")
    }
    if handled == nil && facts.isHandledElsewhere && facts.policy.previous != .replace {
      return .nothing(.otherVariant, "--previous replace starts this stack all the same")
    }
    let touched = handled.map { facts.stack[$0] } ?? facts.stack.last
    if touched?.renditions == .modified && !facts.policy.overwritesModified {
      return .nothing(.modified, "a rendition is not as phbatch wrote it; it was kept")
    }
    let hasPersonalEdits = facts.stack.contains { $0.hasOverrides || $0.isForeign }
    if !facts.originalIsSame && hasPersonalEdits && !facts.policy.acceptsChanged {
      return .nothing(.originalChanged, "--accept-changed renders it anew")
    }
    return nil
  }

  private static func resumed(
    _ facts: EditFacts, _ handled: Int, _ start: Adjustment.Base
  ) -> EditDecision {
    let above = facts.stack[(handled + 1)...]
    if !above.isEmpty {
      let what = above.contains(where: \.isForeign) ? "a foreign edit" : "another recipe's edit"
      return .nothing(.buried, "\(what) stands on it, which cannot be replayed yet")
    }
    return .render(from: base(of: handled, facts, start), .resumed(at: handled), note: nil)
  }

  private static func added(_ facts: EditFacts, _ start: Adjustment.Base) -> EditDecision {
    guard let newest = facts.stack.last else { return .render(from: start, .added, note: nil) }
    guard let current = newest.current else {
      return .render(from: .original, .added, note: "the foreign edit is not in it")
    }
    if newest.renditions == .missing {
      return .nothing(.baseMissing, "the rendition to start from is gone; run its recipe again")
    }
    return .render(from: current, .added, note: nil)
  }

  /// What the adjustment at a depth starts from today.
  private static func base(
    of depth: Int, _ facts: EditFacts, _ start: Adjustment.Base
  ) -> Adjustment.Base {
    if depth > 0 { return facts.stack[depth - 1].current ?? facts.stack[depth].base }
    return facts.isVariant ? start : facts.stack[depth].base
  }
}
