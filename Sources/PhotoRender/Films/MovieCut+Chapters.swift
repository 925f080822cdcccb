import FileStructure

extension MovieCut {
  /// A `udta` box with the chapters of this part of the film; nil if it has no chapters.
  ///
  /// - Source: Adobe, "Video File Format Specification, Version 10", and the box `chpl` as FFmpeg
  ///   reads and writes it: from version 1, four reserved bytes precede the number of chapters.
  func chapters(in box: [UInt8]) -> [UInt8]? {
    let source = ByteSource.bytes(box)
    guard let list = Box.all(in: source, 8..<box.count).first(where: { $0.name == "chpl" }),
      list.content.count > 9
    else { return nil }
    let units = 1e7
    let head = list.content.lowerBound
    let counter = head + (box[head] == 0 ? 4 : 8)
    var (place, all): (Int, [(start: Double, title: ArraySlice<UInt8>)]) = (counter + 1, [])
    for _ in 0..<Int(box[counter]) {
      guard place + 9 <= list.end, place + 9 + Int(box[place + 8]) <= list.end else { return nil }
      let title = box[(place + 8)..<(place + 9 + Int(box[place + 8]))]
      all.append((Double(box.number(place, 8)) / units, title))
      place += 8 + title.count
    }
    var (entries, count): ([UInt8], UInt8) = ([], 0)
    for (index, chapter) in all.enumerated() {
      let end = index + 1 < all.count ? all[index + 1].start : .infinity
      guard end > seconds.lowerBound, chapter.start < seconds.upperBound else { continue }
      let start = max(0, chapter.start - seconds.lowerBound)
      entries += ByteOrder.big.bytes(Int((start * units).rounded()), 8) + chapter.title
      count += 1
    }
    let new = Box.bytes("chpl", Array(box[head..<counter]) + [count] + entries)
    return Box.bytes("udta", Array(box[8..<list.offset]) + new + Array(box[list.end...]))
  }
}
