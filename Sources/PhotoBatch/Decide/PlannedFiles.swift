import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Lists the files that a planned edit will write, replace or remove.
struct PlannedFiles {
  private let state: StackState
  private let recipe: Recipe
  /// The photo's capture date; nil if the sidecar does not have it for these bytes of the original.
  private let date: CivilTime?
  private let hasFilm: Bool

  /// Creates the list for a recipe with the photo's own settings.
  ///
  /// `digest` is the original's digest, nil if it is not known. `hasFilm` is true if the recipe
  /// edits the film of a Live Photo.
  init(_ state: StackState, _ recipe: Recipe, _ digest: Digest?, hasFilm: Bool) {
    (self.state, self.hasFilm) = (state, hasFilm)
    self.recipe = recipe
    let record = state.sidecar?.original
    date = record.flatMap { record in
      digest.map { "\($0)" } == record.sha256 ? record.date.flatMap { CivilTime($0) } : nil
    }
  }

  /// The files that an edit writes, replaces or removes; `stale` are the renditions that are not up
  /// to date.
  ///
  /// The recipe's other renditions are rendered too, but their bytes do not change, so their files
  /// are not replaced and not listed.
  func files(of edit: Edit, writing stale: [StaleOutput]) -> [PlannedFile] {
    let names = Set(stale.filter { $0.edit == nil }.map(\.output))
    let displaced = state.displaced(by: edit)
    let shared = state.paths(besides: displaced)
    var left = state.files(of: displaced).filter { path, file in
      if case .others = file.state { false } else { !shared.contains(path) }
    }
    var files: [PlannedFile] = []
    for layer in edit.layers {
      switch layer {
      case .recipe:
        for rendition in renditions(of: recipe) {
          let file = file(rendition, &left)
          if names.contains(rendition.name) { files.append(file) }
        }
      case .replayed(let depth):
        let adjustment = state.stack[depth].adjustment
        if adjustment.renditions.isEmpty, let recipe = try? RecordedEdit.recipe(of: adjustment) {
          // No run has rendered the edit yet, so it replaces no file.
          var none: [FilePath: DisplacedFile] = [:]
          files += renditions(of: recipe).map { file($0, &none) }
        }
        for rendition in adjustment.renditions {
          guard let path = rendition.file.path(besides: state.original) else { continue }
          left[path] = nil
          files.append(PlannedFile(change(at: path), path, output: rendition.output))
        }
      case .kept, .foreign, .refreshed: break
      }
    }
    let sidecar = Sidecar.path(of: state.original)
    files.append(PlannedFile(state.sidecarIdentity == nil ? .write : .replace, sidecar))
    return files
      + left.sorted { $0.key.string < $1.key.string }.map {
        PlannedFile(.remove, $0.key, output: $0.value.record.rendition.output)
      }
  }

  private func renditions(of recipe: Recipe) -> [RenditionPaths.Planned] {
    RenditionPaths(of: recipe).planned(of: state.original, date: date, hasFilm: hasFilm)
  }

  /// Returns the planned file of a rendition.
  ///
  /// `left` are the files that the edit would remove; the file that the rendition replaces is
  /// removed from it.
  private func file(
    _ rendition: RenditionPaths.Planned, _ left: inout [FilePath: DisplacedFile]
  ) -> PlannedFile {
    var file: PlannedFile
    if let path = rendition.path {
      left[path] = nil
      file = PlannedFile(change(at: path), path, output: rendition.name)
    } else {
      // The rendition's name depends on its size or digest, so it is not known yet; the rendition
      // replaces the output's old file.
      let old = left.first { $0.value.outputs.contains(rendition.name) }?.key
      if let old { left[old] = nil }
      file = PlannedFile(old == nil ? .write : .replace, old, output: rendition.name)
      file.template = rendition.output.path
    }
    file.isConditional = rendition.output.minWidth != nil
    return file
  }

  private func change(at path: FilePath) -> PlannedFile.Change {
    ((try? state.context.root.files.status(at: path)) ?? nil) == nil ? .write : .replace
  }
}
