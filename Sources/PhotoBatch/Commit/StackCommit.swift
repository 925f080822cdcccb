import PhotoLibrary
import PhotoRecipes
import PhotoRender
import SystemPackage

/// Prepares the publication of a photo's new stack: its renditions, then the sidecar.
///
/// A rendition is not published if the file at its path already has the same bytes.
struct StackCommit {
  let context: EditContext
  let asset: Asset
  let state: StackState
  /// The new stack, oldest first.
  let layers: [NewLayer]
  let original: OriginalRecord
  /// The indices in the sidecar of the adjustments that move to this stack from other stacks.
  var moved: [Int] = []
  /// The recipe that the command renders; nil if it renders recorded edits only.
  ///
  /// The new sidecar no longer has the reversions of adjustments that this recipe may render as its
  /// own.
  var handled: Recipe?
  /// The records of the adjustments that this command reverts.
  var reversions: [Reversion] = []

  /// Prepares the files to publish, and completes the outcome with the renditions.
  func prepare(_ outcome: AssetOutcome) throws(PhotoFailure) -> PreparedEdit {
    let finished = layers.flatMap { $0.finished ?? [] }
    try state.checkOwners(
      of: finished.map { ($0.path, $0.isNamedByContent ? $0.record.sha256 : nil) },
      displacing: displaced, by: handled)
    let paths = Set(finished.map(\.path))
    // The paths that other adjustments record, too, if they share the files.
    let shared = state.paths(besides: displaced)
    var group = PublicationGroup<OpenFile>(renditions: [])
    var warnings: [String] = []
    let sharing = state.files(of: state.indices(besides: displaced), at: shared.intersection(paths))
    let displaced = state.files(of: displaced)
    let keptBefore = keptFiles
    let known = displaced.merging(keptBefore) { first, _ in first }
      .merging(sharing) { first, _ in first }.mapValues(\.state)
    let unproven = unprovenPaths(among: displaced)
    let lasting = unrepeatablePaths.union(keptBefore.keys).union(unproven)
    var published: Set<FilePath> = []
    for rendition in finished where published.insert(rendition.path).inserted {
      if let publication = try publication(
        of: rendition, known[rendition.path], keeps: lasting.contains(rendition.path))
      {
        group.renditions.append(publication)
      } else {
        context.discard([rendition.staged])
      }
    }
    let folder = asset.path.removingLastComponent()
    var kept = keptBefore.filter { !paths.contains($0.key) }.mapValues(\.record)
    for (path, file) in displaced.sorted(by: { $0.key.string < $1.key.string })
    where !paths.contains(path) && !shared.contains(path) {
      switch file.state {
      case .ours where unproven.contains(path) && !path.starts(with: folder):
        kept[path] = file.record
        warnings.append(
          "'\(path.displayed)' is no longer a rendition, but only the sidecar says that phbatch wrote"
            + " it, and therefore it was kept")
      case .ours(_, let identity):
        group.renditions.append(
          Publication(
            path, nil, expected: .identity(identity), keepsDisplaced: lasting.contains(path)))
      case .superseded(_, let identity):
        group.renditions.append(
          Publication(path, nil, expected: .identity(identity), keepsDisplaced: true))
      case .others:
        kept[path] = file.record
        warnings.append(
          "'\(path.displayed)' is no longer a rendition, but it was changed by hand and therefore"
            + " kept"
        )
      case .absent: break
      }
    }
    var outcome = outcome
    group.sidecar = try SidecarCommit(context: context, original: asset.path)
      .publication(
        of: sidecar(keeping: kept), replacing: state.sidecarIdentity, &outcome.warnings)
    outcome.warnings += warnings
    outcome.originalBytes = original.bytes
    outcome.renditions = finished.map { rendition in
      AssetOutcome.Rendition(
        output: rendition.record.output, path: rendition.path,
        size: rendition.facts.size, bytes: rendition.record.bytes,
        quality: rendition.facts.quality, clipped: rendition.facts.clipped,
        isOriginal: rendition.facts.isOriginal)
    }
    group.original = Digest(hexadecimal: original.sha256, count: Int64(original.bytes))
    group.checkSource = { [context, asset] () throws(PublishingError) in
      try context.checkUnchanged(asset)
    }
    return PreparedEdit(group: group, outcome: outcome)
  }

  private var displaced: [Int] {
    state.displaced(
      staying: layers.filter { $0.finished == nil }.compactMap(\.index), moved: moved)
  }

  /// The renditions changed by hand that earlier commands kept and that still exist, by path.
  private var keptFiles: [FilePath: DisplacedFile] {
    var files: [FilePath: DisplacedFile] = [:]
    for record in state.sidecar?.kept ?? [] {
      let found = state.disk(record.rendition, record.adjustment)
      if let path = found.path { files[path] = DisplacedFile(state: found, record: record) }
    }
    return files
  }

  /// The paths of replaced or removed renditions that a later `undo` could not render again; their
  /// files go to the trash.
  private var unrepeatablePaths: Set<FilePath> {
    guard let sidecar = state.sidecar else { return [] }
    let originalIsSame = sidecar.original.sha256 == original.sha256
    let starts = state.stack.map(\.adjustment.currentBase) + [layers.first?.adjustment.base]
    var paths: Set<FilePath> = []
    for index in displaced {
      let adjustment = sidecar.adjustments[index]
      let hasBase = adjustment.base == .original || starts.contains(adjustment.base)
      let isRepeatable =
        originalIsSame && adjustment.originalSHA256 == nil && hasBase
        && adjustment.descriptionSHA256
          == context.description(of: asset, on: adjustment.base).map(EditContext.digest(of:))
        && RecordedEdit.isRepeatable(
          adjustment, context.registry, focal: context.focalPoint(of: asset))
        && hasSameFilm(adjustment)
      if isRepeatable { continue }
      paths.formUnion(adjustment.renditions.compactMap { $0.file.path(besides: asset.path) })
    }
    return paths
  }

