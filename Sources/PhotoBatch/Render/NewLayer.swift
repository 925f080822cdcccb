import PhotoLibrary
import SystemPackage

/// One adjustment of a photo's new stack, with the renditions that were made for it.
struct NewLayer {
  var adjustment: Adjustment
  /// Its place in the sidecar; nil if it is new there.
  var index: Int?
  /// Nil for an adjustment that stays as it is.
  var finished: [FinishedRendition]?

  /// The rendition that the next layer starts from, if it was made just now.
  var current: FinishedRendition? {
    guard let file = adjustment.current?.file else { return nil }
    return finished?.first { $0.record.file == file }
  }
}

/// A rendered file with the name that it is to have.
struct FinishedRendition {
  let record: RenditionRecord
  /// Below the output root.
  let path: FilePath
  let digest: Digest
  let staged: StagedFile<OpenFile>
  let facts: RenditionFacts
}
