import FileStructure

/// The end of a film's file.
///
/// A demuxer reports the end of a file that was cut off between two frames as the end of the film.
enum FilmEnd {
  /// True if the container states that the file is longer than it is.
  ///
  /// - Source: ISO/IEC 14496-12:2022, 4.2; RFC 8794, 4.4 and 6.1; RFC 9559, 5.1.
  static func isMissing(in file: ByteSource) -> Bool {
    if file.bytes(at: 0, 4) == [0x1A, 0x45, 0xDF, 0xA3] { return isSegmentCut(file) }
    let end = Box.all(in: file, 0..<file.count).last?.end ?? 0
    let head = file.bytes(at: end, 8)
    guard head.count == 8, let length = head.number(at: 0, 4, .big) else { return false }
    // Bytes after the last box are part of the film only if they begin with a box header, with a
    // printable name.
    let isName = head[4...].allSatisfy { (0x20...0x7E).contains($0) }
    return isName && (length == 1 || length > file.count - end)
  }

  /// True if the segment of a Matroska file reaches beyond the end of the file.
  private static func isSegmentCut(_ file: ByteSource) -> Bool {
    guard let head = element(file, at: 0), let length = head.length,
      let segment = element(file, at: head.start + length), let size = segment.length
    else { return false }
    return segment.start > file.count || size > file.count - segment.start
  }

  /// The content of an EBML element: where it starts, and its length; nil if that is unknown, as in
  /// a live stream.
  private static func element(_ file: ByteSource, at offset: Int) -> (start: Int, length: Int?)? {
    guard let first = file.bytes(at: offset, 1).first else { return nil }
    let name = first.leadingZeroBitCount + 1
    guard name <= 4, let lead = file.bytes(at: offset + name, 1).first else { return nil }
    let width = lead.leadingZeroBitCount + 1
    guard width <= 8, let number = file.number(at: offset + name, width, .big) else { return nil }
    let all = 1 << (7 * width) - 1
    let length = number & all
    return (offset + name + width, length == all ? nil : length)
  }
}
