import Notation
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Undoes the changes of one command to one photo.
struct PhotoUndo {
  let context: EditContext
  let asset: Asset
  let worker: WorkerProcess
  let change: TrashedRun.PhotoChange

  func prepare() throws(PhotoFailure) -> PreparedEdit {
    var staged: [StagedFile<OpenFile>] = []
    do throws(PhotoFailure) {
      try files.check()
      // The previous sidecar is damaged if `repair` replaced it; the damaged file is then restored
      // byte for byte.
      if change.restoresNothingRendered && isDamaged { return try files.prepare() }
      return try prepare(&staged)
    } catch {
      context.discard(staged)
      throw error
    }
  }

  /// Throws if a file was changed after the command that is being undone, or a sidecar removed; a
  /// missing rendition is not an error.
  func check() throws(PhotoFailure) { try files.check() }

  private func prepare(_ staged: inout [StagedFile<OpenFile>]) throws(PhotoFailure) -> PreparedEdit
  {
    if change.sidecars.count > 1 { return try movedBack(&staged) }
    var sidecar = try sidecarBefore()
    var made: [FilePath: FinishedRendition] = [:]
    if let before = sidecar {
      let layers = try rendered(of: before, &staged)
      sidecar = before.replacing(layers)
      for rendition in layers.flatMap({ $0.finished ?? [] }) { made[rendition.path] = rendition }
    }
    var group = PublicationGroup<OpenFile>(renditions: [])
    for file in change.renditions {
      if let publication = try files.publication(of: file, made, &staged) {
        group.renditions.append(publication)
      }
    }
    // An edit's other renditions are rendered, too. They are discarded here, so that files that were
    // changed by hand stay as they are.
    let published = Set(group.renditions.map(\.path))
    for (path, rendition) in made where !published.contains(path) {
      context.discard([rendition.staged])
      made[path] = nil
    }
    let rendered =
      made.isEmpty ? "" : ", and \(made.count.counting("rendition")) rendered again"
    var outcome = AssetOutcome(
      asset.path, sidecar == nil ? .reverted : .restored, "the last change is undone\(rendered)")
    group.sidecar = try sidecarPublication(sidecar, &outcome.warnings)
    return PreparedEdit(group: group, outcome: outcome)
  }

  /// Undoes a `relink` of the photo: moves its sidecar and renditions back to the paths that they
  /// had before, with the same bytes.
  private func movedBack(
    _ staged: inout [StagedFile<OpenFile>]
  ) throws(PhotoFailure) -> PreparedEdit {
    var group = PublicationGroup<OpenFile>(renditions: [])
    for file in change.renditions + change.sidecars {
      guard let publication = try files.publication(of: file, [:], &staged) else { continue }
      // The restored sidecar records the other files, so it is published last.
      if publication.new != nil && Sidecar.original(of: file.path) != nil {
        // There are two sidecars if a run rendered the photo before `relink` moved its edits; the
        // first is published with the renditions.
        if let other = group.sidecar { group.renditions.append(other) }
        group.sidecar = publication
      } else {
        group.renditions.append(publication)
      }
    }
    let moved = change.sidecars.first { $0.after == nil } ?? change.sidecar
    let place = moved.flatMap { Sidecar.original(of: $0.path) }?.displayed ?? ""
    let outcome = AssetOutcome(
      asset.path, .restored, "the last change is undone; the edits belong to '\(place)' again")
    return PreparedEdit(group: group, outcome: outcome)
  }

  /// True if the sidecar from before the command cannot be used.
  private var isDamaged: Bool {
    do throws(PhotoFailure) { _ = try sidecarBefore() } catch { return true }
    return false
  }

  /// Reads from the trash the sidecar from before the command; nil if there was none.
  private func sidecarBefore() throws(PhotoFailure) -> Sidecar? {
    guard case .kept(let path, _)? = change.sidecar?.before else { return nil }
    let bytes = try PhotoFailure.attempt {
      try context.root.files.read(path, limit: Sidecar.sizeLimit)
    }
    do throws(SidecarError) {
      return try Sidecar(SourceText(name: path.displayed, bytes: bytes))
    } catch { throw PhotoFailure(.corruptSidecar, error.message, hint: error.hint) }
  }

  /// Renders again the renditions that the command removed, and returns the previous adjustments of
  /// all stacks; empty if no rendition was removed.
  private func rendered(
    of before: Sidecar, _ staged: inout [StagedFile<OpenFile>]
  ) throws(PhotoFailure) -> [NewLayer] {
    let gone = Set(
      change.renditions.compactMap { file -> FilePath? in
        if case .removed = file.before { file.path } else { nil }
      })
    if gone.isEmpty { return [] }
    let photo = try PhotoFailure.attempt { try context.root.library.open(asset.path) }
    let digest = try PhotoFailure.attempt { try Digest(of: photo, in: context.root.library) }
    guard let identity = try PhotoFailure.attempt({ try context.root.files.status(at: path) })
    else {
      throw PhotoFailure(.modified, "the sidecar is missing", hint: "there is nothing to undo")
    }
    var layers: [NewLayer] = []
    for variant in before.variants {
      let state = StackState(
        asset.path, (before, identity.identity), variant: variant, context)
      let stack = state.stack.map(\.adjustment)
      let edit = Edit(
        layers: stack.enumerated().map { depth, adjustment in
          let paths = adjustment.renditions.compactMap { $0.file.path(besides: asset.path) }
          return gone.isDisjoint(with: paths) ? .kept(depth) : .replayed(depth)
        }, start: stack.first?.base ?? .original)
      let editor = StackEditor(
        context: context, asset: asset, worker: worker, state: state, photo: photo, digest: digest)
      layers += try editor.layers(of: edit, staged: &staged)
    }
    let isSame = "\(digest)" == before.original.sha256
    if !isSame && layers.contains(where: { $0.finished != nil && $0.adjustment.base == .original })
    {
      throw PhotoFailure(
        .originalChanged,
        "the original was replaced after the command; put the old one back, from which its renditions"
          + " can be rendered again")
    }
    return layers
  }

  private var files: FileRestoration {
    FileRestoration(
      context: context, change: change, folder: asset.path.removingLastComponent())
  }

  private var path: FilePath { Sidecar.path(of: asset.path) }

  /// The publication that replaces the command's sidecar with the previous one; nil if the command
  /// did not change the sidecar.
  private func sidecarPublication(
    _ sidecar: Sidecar?, _ warnings: inout [String]
  ) throws(PhotoFailure) -> Publication<OpenFile>? {
    guard let file = change.sidecar else { return nil }
    let expected = file.after.map(ExpectedFile.digest) ?? .absent
    guard let sidecar else { return Publication(path, nil, expected: expected) }
    let commit = SidecarCommit(context: context, original: asset.path)
    return try commit.publication(of: sidecar, expected: expected, &warnings)
  }
}

extension Sidecar {
  /// The sidecar with the adjustments that were rendered again.
  fileprivate func replacing(_ layers: [NewLayer]) -> Sidecar {
    var sidecar = self
    for layer in layers where layer.finished != nil {
      if let index = layer.index { sidecar.adjustments[index] = layer.adjustment }
    }
    return sidecar
  }
}