  /// The paths of displaced files that only the sidecar calls renditions, and not the ledger; these
  /// files go to the trash, or stay if they are in folders of other photos.
  ///
  /// A sidecar that somebody made can record the path and the digest of another photo.
  private func unprovenPaths(among displaced: [FilePath: DisplacedFile]) -> Set<FilePath> {
    guard let sidecar = state.sidecar else { return [] }
    let unproven = displaced.filter { _, file in
      let rendition = file.record.rendition
      let digest = Digest(hexadecimal: rendition.sha256, count: Int64(rendition.bytes))
      return digest.map {
        !context.root.isPublished($0, of: asset.path, sidecar, known: context.digests)
      } ?? true
    }
    return Set(unproven.keys)
  }

  /// True if the film of a Live Photo still is the film from which an adjustment was rendered, and
  /// can be rendered again.
  private func hasSameFilm(_ adjustment: Adjustment) -> Bool {
    guard let recorded = adjustment.files[PairedFilm.source] else { return true }
    let image = state.image(under: adjustment.base)
    guard context.rendersFilms, let path = try? state.film(of: asset, beside: image).path else {
      return false
    }
    return (try? state.digest(ofFilm: path, beside: image)) == recorded
  }

  /// Returns the publication of one rendition; nil if the file at its path already has the same
  /// bytes.
  private func publication(
    of rendition: FinishedRendition, _ known: RenditionOnDisk?, keeps: Bool
  ) throws(PhotoFailure) -> Publication<OpenFile>? {
    let files = context.root.files
    let found = try PhotoFailure.attempt { try files.status(at: rendition.path) }
    guard let status = found else {
      return Publication(
        rendition.path, rendition.staged, expected: .absent, digest: rendition.digest)
    }
    let isSame =
      status.kind == .regular && status.identity.size == rendition.digest.count
      && (try? Digest(of: files.open(rendition.path), in: files)) == rendition.digest
    if isSame { return nil }
    switch known {
    case .ours(_, let identity):
      return Publication(
        rendition.path, rendition.staged, expected: .identity(identity), keepsDisplaced: keeps,
        digest: rendition.digest)
    case .superseded(_, let identity):
      return Publication(
        rendition.path, rendition.staged, expected: .identity(identity), keepsDisplaced: true,
        digest: rendition.digest)
    case .others:
      try state.checkReadable(rendition.path)
      if context.options.onModified == .overwrite {
        return Publication(
          rendition.path, rendition.staged, expected: .identity(status.identity),
          keepsDisplaced: true, digest: rendition.digest)
      }
      throw PhotoFailure.modified([rendition.path])
    case .absent, nil:
      let orphan = context.contents.orphan(at: rendition.path)
      if let orphan, context.contents.isReplaceable(orphan, by: asset) {
        return Publication(
          rendition.path, rendition.staged, expected: .identity(orphan.asset.file.status.identity),
          keepsDisplaced: true, digest: rendition.digest)
      }
      throw PhotoFailure(
        .occupied,
        "'\(rendition.path.displayed)' exists, is not recorded in any sidecar, and was kept",
        hint: orphan.map { $0.hint ?? "'phbatch prune --yes' moves it to the trash" }
          ?? "move it away, or change the output's path")
    }
  }

  /// The new sidecar with the new stack, but without renditions kept by earlier commands.
  var sidecar: Sidecar { sidecar(keeping: [:]) }

  private func sidecar(keeping kept: [FilePath: KeptRendition]) -> Sidecar {
    var sidecar = state.sidecar ?? Sidecar(original: original)
    let old = sidecar.original
    sidecar.original = old.updated(to: original)
    var others = sidecar.adjustments.enumerated().filter { index, adjustment in
      adjustment.variant != state.variant && !moved.contains(index)
    }.map(\.element)
    var own = layers.map(\.adjustment)
    if old.sha256 != original.sha256 {
      for index in others.indices { others[index].fallBehind(old.sha256) }
      for index in own.indices where layers[index].finished == nil {
        own[index].fallBehind(old.sha256)
      }
    }
    // The stack keeps its place among the sidecar's stacks; the main stack is first in nearly every
    // sidecar.
    let place = sidecar.adjustments.prefix { $0.variant != state.variant }.count
    sidecar.adjustments = others
    sidecar.adjustments.insert(contentsOf: own, at: min(place, others.count))
    sidecar.reversions = self.reversions(of: sidecar)
    sidecar.kept = kept.sorted { $0.key.string < $1.key.string }.map(\.value)
    return sidecar
  }

  private func reversions(of sidecar: Sidecar) -> [Reversion] {
    let rest = sidecar.reversions.filter { reversion in
      reversion.variant != state.variant
        || !(reversion.version.map { handled?.canHandle(reversion.formatIdentifier, $0) ?? false }
          ?? false)
    }
    return rest + reversions
  }
}

extension Adjustment {
  /// Records in the adjustment the digest of the original that it was rendered from.
  ///
  /// Called when the sidecar gets a new original, so that the adjustment still counts as an
  /// adjustment of the old original.
  fileprivate mutating func fallBehind(_ sha256: String) {
    if !isForeign && originalSHA256 == nil { originalSHA256 = sha256 }
  }
}
