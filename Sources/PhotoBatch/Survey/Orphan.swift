import PhotoLibrary
import SystemPackage

/// A rendition that no sidecar records, or that has a sidecar of its own; a run neither edits nor
/// overwrites it.
struct Orphan: Sendable {
  let asset: Asset
  let evidence: Evidence
  /// The photo from which the rendition was made; nil if that photo is not known.
  let original: FilePath?
  /// True if the file has a sidecar of its own, as if it were a photo.
  let hasSidecar: Bool
  /// True if the original's sidecar records the file, so that the file is an orphan only because it
  /// also has a sidecar of its own.
  let isClaimed: Bool
  /// The orphan with which the file is a Live Photo, if the file is its film; nil otherwise.
  var photo: FilePath?

  var path: FilePath { asset.path }

  init(
    _ asset: Asset, _ evidence: Evidence, _ original: FilePath?, hasSidecar: Bool = false,
    isClaimed: Bool = false
  ) {
    (self.asset, self.evidence, self.original) = (asset, evidence, original)
    (self.hasSidecar, self.isClaimed) = (hasSidecar, isClaimed)
  }

  /// The reason why a file is treated as a rendition.
  enum Evidence: Sendable, Hashable {
    /// The file's digest is in the ledger or in the sidecar that records the file, so phbatch made
    /// these bytes.
    case digest
    /// A mark in the file names the photo; another program may have changed the file since.
    case mark
    /// The file is the film of an orphan: both state the same content identifier.
    case pair
    /// The file is at the path that a recipe gives to the rendition of an output; nil if several
    /// outputs have this path.
    case place(output: String?)

    /// True if the file's bytes show that phbatch made it, or the rendition that it comes from.
    var isInBytes: Bool { if case .place = self { false } else { true } }
  }

  /// The file in words, for reports.
  var detail: String {
    switch (evidence, original) {
    case (.digest, let original?) where isClaimed:
      "a rendition of '\(original.displayed)', but it has its own sidecar, as an original has"
    case (.digest, let original?): "a rendition of '\(original.displayed)' without a record"
    case (.digest, nil): "a rendition of an unknown photo, without a record"
    case (.mark, let original):
      "a rendition of '\(original?.displayed ?? "")', or a copy of one, without a record"
    case (.pair, _):
      "the film of '\(photo?.displayed ?? "")', a rendition without a record"
    case (.place(let output), let original):
      "the file has the path of "
        + (output.map { "the rendition '\($0)'" } ?? "a rendition")
        + " of '\(original?.displayed ?? "")', but no record"
    }
  }

  /// The advice to the user, for a file that a user may have made or changed; nil for a file that
  /// phbatch wrote.
  var hint: String? {
    switch evidence {
    case .digest: nil
    case .mark:
      "if it is not needed, 'phbatch prune FILE --yes' moves it to the trash; if it is a photo of its"
        + " own, remove its xmpMM:DerivedFrom"
    case .pair:
      "if it is not needed, 'phbatch prune FILE --yes' with its photo's path moves both to the trash"
    case .place:
      "if it is a rendition, 'phbatch prune FILE --yes' moves it to the trash; if it is a photo"
        + " of its own, rename it or change the output's path"
    }
  }
}

extension PhotoPlan {
  /// The plan for an orphan: the run leaves the file as it is.
  init(_ orphan: Orphan) {
    self.init(
      orphan.path, .leave(.orphan), orphan.detail + "; see 'phbatch prune'", hint: orphan.hint)
    isLasting = true
  }
}
