extension ColourTags {
  /// Reads the properties of the picture that is shown, or of its first tile.
  ///
  /// - Source: ISO/IEC 14496-12:2022, 12.1.5 (colr), 12.1.6 (clli, mdcv); ISO/IEC 23008-12:2022,
  ///   6.5.5, by which a tile's colours hold for a grid that says none.
  mutating func read(_ file: ItemFile) {
    guard let primary = file.primary else { return }
    let own = file.properties(of: primary)
    let tile = file.references(from: primary, "dimg").first.map { file.properties(of: $0) } ?? []
    func first(_ name: String, where fits: (Box) -> Bool = { _ in true }) -> Box? {
      (own + tile).first { $0.name == name && fits($0) }
    }
    func cursor(_ box: Box, at offset: Int = 0) -> ByteCursor {
      ByteCursor(
        file.source.bytes(at: box.content.lowerBound, min(64, box.content.count)), at: offset)
    }
    if let box = first("colr", where: { cursor($0).bytes.name(at: 0) == "nclx" }) {
      var cursor = cursor(box, at: 4)
      if let primaries = cursor.number(2), let transfer = cursor.number(2),
        let matrix = cursor.number(2), let range = cursor.number(1)
      {
        codePoints = CodePoints(
          primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: range >> 7 == 1)
      }
    }
    if let box = first("clli") {
      var cursor = cursor(box)
      peak = cursor.number(2).flatMap { $0 > 0 ? Double($0) : nil }
    }
    if peak == nil, let box = first("mdcv") {
      var cursor = cursor(box, at: 16)
      peak = cursor.number(4).flatMap { $0 > 0 ? Double($0) / 10_000 : nil }
    }
  }
}
