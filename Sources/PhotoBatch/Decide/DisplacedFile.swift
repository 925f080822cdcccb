import PhotoLibrary
import SystemPackage

/// A rendition file that an edit replaces, moves or removes, with the record that the sidecar gets
/// if the file is kept.
struct DisplacedFile {
  let state: RenditionOnDisk
  let record: KeptRendition
  /// The names of the outputs that record the file.
  var outputs: Set<String> = []
}

extension StackState {
  /// The indices in the sidecar of all adjustments but the displaced ones.
  func indices(besides displaced: [Int]) -> [Int] {
    (sidecar?.adjustments.indices).map { $0.filter { !displaced.contains($0) } } ?? []
  }

  /// The paths of the renditions of all adjustments but the displaced ones.
  ///
  /// Renditions of several adjustments that are named by their content may share a file.
  func paths(besides displaced: [Int]) -> Set<FilePath> {
    let staying = indices(besides: displaced).compactMap { sidecar?.adjustments[$0] }
    return Set(staying.flatMap(\.renditions).compactMap { $0.file.path(besides: original) })
  }

  /// Returns the existing files of the adjustments at these indices in the sidecar; with `paths`,
  /// only those at these paths.
  func files(of indices: [Int], at paths: Set<FilePath>? = nil) -> [FilePath: DisplacedFile] {
    var files: [FilePath: DisplacedFile] = [:]
    for index in indices {
      guard let adjustment = sidecar?.adjustments[index] else { continue }
      for rendition in adjustment.renditions {
        if let paths, !(rendition.file.path(besides: original).map(paths.contains) ?? false) {
          continue
        }
        var found = disk(rendition, adjustment)
        // An adopted rendition belongs to a user, even if phbatch wrote its bytes.
        if adjustment.isForeign, let path = found.path { found = .others(path) }
        if let path = found.path {
          let outputs = files[path]?.outputs ?? []
          files[path] = DisplacedFile(
            state: found, record: KeptRendition(rendition, of: adjustment),
            outputs: outputs.union([rendition.output]))
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
