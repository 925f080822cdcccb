/// A JPEG 2000 file: boxes, or a bare codestream.
///
/// - Source: ITU-T T.800, annex A.4.1 (SOC, EOC) and annex I (boxes).
struct JP2File {
  private static let signature: [UInt8] =
    [0, 0, 0, 12] + Array("jP  ".utf8) + [0x0D, 0x0A, 0x87, 0x0A]
  private static let start: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51]
  private static let end: [UInt8] = [0xFF, 0xD9]

  let source: ByteSource
  let isBare: Bool
  let boxes: [Box]

  init?(_ source: ByteSource) {
    self.source = source
    let head = source.bytes(at: 0, Self.signature.count)
    isBare = head.starts(with: Self.start)
    guard isBare || head == Self.signature else { return nil }
    boxes = isBare ? [] : Box.all(in: source, 0..<source.count)
  }

  /// What is cut off, in words: a codestream ends with a marker, after which padding may follow.
  var missing: String? {
    var stream = 0..<source.count
    if !isBare {
      guard let box = boxes.first(where: { $0.name == "jp2c" }) else { return FileEnd.words }
      stream = box.content
    }
    let tail = source.bytes(at: max(stream.lowerBound, stream.upperBound - 64), 64)
      .prefix(min(64, stream.count))
    let bytes = Array(tail)
    let isWhole = bytes.indices.dropLast().contains {
      bytes[$0] == Self.end[0] && bytes[$0 + 1] == Self.end[1]
    }
    return isWhole ? nil : FileEnd.words
  }
}
