extension EXIF {
  /// The block with its TIFF header, of at most `limit` bytes; what had to be left out is added to
  /// `warnings`.
  ///
  /// A MakerNote that cannot be moved stands where it stood.
  func block(limit: Int, _ warnings: inout [String]) -> [UInt8] {
    var exif = self
    while true {
      let bytes = exif.block()
      if bytes.count <= limit { return bytes }
      let largest = Directory.allCases.flatMap { directory in
        exif[directory].map { (directory, $0) }
      }.max { $0.1.bytes.count < $1.1.bytes.count }
      guard let (directory, entry) = largest else { return [] }
      // A MakerNote far back makes the block long, however short it is.
      let note = exif[.makerNote]
      if let note, let place = exif.fixedPlace, place + note.bytes.count > limit {
        exif.remove(.makerNote)
        warnings.append("the MakerNote was left out: there is no room for it where it stood")
      } else {
        exif.removeAll { $0 == directory && $1.tag == entry.tag }
        let tag = String(entry.tag, radix: 16, uppercase: true)
        warnings.append(
          "the EXIF tag 0x\(tag) of \(entry.bytes.count) bytes was left out: there is no room")
      }
    }
  }

  /// Where the MakerNote must stand; nil where it may stand anywhere.
  private var fixedPlace: Int? {
    guard let note = self[.makerNote], note.bytes.count > 4, !MakerNote.isMovable(note.bytes),
      let offset = makerNoteOffset, offset >= 8, offset < 1 << 20
    else { return nil }
    return offset
  }

  private func block() -> [UInt8] {
    let head: [UInt8] = order == .little ? [0x49, 0x49] : [0x4D, 0x4D]
    let fixed = fixedPlace
    let reserved = fixed.map { $0..<($0 + (self[.makerNote]?.bytes.count ?? 0)) }
    var writer = DirectoryWriter(order: order, start: 8, reserved: reserved)
    writer.write(slots(), at: fixed.map { (EXIFTag.makerNote.number, $0) })
    return head + order.bytes(42, 2) + order.bytes(writer.places[.primary] ?? 8, 4) + writer.bytes
  }
}
