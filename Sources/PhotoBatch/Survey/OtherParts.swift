import PhotoLibrary
import Synchronization
import SystemPackage

/// The facts about the other parts of a library that the search for orphans in one part needs.
final class OtherParts: Sendable {
  /// The path templates that only sidecars record.
  let places: Set<RenditionPlace>
  /// The published renditions when the command began; those of the command itself are left out.
  let ledger: RenditionLedger<RealFileSystem>.Extent
  private let root: OutputRoot
  private let folders: [FilePath]
  /// The photos with sidecars, by the digests that these record; nil before the first search.
  private let photos = Mutex<[DigestPrefix: FilePath]?>(nil)

  /// Prepares the search; `folders` are the folders of the library in all parts.
  init(
    _ root: OutputRoot, _ folders: [FilePath], places: Set<RenditionPlace>,
    _ ledger: RenditionLedger<RealFileSystem>.Extent
  ) {
    (self.root, self.folders, self.places, self.ledger) = (root, folders, places, ledger)
  }

  /// The photo whose sidecar records this digest; nil if there is none.
  ///
  /// The sidecars of all parts are read when the first photo is sought, because few libraries have
  /// renditions without a record whose original does not follow from their paths.
  func photo(_ digest: DigestPrefix) -> FilePath? {
    photos.withLock { photos in
      let known = photos ?? search()
      photos = known
      return known[digest]
    }
  }

  private func search() -> [DigestPrefix: FilePath] {
    var found: [DigestPrefix: FilePath] = [:]
    for folder in folders {
      guard let scanned = try? Scan(root.library).list(folder).scanned() else { continue }
      var reader = SidecarReader(root)
      for (path, sidecar) in reader.read([scanned], .library) {
        guard let text = sidecar.sidecar?.original.sha256,
          let digest = DigestPrefix(hexadecimal: text)
        else { continue }
        // If several photos have the same bytes, the first in the order of paths is chosen.
        if let other = found[digest], other.string < path.string { continue }
        found[digest] = path
      }
    }
    return found
  }
}
