import PhotoLibrary
import SystemPackage

extension StackEditor {
  /// Looks whether an edit can have the paths that it is going to want, as far as they are known
  /// before anything is rendered.
  func checkPaths(of edit: Edit, _ new: RecipeEdit) throws(PhotoFailure) {
    let paths = new.recipe.knownPaths(of: asset.path)
    let layers = edit.layers.compactMap { layer -> NewLayer? in
      switch layer {
      case .kept(let depth), .refreshed(let depth):
        NewLayer(adjustment: state.stack[depth].adjustment, index: state.stack[depth].index)
      case .replayed, .foreign, .recipe: nil
      }
    }
    let commit = StackCommit(
      context: context, asset: asset, state: state, layers: layers,
      original: OriginalRecord(
        file: RecordedName(asset.path, besides: asset.path), bytes: Int(digest.count),
        sha256: "\(digest)", width: 0, height: 0, date: nil),
      moved: edit.moves ? state.handledElsewhere : [], handled: new.recipe)
    try commit.checkOwners(of: paths)
    let naming = RenditionNaming(
      context: context, asset: asset, recipe: new.recipe, captureDate: "")
    for path in paths { try naming.claim(path) }
  }
}
