extension TIFFFile {
  /// Tags that say how the one picture of a file is stored and shown.
  ///
  /// - Source: TIFF Revision 6.0, appendix A; TIFF Technical Notes 1 and 2 for Photoshop; ICC.1:2022,
  ///   annex B.
  private static let pictureTags: Set<UInt16> = [
    254, 256, 257, 258, 259, 262, 263, 266, 273, 274, 277, 278, 279, 280, 281, 282, 283, 284, 290,
    291, 292, 293, 296, 301, 317, 318, 319, 320, 321, 322, 323, 324, 325, 332, 334, 336, 338, 339,
    340, 341, 342, 347, 529, 530, 531, 532, 34675,
  ]
  /// The lengths of strips and of tiles.
  private static let lengthTags: Set<UInt16> = [279, 325]

  /// Whether the file holds one picture, what says how it is stored, and no byte besides but one for
  /// alignment after each piece.
  var isPlain: Bool {
    let fields = fields(at: firstDirectory)
    guard !fields.isEmpty, next(after: firstDirectory) == 0 else { return false }
    var used = (isBig ? 16 : 8) + countWidth + fields.count * entryWidth + offsetWidth + 1
    for field in fields {
      guard Self.pictureTags.contains(field.tag), let type = field.type,
        field.count <= source.count / type.size
      else { return false }
      if field.count * type.size > offsetWidth { used += field.count * type.size + 1 }
      guard Self.lengthTags.contains(field.tag) else { continue }
      guard let lengths = value(field, limit: source.count) else { return false }
      for place in stride(from: 0, to: lengths.count, by: type.size) {
        used += min(lengths.number(at: place, type.size, order) ?? 0, source.count) + 1
      }
    }
    return used >= source.count
  }
}
