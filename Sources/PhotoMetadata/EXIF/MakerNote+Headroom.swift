import FileStructure
import Glibc

extension EXIF {
  /// The headroom of an iPhone's photo, as a factor, from the camera's MakerNote; nil if the note
  /// states none.
  ///
  /// - Source: Apple, "Applying Apple HDR effect to your photos".
  var appleHeadroom: Double? {
    guard let note = self[.makerNote]?.bytes, note.starts(with: MakerNote.apple),
      let a = MakerNote.appleFraction(33, in: note), let b = MakerNote.appleFraction(48, in: note)
    else { return nil }
    let stops =
      switch (a < 1, b <= 0.01) {
      case (true, true): -20 * b + 1.8
      case (true, false): -0.101 * b + 1.601
      case (false, true): -70 * b + 3
      case (false, false): -0.303 * b + 2.303
      }
    return exp2(max(stops, 0))
  }
}

extension MakerNote {
  fileprivate static let apple = Array("Apple iOS\0".utf8)

  /// The fraction of a tag in Apple's MakerNote; nil if the note does not contain the tag.
  ///
  /// The note is a TIFF directory in its own byte order; offsets count from the start of the note.
  fileprivate static func appleFraction(_ tag: Int, in note: [UInt8]) -> Double? {
    let start = apple.count + 2
    let order = note.dropFirst(start).first == UInt8(ascii: "I") ? ByteOrder.little : .big
    for entry in entries(of: tag, .rational, .signedRational, in: note, at: start + 2, order) {
      guard let place = note.number(at: entry + 8, 4, order),
        let top = note.number(at: place, 4, order),
        let bottom = note.number(at: place + 4, 4, order), bottom != 0
      else { continue }
      return Double(Int32(truncatingIfNeeded: top)) / Double(Int32(truncatingIfNeeded: bottom))
    }
    return nil
  }
}
