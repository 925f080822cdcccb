import PhotoLibrary
import SystemPackage

/// The state of the file at the path of a recorded rendition.
enum RenditionOnDisk: Sendable {
  case absent
  /// The file has the bytes that phbatch wrote.
  case ours(FilePath, FileIdentity)
  case others(FilePath)

  /// The path of the file; nil if there is none.
  var path: FilePath? {
    switch self {
    case .absent: nil
    case .ours(let path, _), .others(let path): path
    }
  }
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
    guard status.kind == .regular, Int(status.identity.size) == rendition.bytes,
      let digest = digest(of: path, digests), "\(digest)" == rendition.sha256
    else {
      // An interrupted commit may have written the file.
      let isPending = pending.concern(path) && isExplained(path)
      return isPending ? .ours(path, status.identity) : .others(path)
    }
    return .ours(path, status.identity)
  }

  /// True if an unfinished commit wrote the bytes of a file.
  func isExplained(_ path: FilePath) -> Bool {
    digest(of: path, nil).map { pending.explain($0, at: path) } ?? false
  }

  private func digest(of path: FilePath, _ known: KnownDigests?) -> Digest? {
    if let known { return try? known.digest(at: path, renditionTree, in: files) }
    return try? Digest(of: files.open(path), in: files)
  }

  /// The tree of sidecars and renditions.
  var renditionTree: LibraryTree { isMirror ? .mirror : .library }
}
