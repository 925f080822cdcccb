import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Finds originals that were moved or renamed without their sidecars, by their bytes.
struct Relinking: Sendable {
  /// The sidecars without an original, by the paths that their originals had, for each photo that
  /// has the same bytes and no sidecar.
  private let lost: [FilePath: FilePath]

  /// Hashes the photos without a sidecar that are as large as a lost original.
  init(_ session: LibrarySession) throws {
    let contents = session.contents
    let photos = Set(contents.assets.map(\.path))
    var originals: [String: [FilePath]] = [:]
    var sizes: Set<Int> = []
    for (original, found) in contents.sidecars where !photos.contains(original) {
      guard let sidecar = found.sidecar else { continue }
      originals[sidecar.original.sha256, default: []].append(original)
      sizes.insert(sidecar.original.bytes)
    }
    var lost: [FilePath: FilePath] = [:]
    let library = session.root.library
    for asset in contents.assets
    where contents.sidecars[asset.path] == nil
      && sizes.contains(Int(asset.file.status.identity.size))
    {
      let digest = try Digest(of: library.open(asset.path), in: library)
      // Of several the nearest name is as good as any: all have the same edits to give.
      if let original = originals["\(digest)"]?.min(by: { $0.string < $1.string }) {
        lost[asset.path] = original
        originals["\(digest)"]?.removeAll { $0 == original }
      }
    }
    self.lost = lost
  }

  func concerns(_ asset: Asset) -> Bool { lost[asset.path] != nil }

  func run(_ context: EditContext, _ asset: Asset) -> AssetRunner.Result {
    guard let old = lost[asset.path] else { return .cancelled }
    let move = PhotoRelink(context: context, asset: asset, old: old)
    do throws(PhotoFailure) { return .prepared(try move.prepare()) } catch {
      return .done(AssetOutcome(asset.path, error))
    }
  }
}

/// Moves the sidecar and the renditions of one photo to its new place.
private struct PhotoRelink {
  let context: EditContext
  let asset: Asset
  /// Where the original was.
  let old: FilePath

  func prepare() throws(PhotoFailure) -> PreparedEdit {
    var staged: [StagedFile<OpenFile>] = []
    do throws(PhotoFailure) { return try prepare(&staged) } catch {
      context.discard(staged)
      throw error
    }
  }

  private func prepare(_ staged: inout [StagedFile<OpenFile>]) throws(PhotoFailure) -> PreparedEdit
  {
    guard case .usable(let before, let identity)? = context.contents.sidecars[old] else {
      throw PhotoFailure(.corruptSidecar, "the sidecar of '\(old.displayed)' cannot be used")
    }
    var sidecar = before
    sidecar.original.file = RecordedName(bytes: Array(asset.file.name.bytes))
    var group = PublicationGroup<OpenFile>(renditions: [])
    var names: [RecordedName: RecordedName] = [:]
    for index in sidecar.adjustments.indices {
      let adjustment = before.adjustments[index]
      var kept: [RenditionRecord] = []
      for rendition in adjustment.renditions {
        guard let moved = try move(rendition, adjustment, before, &group, &staged) else {
          continue
        }
        names[rendition.file] = moved.file
        kept.append(moved)
      }
      sidecar.adjustments[index].renditions = kept
      if case .rendition(let name, let sha256) = adjustment.base, let new = names[name] {
        sidecar.adjustments[index].base = .rendition(new, sha256: sha256)
      }
    }
    let commit = SidecarCommit(context: context, original: asset.path)
    group.renditions.append(
      Publication(Sidecar.path(of: old), nil, expected: .identity(identity)))
    group.sidecar = try commit.publication(of: sidecar, expected: .absent)
    let outcome = AssetOutcome(
      asset.path, .upToDate, "has the edits now of '\(old.displayed)', which is gone")
    return PreparedEdit(group: group, outcome: outcome)
  }

  /// Moves a rendition that is as it was written; nil for one that is to be made again.
  private func move(
    _ rendition: RenditionRecord, _ adjustment: Adjustment, _ sidecar: Sidecar,
    _ group: inout PublicationGroup<OpenFile>, _ staged: inout [StagedFile<OpenFile>]
  ) throws(PhotoFailure) -> RenditionRecord? {
    let found = context.root.disk(rendition, adjustment, old, sidecar)
    guard case .ours(let path, let identity) = found,
      let place = adjustment.templatePath(of: rendition, original: asset.path, sidecar.original)
    else { return nil }
    var moved = rendition
    moved.file = RecordedName(place, besides: asset.path)
    if place == path { return moved }
    let files = context.root.files
    guard try PhotoFailure.attempt({ try files.status(at: place) }) == nil else { return nil }
    let copy = try PhotoFailure.attempt {
      let file = try files.open(path)
      let copy = try context.publisher.stage(in: place.removingLastComponent())
      try files.copy(file, to: copy.file)
      return copy
    }
    staged.append(copy)
    group.renditions.append(Publication(place, copy, expected: .absent))
    group.renditions.append(Publication(path, nil, expected: .identity(identity)))
    return moved
  }
}
