/// A set of file names, which finds the other files of the same photos.
///
/// Photos wait while files with these names are not stable.
///
/// The files of one photo have the same stem, or one file's stem is the beginning of another's
/// whole name: a HEIC and its AAE, a raw file and its JPEG, an edited image and its original, a
/// photo and its sidecars. Examples: `IMG_1.AAE`, `IMG_1.JPG.xmp`, `IMG_E1.JPG`,
/// `IMG_1_01.JPG.xmp`, `IMG_1.web.jpg`.
public struct GroupNames: Sendable {
  private var stems: Set<FileName> = []
  /// The beginnings of the names: for each dot in a name, the text before the dot.
  private var beginnings: Set<FileName> = []

  public init() {}

  public mutating func insert(_ name: FileName) {
    for name in Self.spellings(of: name) {
      stems.insert(FileName(bytes: name.stem))
      beginnings.formUnion(Self.beginnings(of: name))
    }
  }

  /// True if the file with this name belongs to the same photo as one of the names.
  public func concern(_ name: FileName) -> Bool {
    if stems.isEmpty { return false }
    return Self.spellings(of: name).contains { name in
      beginnings.contains(FileName(bytes: name.stem))
        || Self.beginnings(of: name).contains(where: stems.contains)
    }
  }

  /// The names, in lower case, that the photo of a file with this name may have.
  private static func spellings(of name: FileName) -> [FileName] {
    var subject = name.folded
    if subject.hasSuffix(".phbatch.json") {
      subject = FileName(bytes: subject.bytes.dropLast(".phbatch.json".utf8.count))
    }
    let stem = FileName(bytes: subject.stem)
    let others = [
      stem.withoutMark("E"), stem.withoutMark("O"), stem.withoutDuplicateNumber,
      subject.withoutDuplicateNumber,
    ]
    return [subject] + others.compactMap(\.self)
  }

  private static func beginnings(of name: FileName) -> [FileName] {
    let dots = name.bytes.indices.filter { name.bytes[$0] == UInt8(ascii: ".") }
    let found = dots.filter { $0 > name.bytes.startIndex }.map {
      FileName(bytes: name.bytes[..<$0])
    }
    return found.isEmpty ? [name] : found
  }
}
