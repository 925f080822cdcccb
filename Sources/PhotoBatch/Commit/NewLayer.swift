import PhotoLibrary
import PhotoRecipes
import PhotoRender
import SystemPackage

/// One adjustment of a photo's new stack, with its new renditions.
struct NewLayer {
  var adjustment: Adjustment
  /// The index in the old sidecar of the adjustment that this one keeps or replaces; nil if it is
  /// new.
  var index: Int?
  /// The new renditions; nil if the adjustment is not rendered.
  var finished: [FinishedRendition]?

  /// The new rendition that the next layer starts from; nil if there is none.
  var current: FinishedRendition? {
    guard let file = adjustment.current?.file else { return nil }
    return finished?.first { $0.record.file == file }
  }
}

/// A rendered, staged file with the path at which it will be published.
struct FinishedRendition {
  let record: RenditionRecord
  /// The path below the output root.
  let path: FilePath
  let digest: Digest
  /// The new file; renditions of one photo that have the same path share it.
  let staged: StagedFile<OpenFile>
  let facts: Rendering.Rendition
  /// True if the path contains a digest of the file, so that other bytes have another path.
  var isNamedByContent = false
}

extension JobRenderer.Rendered {
  /// Assigns paths to the renditions, and reserves these paths for the photo.
  ///
  /// `taken` contains the renditions made earlier for the same photo, by path. A rendition that is
  /// named by its content and has the same bytes shares the earlier one's file. `captureDate` has the
  /// form `yyyy-MM-ddTHH:mm:ss`.
  func named(
    by paths: RenditionPaths, of asset: Asset, captureDate: String,
    taken: inout [FilePath: FinishedRendition], _ context: EditContext
  ) throws(PhotoFailure) -> [FinishedRendition] {
    let date =
      CivilTime(captureDate) ?? CivilTime(nanoseconds: asset.file.status.identity.modified)
    var finished: [FinishedRendition] = []
    for (output, facts, staged) in files {
      let digest = try PhotoFailure.attempt { try Digest(of: staged.file, in: context.root.files) }
      let photo = PairedFilm.output(of: facts.output).flatMap { name in
        finished.first { $0.record.output == name }
      }
      let path = try paths.path(
        of: output, asset.path, size: photo?.facts.size ?? facts.size, photo?.digest ?? digest,
        date: date, isFilm: photo != nil)
      let isNamedByContent = paths.areNamedByContent(output)
      let earlier = taken[path]
      if let earlier, !isNamedByContent || earlier.digest != digest {
        throw PhotoFailure(
          .collision, "two outputs would be written to '\(path.displayed)'",
          hint: "put {output} or {recipe} into their paths")
      }
      try context.ledger.claim(path, for: asset.path)
      let record = RenditionRecord(
        output: facts.output, file: RecordedName(path, besides: asset.path),
        bytes: Int(digest.count), sha256: "\(digest)", width: facts.size.width,
        height: facts.size.height, isCurrent: photo == nil && output.isCurrent)
      if earlier != nil { context.discard([staged]) }
      let rendition = FinishedRendition(
        record: record, path: path, digest: digest, staged: earlier?.staged ?? staged,
        facts: facts, isNamedByContent: isNamedByContent)
      taken[path] = rendition
      finished.append(rendition)
    }
    return finished
  }
}
