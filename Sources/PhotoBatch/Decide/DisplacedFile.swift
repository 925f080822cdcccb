import PhotoLibrary
import SystemPackage

/// A rendition file that an edit replaces, moves or removes, with the record that the sidecar gets
/// if the file is kept.
struct DisplacedFile {
  let state: RenditionOnDisk
  let record: KeptRendition
}

extension StackState {
  /// Returns the existing files of adjustments that are rendered again, moved or removed.
  ///
  /// `displaced` are the indices of these adjustments in the sidecar.
  func files(displacing displaced: [Int]) -> [FilePath: DisplacedFile] {
    var files: [FilePath: DisplacedFile] = [:]
    for index in displaced {
      guard let adjustment = sidecar?.adjustments[index] else { continue }
      for rendition in adjustment.renditions {
        var found = disk(rendition, adjustment)
        // An adopted rendition belongs to a user, even if phbatch wrote its bytes.
        if adjustment.isForeign, let path = found.path { found = .others(path) }
        if let path = found.path {
          files[path] = DisplacedFile(
            state: found, record: KeptRendition(rendition, of: adjustment))
        }
      }
    }
    return files
  }

  /// The state of the file of a recorded rendition.
  func disk(_ rendition: RenditionRecord, _ adjustment: Adjustment) -> RenditionOnDisk {
    context.root.disk(rendition, adjustment, original, sidecar, known: context.digests)
  }
}
