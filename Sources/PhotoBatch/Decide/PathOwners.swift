import PhotoLibrary
import PhotoRecipes
import SystemPackage

extension StackState {
  /// The indices in the sidecar of the adjustments that an edit replaces, moves or removes.
  ///
  /// `staying` are the indices of the unchanged adjustments. `moved` are the indices of the
  /// adjustments that move to this stack from other stacks.
  func displaced(staying: [Int], moved: [Int]) -> [Int] {
    stack.map(\.index).filter { !staying.contains($0) } + moved
  }

  /// The indices in the sidecar of the adjustments that a planned edit replaces, moves or removes.
  func displaced(by edit: Edit) -> [Int] {
    let staying = edit.layers.compactMap { layer -> Int? in
      switch layer {
      case .kept(let depth), .refreshed(let depth): stack[depth].index
      case .replayed, .foreign, .recipe: nil
      }
    }
    return displaced(staying: staying, moved: edit.moves ? handledElsewhere : [])
  }

  /// Throws if another adjustment of the photo owns one of the paths to be written.
  ///
  /// `handled` is the recipe that writes them, nil if there is none. Adjustments at the indices
  /// `displaced` give up their paths.
  ///
  /// - Throws: A collision that names the owner.
  func checkOwners(
    of paths: [FilePath], displacing displaced: [Int], by handled: Recipe?
  ) throws(PhotoFailure) {
    var owners: [FilePath: Adjustment] = [:]
    for (index, adjustment) in (sidecar?.adjustments ?? []).enumerated()
    where !displaced.contains(index) {
      for rendition in adjustment.renditions {
        if let path = rendition.file.path(besides: original) { owners[path] = adjustment }
      }
    }
    for path in paths {
      guard let owner = owners[path] else { continue }
      throw PhotoFailure(
        .collision,
        "'\(path.displayed)' belongs to the edit by \(owner.formatIdentifier) "
          + owner.formatVersion,
        hint: hint(against: owner, handled))
    }
  }

  /// Returns the hint how to keep or replace the adjustment that owns the path.
  private func hint(against owner: Adjustment, _ handled: Recipe?) -> String {
    if owner.variant != variant {
      return "put {recipe} into the output's path, or give the output another name"
    }
    let (name, version) = (owner.formatIdentifier, owner.formatVersion)
    let replaces = "to remove that edit, use --previous replace"
    guard let handled, !handled.handles(owner) else {
      return
        "to keep both edits, put {digest:8} into the output's path, or leave out both --previous"
        + " stack and --on-foreign stack; \(replaces)"
    }
    let resumes =
      "to continue from that edit, list '\(name)@^\(version)' under 'handles'; \(replaces)"
    return handled.identifier == name
      ? "\(resumes); to keep both, give the output another path"
      : "to keep both, put {recipe} into the output's path; \(resumes)"
  }
}
