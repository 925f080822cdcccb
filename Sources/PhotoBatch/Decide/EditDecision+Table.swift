import PhotoLibrary
import PhotoRecipes

extension EditDecision {
  /// Makes the decision for one recipe and one stack; the first rule that applies decides.
  init(_ facts: EditFacts) {
    let handled = facts.stack.lastIndex(where: \.isHandled)
    if let handled, facts.staleness(of: handled).isEmpty {
      self = Self.unchanged(facts, handled)
    } else if facts.repeatsReversion(inPlaceOf: handled), !facts.policy.redoes {
      self = .nothing(.reverted, "render it again with --redo, or change the settings")
    } else if let refusal = Self.refusal(facts, handled) {
      self = refusal
    } else {
      switch facts.edit(handled) {
      case .success(let edit): self = .render(edit)
      case .failure(let obstacle): self = .nothing(obstacle.reason, obstacle.detail)
      }
    }
  }

  private static func unchanged(_ facts: EditFacts, _ handled: Int) -> EditDecision {
    if facts.policy.foreign == .ignore { return .nothing(.upToDate, nil) }
    if let below = facts.stack[..<handled].last, below.isForeign, below.renditions == .missing {
      return .nothing(
        .baseMissing,
        "the edit starts from another program's image, which is missing; see --on-foreign")
    }
    if let found = facts.newForeign.last {
      return .nothing(
        .foreignNewer,
        "the edit by another program in '\(found.file)' is newer than this one; see --on-foreign")
    }
    if let gone = facts.stack.first(where: { $0.file == .gone })?.foreignName {
      return .nothing(
        .foreignNewer,
        "the edit by another program in '\(gone)' was removed; "
          + "--on-foreign replace renders without it")
    }
    return .nothing(.upToDate, nil)
  }

  /// Returns the decision to change nothing, if the options or an edit in another stack forbid a
  /// change; nil if a change is allowed.
  private static func refusal(_ facts: EditFacts, _ handled: Int?) -> EditDecision? {
    let isEdited = !facts.stack.isEmpty
    if isEdited && facts.policy.previous == .skip { return .nothing(.skipped, nil) }
    if isEdited && facts.policy.previous == .fail {
      return .nothing(.edited, "the photo already has an edit")
    }
    if handled == nil, let elsewhere = facts.elsewhere {
      if facts.policy.previous != .replace {
        return .nothing(.otherVariant, "--previous replace moves it to this stack")
      }
      if elsewhere == .belowOthers {
        return .nothing(
          .otherVariant, "other edits in that stack start from it; revert those first")
      }
    }
    return nil
  }
}

extension EditFacts.Obstacle: Error {}

extension EditFacts {
  /// True if the run would render settings that the user reverted.
  ///
  /// An adjustment at the index `handled` with settings that no run has rendered is newer than the
  /// reversion, and one with the same settings is not the reverted one.
  fileprivate func repeatsReversion(inPlaceOf handled: Int?) -> Bool {
    guard isReverted, let handled else { return isReverted }
    return !stack[handled].isPending && stack[handled].settings != settings
  }

  /// The reasons why the adjustment at an index of the stack differs from the recipe's current
  /// result; empty if the adjustment is up to date.
  ///
  /// Different settings are one reason, without the names of the changed settings.
  func staleness(of depth: Int) -> [Staleness] {
    let entry = stack[depth]
    var reasons: [Staleness] = []
    if entry.settings != settings { reasons.append(.settings) }
    let base = base(of: depth)
    if entry.base != base { reasons.append(.base(was: entry.base.file, is: base.file)) }
    if let reason = entry.renditions.reason { reasons.append(reason) }
    if policy.refreshes, let revision = entry.olderRevision {
      reasons.append(.revision(was: revision, is: Engine.revision))
    }
    if !stack[...depth].allSatisfy({ $0.originalIsSame }) { reasons.append(.original) }
    let isOnNew = policy.foreign == .stack && !newForeign.isEmpty
    if standsOnChange(depth) || isOnNew || replacesByForeign {
      reasons.append(
        .otherProgram(newForeign.last.map { RecordedName(bytes: Array($0.file.utf8)) }))
    }
    return reasons
  }

  /// True if the options allow replacing the stack because of other programs' edits: one is new,
  /// its file is gone, or its image is missing.
  private var replacesByForeign: Bool {
    let isLost = stack.contains { $0.isForeign && ($0.file == .gone || $0.renditions == .missing) }
    return policy.foreign == .replace && (isLost || !newForeign.isEmpty)
  }

  /// True if the adjustment at this index starts, directly or indirectly, from another program's
  /// image that changed after it was recorded.
  private func standsOnChange(_ depth: Int) -> Bool {
    stack[..<depth].last { $0.isForeign }?.renditions == .modified
  }

  /// The image that the lowest adjustment of the stack would start from in this run.
  var start: Adjustment.Base { mainCurrent ?? .original }

  /// The image that the adjustment at an index of the stack would start from in this run.
  private func base(of depth: Int) -> Adjustment.Base {
    if depth > 0 { return stack[depth - 1].current ?? .original }
    return isVariant ? start : stack[depth].base
  }

  fileprivate func edit(_ handled: Int?) -> Result<Edit, Obstacle> {
    do throws(Obstacle) {
      let layers = try layers(handled)
      try check(layers)
      var edit = Edit(layers: layers, start: start)
      edit.moves = handled == nil && elsewhere != nil
      return .success(edit)
    } catch { return .failure(error) }
  }

