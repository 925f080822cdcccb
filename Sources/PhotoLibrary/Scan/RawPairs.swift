import PhotoRecipes

/// The raw photos and the JPEG or HEIF photos of one folder that have the same name before the
/// extension, because a camera has written both.
public enum RawPairs {
  /// The names of the files that have a partner; upper and lower case of ASCII letters are equal.
  public static func names(in files: some Collection<ScannedFile>) -> Set<FileName> {
    guard files.contains(where: { $0.claim.family == .raw }) else { return [] }
    var pairs: [FileName: (raw: [FileName], photos: [FileName])] = [:]
    for file in files {
      let stem = FileName(bytes: file.name.stem).folded
      switch file.claim {
      case .unsupported(let format) where format.family == .raw:
        pairs[stem, default: ([], [])].raw.append(file.name)
      case .photo(.jpeg), .photo(.heif): pairs[stem, default: ([], [])].photos.append(file.name)
      default: continue
      }
    }
    return Set(
      pairs.values.filter { !$0.raw.isEmpty && !$0.photos.isEmpty }.flatMap { $0.raw + $0.photos })
  }
}
