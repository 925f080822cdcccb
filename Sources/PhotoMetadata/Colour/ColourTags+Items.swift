extension ColourTags {
  /// Reads the properties of the picture that is shown, or of its first tile.
  ///
  /// - Source: ISO/IEC 14496-12:2022, 12.1.5 (colr), 12.1.6 (clli, mdcv); ISO/IEC 23008-12:2022,
  ///   6.5.5, by which a tile's colours hold for a grid that says none.
  mutating func read(_ file: ItemFile) {
    guard let primary = file.primary else { return }
    codePoints = file.codePoints(of: primary)
    if var cursor = file.property("clli", of: primary) {
      peak = cursor.number(2).flatMap { $0 > 0 ? Double($0) : nil }
    }
    if peak == nil, var cursor = file.property("mdcv", of: primary) {
      cursor.offset = 16
      peak = cursor.number(4).flatMap { $0 > 0 ? Double($0) / 10_000 : nil }
    }
    hasLimitedGrey = file.isMonochrome(primary) && file.isLimited(primary)
    hasLimitedAlpha = file.alpha(of: primary).map(file.isLimited) ?? false
  }
}

extension ItemFile {
  /// The content of the first property of a name that a picture has, or its first tile.
  fileprivate func property(
    _ name: String, of item: Int, where fits: (ByteCursor) -> Bool = { _ in true }
  ) -> ByteCursor? {
    let tile = references(from: item, "dimg").first.map { properties(of: $0) } ?? []
    return (properties(of: item) + tile).lazy.filter { $0.name == name }.map {
      ByteCursor(source.bytes(at: $0.content.lowerBound, min(64, $0.content.count)))
    }.first(where: fits)
  }

  fileprivate func codePoints(of item: Int) -> CodePoints? {
    guard var cursor = property("colr", of: item, where: { $0.bytes.name(at: 0) == "nclx" }) else {
      return nil
    }
    cursor.offset = 4
    guard let primaries = cursor.number(2), let transfer = cursor.number(2),
      let matrix = cursor.number(2), let range = cursor.number(1)
    else { return nil }
    return CodePoints(
      primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: range >> 7 == 1)
  }

  /// Whether an AV1 picture has no colours.
  fileprivate func isMonochrome(_ item: Int) -> Bool { sequence(of: item)?.isMonochrome ?? false }

  /// Whether an AV1 picture's samples are not of the full range: the container goes before the
  /// stream.
  fileprivate func isLimited(_ item: Int) -> Bool {
    guard let sequence = sequence(of: item) else { return false }
    return !(codePoints(of: item)?.isFullRange ?? sequence.isFullRange)
  }

  /// The item that is a picture's alpha.
  fileprivate func alpha(of item: Int) -> Int? {
    references.filter { $0.kind == "auxl" && $0.targets.contains(item) }.map(\.item).first {
      property("auxC", of: $0).map { cursor in
        var cursor = cursor
        cursor.offset = 4
        return cursor.text()?.hasSuffix(":alpha") ?? false
      } ?? false
    }
  }
}
