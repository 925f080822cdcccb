/// The brands in the first box of a file in the ISO base media format, beginning with the major
/// brand.
///
/// - Source: ISO/IEC 14496-12 (the box), ISO/IEC 23008-12 (HEIF), AV1 Image File Format 1.1.
struct MediaBrands: Sendable {
  /// The brands; empty for files in other formats.
  let all: [String]
  /// True if the picture is in a `mini` box: a short box in place of the tables that describe other
  /// HEIF pictures.
  let isMinimized: Bool

  init(_ head: [UInt8]) {
    guard head.count >= 12, head[4..<8].elementsEqual("ftyp".utf8) else {
      all = []
      isMinimized = false
      return
    }
    let size = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
    let end = min(max(size, 12), head.count)
    // Includes the four bytes after the major brand. They are usually the minor version, but in
    // minimized HEIF they are a brand.
    all = stride(from: 8, through: end - 4, by: 4).map {
      String(decoding: head[$0..<($0 + 4)], as: UTF8.self)
    }
    isMinimized = head.dropFirst(end + 4).starts(with: "mini".utf8)
  }

  var major: String { all.first ?? "" }

  /// True if the file contains pictures, not a video.
  var isPicture: Bool {
    all.contains(where: Self.pictures.contains) && !Self.films.contains(major)
  }

  var isAVIF: Bool { isPicture && all.contains(where: Self.av1.contains) }

  /// True if the file is in the ISO base media format, and contains neither a picture nor a Canon
  /// raw photo (`crx `).
  var isFilm: Bool { !all.isEmpty && !isPicture && major != "crx " }

  private static let av1: Set<String> = ["avif", "avis"]
  private static let pictures: Set<String> = av1.union([
    "mif1", "mif2", "mif3", "msf1", "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs",
    "jpeg", "jpgs", "j2ki", "j2is", "avci", "avcs", "miaf", "tmap",
  ])
  /// The major brands of videos.
  ///
  /// The compatible brands of such files can include brands of pictures.
  private static let films: Set<String> = ["qt  ", "mp41", "mp42", "isom", "iso2", "M4V "]
}
