/// The first directory of a TIFF file, as far as the first bytes hold it.
///
/// - Source: TIFF 6.0, 1992; Adobe DNG 1.7, 2023, for the tags of raw data.
struct TIFFHead {
  /// Whether the picture is a camera's sensor data, and the first directory only a preview.
  let isRaw: Bool

  private enum Tag {
    static let newSubfileType = 254
    static let compression = 259
    static let photometricInterpretation = 262
    static let subdirectories = 330
    static let dngVersion = 50_706
  }

  /// Colour filter array, and linear raw.
  private static let rawInterpretations = [32_803, 34_892]
  /// Nikon's, Kodak's, Pentax', Samsung's and Sony's, in this order.
  private static let rawCompressions = [34_713, 65_000, 65_535, 32_770, 32_767]

  /// Nil if the bytes are no TIFF file.
  init?(_ head: [UInt8]) {
    guard head.count >= 8 else { return nil }
    let isLittle: Bool
    switch (head[0], head[1]) {
    case (0x49, 0x49): isLittle = true
    case (0x4D, 0x4D): isLittle = false
    default: return nil
    }
    let bytes = TIFFBytes(head: head, isLittle: isLittle)
    guard let version = bytes.short(at: 2), version == 42 || version == 43 else { return nil }
    // Canon and Phase One write who they are where other files may begin.
    let mark = head.dropFirst(8)
    if mark.starts(with: [0x43, 0x52, 2]) || mark.starts(with: [0x49, 0x49, 0x49, 0x49]) {
      isRaw = true
    } else {
      isRaw = version == 42 && Self.isRaw(bytes.directory())
    }
  }

  private static func isRaw(_ directory: [Int: Int]) -> Bool {
    if directory[Tag.dngVersion] != nil { return true }
    if let value = directory[Tag.photometricInterpretation], rawInterpretations.contains(value) {
      return true
    }
    if let value = directory[Tag.compression], rawCompressions.contains(value) { return true }
    let isReduced = (directory[Tag.newSubfileType] ?? 0) & 1 == 1
    return isReduced && directory[Tag.subdirectories] != nil
  }
}

/// Numbers in the byte order of a TIFF file; nil beyond what is there.
private struct TIFFBytes {
  let head: [UInt8]
  let isLittle: Bool

  func short(at offset: Int) -> Int? { number(at: offset, size: 2) }

  /// The entries of the first directory: tag and first value, or where the values are.
  func directory() -> [Int: Int] {
    guard let start = number(at: 4, size: 4), let count = short(at: start) else { return [:] }
    var entries: [Int: Int] = [:]
    for index in 0..<count {
      let entry = start + 2 + 12 * index
      guard let tag = short(at: entry), let type = short(at: entry + 2),
        let value = number(at: entry + 8, size: type == 3 ? 2 : 4)
      else { break }
      entries[tag] = value
    }
    return entries
  }

  private func number(at offset: Int, size: Int) -> Int? {
    guard offset >= 0, offset + size <= head.count else { return nil }
    let bytes = head[offset..<(offset + size)]
    return isLittle
      ? bytes.reversed().reduce(0) { $0 << 8 | Int($1) } : bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
