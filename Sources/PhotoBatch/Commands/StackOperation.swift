import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// An operation on a stack of edits, and the obstacle if the operation is not possible now.
public struct StackOperation: Sendable, Hashable {
  public enum Name: String, Sendable, CaseIterable {
    /// The recipe renders again, at the same depth, an edit that it handles.
    case resume
    /// The recipe drops the stack and starts a new one.
    case replace
    /// The recipe starts from the newest edit.
    case stack
    /// The newest edit is removed.
    case revert
  }

  public let name: Name
  /// The reason why the operation is not possible; nil if it is possible.
  public let obstacle: String?
}

extension StackOperation {
  /// The operations that are possible on a photo's stack, and those that are not.
  ///
  /// The stack lists the oldest edit first; `recipe` is the recipe to be run.
  static func all(
    for stack: [(adjustment: Adjustment, state: Reason)],
    of photo: (path: FilePath, sidecar: Sidecar?),
    recipe: Recipe?
  ) -> [StackOperation] {
    [
      StackOperation(name: .resume, obstacle: obstacleToResuming(stack, recipe)),
      StackOperation(name: .replace, obstacle: nil),
      StackOperation(name: .stack, obstacle: obstacleToStacking(stack, photo, recipe)),
      StackOperation(name: .revert, obstacle: obstacleToReverting(stack, photo.sidecar)),
    ]
  }

  private static func obstacleToResuming(
    _ stack: [(adjustment: Adjustment, state: Reason)], _ recipe: Recipe?
  ) -> String? {
    guard let recipe else { return "it depends on the recipe; give one with --recipe" }
    guard let place = stack.lastIndex(where: { recipe.handles($0.adjustment) }) else {
      return "\(recipe.identifier) handles none of the edits"
    }
    let above = stack[(place + 1)...]
    if above.contains(where: \.adjustment.isForeign) {
      return "an edit by another program starts from it"
    }
    if ([stack[place]] + above).contains(where: { $0.state == .modified }) {
      return "a rendition was changed by hand; see --on-modified"
    }
    return nil
  }

  private static func obstacleToReverting(
    _ stack: [(adjustment: Adjustment, state: Reason)], _ sidecar: Sidecar?
  ) -> String? {
    guard let newest = stack.last?.adjustment else { return "there is no edit" }
    let isRecorded = sidecar?.adjustments.contains { $0.variant == newest.variant } ?? false
    return isRecorded ? nil : "the edit is by another program, and no run has recorded it"
  }

  private static func obstacleToStacking(
    _ stack: [(adjustment: Adjustment, state: Reason)],
    _ photo: (path: FilePath, sidecar: Sidecar?),
    _ recipe: Recipe?
  ) -> String? {
    guard let newest = stack.last else { return nil }
    if newest.state == .modified { return "a rendition was changed by hand; see --on-modified" }
    if newest.adjustment.isForeign && newest.adjustment.currentBase == nil {
      return "the other program's edit has no image, so the recipe would start from the original"
    }
    let owned = (photo.sidecar?.adjustments ?? []).flatMap(\.renditions).compactMap {
      $0.file.path(besides: photo.path)
    }
    let taken = recipe.flatMap { recipe in
      RenditionPaths(of: recipe).known(of: photo.path).first { owned.contains($0) }
    }
    return taken.map {
      "'\($0.displayed)' is the rendition of an edit that would stay in the stack"
    }
  }
}
