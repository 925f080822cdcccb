extension EXIF {
  /// A date as `yyyy-MM-ddTHH:mm:ss`; nil where it is none, as one of zeros or spaces.
  func date(_ tag: EXIFTag) -> String? {
    guard let text = text(tag) else { return nil }
    let shape = "0000:00:00 00:00:00"
    let stamp = text.prefix(shape.count)
    let fits = zip(stamp, shape).allSatisfy { $1 == "0" ? ("0"..."9").contains($0) : $0 == $1 }
    guard fits, stamp.count == shape.count, !stamp.hasPrefix("0000") else { return nil }
    return String(stamp.prefix(10).map { $0 == ":" ? "-" : $0 }) + "T" + stamp.suffix(8)
  }
}
