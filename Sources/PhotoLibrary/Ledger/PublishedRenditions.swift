import Synchronization

/// The renditions in the ledger of an output root; the ledger is read when the first is searched.
public final class PublishedRenditions: Sendable {
  private let ledger: RenditionLedger<RealFileSystem>
  /// The fingerprints of the records; nil before the first search.
  private let fingerprints = Mutex<Set<UInt64>?>(nil)

  init(_ files: RealFileSystem) { ledger = RenditionLedger(files) }

  /// True if a rendition with this digest was published that was made from one of these originals.
  public func contain(_ rendition: Digest, of originals: [Digest]) -> Bool {
    let sought = (originals + [nil]).map {
      PublishedRendition(rendition, original: $0).fingerprint
    }
    return fingerprints.withLock { known in
      if known == nil { known = ledger.fingerprints() }
      return sought.contains { known?.contains($0) ?? false }
    }
  }
}
