import Testing

/// Edits boxes of files, for contents that no available encoder writes.
enum BoxEditing {
  /// Returns the file with the content of a box replaced; the box is inside a top-level box.
  ///
  /// - Source: ISO/IEC 14496-12:2022, 4.2, with box lengths of four bytes.
  static func replacing(
    _ name: String, in parent: String, of file: [UInt8], by content: [UInt8]
  ) throws -> [UInt8] {
    let outer = try #require(place(of: parent, in: file, 0..<file.count))
    let inner = try #require(place(of: name, in: file, (outer.lowerBound + 8)..<outer.upperBound))
    let box = number(content.count + 8) + Array(name.utf8) + content
    let length = outer.count - inner.count + box.count
    return file[..<outer.lowerBound] + number(length)
      + file[(outer.lowerBound + 4)..<inner.lowerBound] + box + file[inner.upperBound...]
  }

  private static func place(
    of name: String, in file: [UInt8], _ range: Range<Int>
  ) -> Range<Int>? {
    var offset = range.lowerBound
    while offset + 8 <= range.upperBound {
      let length = file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = length == 0 ? range.upperBound : offset + max(8, length)
      if file[offset + 4..<offset + 8].elementsEqual(name.utf8) { return offset..<end }
      offset = end
    }
    return nil
  }

  private static func number(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
