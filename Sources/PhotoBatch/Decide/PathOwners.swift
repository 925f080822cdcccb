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

  /// The indices in the sidecar of the adjustments whose renditions a planned edit replaces by new
  /// ones of the same layer.
  func renewed(by edit: Edit) -> [Int] {
    edit.layers.compactMap { layer -> Int? in
      switch layer {
      case .recipe(let depth?), .replayed(let depth): stack[depth].index
      case .kept, .refreshed, .foreign, .recipe: nil
      }
    }
  }

  /// The indices in the sidecar of the recorded adjustments that a planned edit renders again.
  func replayed(by edit: Edit) -> [Int] {
    edit.layers.compactMap { layer -> Int? in
      if case .replayed(let depth) = layer { stack[depth].index } else { nil }
    }
  }

  /// Throws if another adjustment of the photo owns one of the paths to be written.
  ///
  /// Renditions that are named by their content and have the same bytes share a file. `sha256` is
  /// the digest of such a rendition; nil if it has another name or is not rendered yet.
  ///
  /// `handled` is the recipe that writes them, nil if there is none. Adjustments at the indices
  /// `displaced` give up their paths, except those at the indices `replayed`, whose renditions are
  /// written again.
  ///
  /// - Throws: A collision that names the owner.
  func checkOwners(
    of files: [(path: FilePath, sha256: String?)], displacing displaced: [Int],
    replaying replayed: [Int] = [], by handled: Recipe?
  ) throws(PhotoFailure) {
    var owners: [FilePath: [(adjustment: Adjustment, sha256: String?)]] = [:]
    for (index, adjustment) in (sidecar?.adjustments ?? []).enumerated()
    where !displaced.contains(index) || replayed.contains(index) {
      // An adopted rendition belongs to a user, so no rendition shares its file.
      var owned = adjustment.renditions.compactMap { rendition -> (FilePath, String?)? in
        rendition.file.path(besides: original).map {
          ($0, adjustment.isForeign ? nil : rendition.sha256)
        }
      }
      // `adjust` can record an edit before a run has rendered it.
      if owned.isEmpty, replayed.contains(index),
        let recipe = try? RecordedEdit.recipe(of: adjustment)
      {
        owned = RenditionPaths(of: recipe).known(of: original, certain: true).map { ($0, nil) }
      }
      for (path, sha256) in owned { owners[path, default: []].append((adjustment, sha256)) }
    }
    for (path, sha256) in files {
      let others = owners[path]?.filter { $0.sha256 == nil || $0.sha256 != sha256 }
      guard let owner = others?.last?.adjustment else { continue }
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