  /// Returns the layers of the new stack; `handled` is the index of the recipe's own adjustment.
  private func layers(_ handled: Int?) throws(Obstacle) -> [Edit.Layer] {
    let found = newForeign.indices.map { Edit.Layer.foreign($0) }
    if policy.previous == .replace || stack.isEmpty || replacesByForeign {
      return recordedForeign + found + [.recipe(inPlaceOf: nil)]
    }
    if policy.foreign == .stack && !found.isEmpty {
      let isRecorded = stack.contains { $0.file == .changed }
      let below = isRecorded ? stack.indices.map { .kept($0) } : try support(stack.count)
      return below + found + [.recipe(inPlaceOf: nil)]
    }
    // Settings that no run has rendered are rendered in place.
    let isNew = handled == stack.count - 1 && stack.last?.settings.isEmpty == true
    guard let handled, policy.previous != .stack || isNew else {
      return try support(stack.count) + [.recipe(inPlaceOf: nil)]
    }
    let above = handled + 1..<stack.count
    if above.contains(where: { stack[$0].isForeign }) {
      throw Obstacle(
        reason: .buried, detail: "an edit made outside phbatch starts from it; see --previous stack"
      )
    }
    return try support(handled) + [.recipe(inPlaceOf: handled)] + above.map { .replayed($0) }
  }

  /// The recorded edits by other programs at the bottom of the stack, if their files still exist.
  private var recordedForeign: [Edit.Layer] {
    let bottom = stack.prefix { $0.isForeign }
    return bottom.indices.filter {
      bottom[$0].renditions != .missing && bottom[$0].file == .recorded
    }.map {
      bottom[$0].renditions == .present ? .kept($0) : .refreshed($0)
    }
  }

  /// Returns the layers for the first `depth` adjustments, on which another layer is rendered.
  ///
  /// From the top downwards, adjustments are rendered again until one has an up-to-date image to
  /// start from; the adjustments below it stay unchanged.
  func support(_ depth: Int) throws(Obstacle) -> [Edit.Layer] {
    var layers: [Edit.Layer] = []
    var isNeeded = true
    for index in (0..<depth).reversed() {
      let entry = stack[index]
      let layer = isNeeded ? try support(of: entry, at: index) : .kept(index)
      if case .replayed = layer {} else { isNeeded = false }
      layers.append(layer)
    }
    return layers.reversed()
  }

  private func support(of entry: Entry, at index: Int) throws(Obstacle) -> Edit.Layer {
    if entry.isForeign {
      switch entry.renditions {
      case .present, .superseded: return .kept(index)
      case .missing:
        throw Obstacle(
          reason: .baseMissing,
          detail: "the edit starts from another program's image, which is missing")
      case .modified:
        if policy.acceptsChanged { return .refreshed(index) }
        throw Obstacle(
          reason: .originalChanged,
          detail: "the other program's image changed; --accept-changed renders from the new one")
      }
    }
    let isOverwritten = entry.renditions == .modified && policy.overwritesModified
    let isStale = !entry.originalIsSame || standsOnChange(index)
    guard entry.renditions.isRenewable || isStale || isOverwritten else { return .kept(index) }
    if let obstacle = entry.obstacle {
      throw Obstacle(reason: .baseMissing, detail: obstacle.detail)
    }
    return .replayed(index)
  }

  /// Throws the first obstacle to rendering the layers: a change that needs the user's permission,
  /// or a missing or modified file.
  private func check(_ layers: [Edit.Layer]) throws(Obstacle) {
    let hasPersonalEdits = stack.contains { $0.hasOverrides || $0.isForeign }
    if stack.contains(where: { !$0.originalIsSame }) && hasPersonalEdits && !policy.acceptsChanged {
      throw Obstacle(
        reason: .originalChanged, detail: "--accept-changed renders it from the new original")
    }
    for (place, layer) in layers.enumerated() {
      switch layer {
      case .recipe(let depth?):
        try checkUnmodified(stack[depth])
        try checkStart(depth)
      case .replayed(let depth):
        try checkUnmodified(stack[depth])
        try checkStart(depth)
        if let obstacle = stack[depth].obstacle { throw obstacle }
      case .kept(let depth):
        let isStart = place + 1 < layers.count && layers[place + 1].isRendered
        if isStart && !stack[depth].isForeign { try checkUnmodified(stack[depth]) }
      case .recipe(nil), .foreign, .refreshed: break
      }
    }
  }

  /// Throws if the lowest edit of the main stack started from a rendition, because that image is no
  /// longer in the stack.
  private func checkStart(_ depth: Int) throws(Obstacle) {
    guard depth == 0, !isVariant, case .rendition(let name, _) = stack[0].base else { return }
    throw Obstacle(
      reason: .baseMissing,
      detail:
        "'\(name.text)', from which it started, is missing; --previous replace starts from the"
        + " original"
    )
  }

  private func checkUnmodified(_ entry: Entry) throws(Obstacle) {
    if entry.renditions == .modified && !policy.overwritesModified {
      throw Obstacle(
        reason: .modified,
        detail: "a rendition was changed after phbatch wrote it, and was kept (see --on-modified)")
    }
  }
}
