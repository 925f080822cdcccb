import PhotoLibrary
import SystemPackage

/// The state of the file at the path of a recorded rendition.
enum RenditionOnDisk: Sendable {
  case absent
  /// The file has the bytes that phbatch wrote.
  case ours(FilePath, FileIdentity)
  /// The file has bytes that phbatch wrote for this photo, but not the recorded bytes: the record
  /// is older than the file, or the file is older than the record.
  case superseded(FilePath, FileIdentity)
  case others(FilePath)

  /// The path of the file; nil if there is none.
  var path: FilePath? {
    switch self {
    case .absent: nil
    case .ours(let path, _), .superseded(let path, _), .others(let path): path
    }
  }
}

extension RenditionOnDisk {
  /// The identity of a file that phbatch wrote; nil for other files.
  var identity: FileIdentity? {
    switch self {
    case .ours(_, let identity), .superseded(_, let identity): identity
    case .absent, .others: nil
    }
  }

  /// The path of the file if its bytes differ from the recorded bytes; nil if they are equal, or if
  /// there is no file.
  var pathOfOtherBytes: FilePath? { if case .ours = self { nil } else { path } }
}

extension OutputRoot {
  /// Checks whether a recorded rendition is unchanged since it was written.
  func disk(
    _ rendition: RenditionRecord, _ adjustment: Adjustment, _ original: FilePath,
    _ sidecar: Sidecar?, known digests: KnownDigests? = nil
  ) -> RenditionOnDisk {
    guard let sidecar,
      let path = adjustment.path(of: rendition, original: original, sidecar.original),
      let status = try? files.status(at: path)
    else { return .absent }
    guard status.kind == .regular, let digest = digest(of: path, digests) else {
      return .others(path)
    }
    if "\(digest)" == rendition.sha256 {
      // If the digest equals the record but the size does not, the record is damaged.
      return Int(digest.count) == rendition.bytes ? .ours(path, status.identity) : .others(path)
    }
    // The file is also phbatch's own if an interrupted commit wrote it before the record.
    if pending.concern(path) && pending.explain(digest, at: path) {
      return .ours(path, status.identity)
    }
    return isPublished(digest, of: original, sidecar, known: digests)
      ? .superseded(path, status.identity) : .others(path)
  }

  /// True if a file with this digest was published as a rendition of a photo.
  func isPublished(
    _ rendition: Digest, of original: FilePath, _ sidecar: Sidecar,
    known digests: KnownDigests? = nil
  ) -> Bool {
    let recorded = [sidecar.original.sha256] + sidecar.adjustments.compactMap(\.originalSHA256)
    let photos = recorded.compactMap { Digest(hexadecimal: $0, count: 0) }
    if published.contain(rendition, of: photos) { return true }
    // The photo may have changed after the sidecar was written, so its current digest counts as
    // well.
    guard
      let photo = try? digests?.digest(at: original, .library, in: library)
        ?? Digest(of: library.open(original), in: library)
    else { return false }
    return published.contain(rendition, of: [photo])
  }

  /// True if an unfinished commit wrote the bytes of a file.
  func isExplained(_ path: FilePath) -> Bool {
    digest(of: path, nil).map { pending.explain($0, at: path) } ?? false
  }

  private func digest(of path: FilePath, _ known: KnownDigests?) -> Digest? {
    if let known { return try? known.digest(at: path, renditionTree, in: files) }
    return try? Digest(of: files.open(path), in: files)
  }

  /// The tree that contains sidecars and renditions: the library, or its separate output root.
  var renditionTree: LibraryTree { isMirror ? .mirror : .library }
}
