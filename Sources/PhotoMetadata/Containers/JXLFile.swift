/// A JPEG XL file: boxes, or a bare codestream.
///
/// - Source: ISO/IEC 18181-2:2024, 4 to 9.
struct JXLFile {
  static let codestream: [UInt8] = [0xFF, 0x0A]
  /// The signature box.
  static let signature: [UInt8] =
    [0, 0, 0, 12] + Array("JXL ".utf8) + [0x0D, 0x0A, 0x87, 0x0A]

  let source: ByteSource
  let isBare: Bool
  let boxes: [Box]

  init?(_ source: ByteSource) {
    self.source = source
    let head = source.bytes(at: 0, Self.signature.count)
    isBare = head.starts(with: Self.codestream)
    guard isBare || head == Self.signature else { return nil }
    boxes = isBare ? [] : Box.all(in: source, 0..<source.count)
  }

  /// Whether all parts of the codestream are there: the last of several says that it is.
  var isWhole: Bool {
    boxes.contains { box in
      switch box.name {
      case "jxlc": true
      case "jxlp": (source.number(at: box.content.lowerBound, 1, .big) ?? 0) & 0x80 != 0
      default: false
      }
    }
  }

  var blocks: Blocks {
    var blocks = Blocks()
    var compressed = 0
    for box in boxes {
      switch box.name {
      case "Exif", "xml ": content(box).map { blocks.take($0, of: box.name) }
      case "brob":
        guard let name = source.bytes(at: box.content.lowerBound, 4).name(at: 0),
          name == "Exif" || name == "xml ", compressed < Self.mostCompressed
        else { continue }
        compressed += 1
        if let bytes = expanded(box) {
          blocks.take(bytes, of: name)
        } else {
          blocks.hasDamagedBoxes = true
        }
      case "jhgm": blocks.attachments.insert(.gainMap)
      default: continue
      }
    }
    return blocks
  }

  /// A file needs two.
  private static let mostCompressed = 4

  /// What a compressed box holds, behind the name of what it stands for.
  private func expanded(_ box: Box) -> [UInt8]? {
    content(box).flatMap { Array($0.dropFirst(4)).brotliExpanded(limit: Blocks.limit) }
  }

  private func content(_ box: Box) -> [UInt8]? {
    source.whole(at: box.content.lowerBound, box.content.count, limit: Blocks.limit)
  }

  func splice(
    _ metadata: Metadata, _ warnings: inout [String]
  ) throws(MetadataError) -> Splice {
    var splice = Splice()
    var added: [UInt8] = []
    if let exif = metadata.exif {
      let block = exif.block(limit: Blocks.limit, &warnings)
      added += Box.bytes("Exif", [0, 0, 0, 0] + block)
    }
    if let xmp = metadata.xmp { added += Box.bytes("xml ", xmp.packet) }
    if isBare {
      if added.isEmpty { return splice }
      guard source.count < Int(UInt32.max) - 8 else { throw .malformed("it is too long") }
      let type = Box.bytes("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
      let head = ByteOrder.big.bytes(source.count + 8, 4) + Array("jxlc".utf8)
      splice.add(at: 0, inserting: Self.signature + type + head)
      splice.add(at: source.count, inserting: added)
      return splice
    }
    for box in boxes where Self.metadata.contains(box.name) {
      splice.add(at: box.offset, removing: box.length)
    }
    guard isWhole, let last = boxes.last else { throw .malformed("its picture is cut off") }
    splice.add(at: last.end, removing: source.count - last.end)
    if last.isOpen && !added.isEmpty {
      // A box that goes on to the end must say where it ends now.
      guard last.length <= Int(UInt32.max) else { throw .malformed("it is too long") }
      splice.patch(at: last.offset, ByteOrder.big.bytes(last.length, 4))
    }
    splice.add(at: source.count, inserting: added)
    return splice
  }

  private static let metadata: Set<String> = ["Exif", "xml ", "brob", "jumb", "jhgm"]
  private static let known: Set<String> = [
    "JXL ", "ftyp", "jxll", "jxli", "jxlc", "jxlp", "Exif", "xml ",
  ]

  var strangeParts: [String] {
    let strange = boxes.map(\.name).filter { !Self.known.contains($0) }.map { "a '\($0)' box" }
    let end = boxes.last?.end ?? source.count
    return end < source.count ? strange + ["bytes after the picture"] : strange
  }
}

extension Blocks {
  /// Takes the content of a box of this name, of several the first.
  fileprivate mutating func take(_ bytes: [UInt8], of name: String) {
    if name == "xml " {
      if xmp.isEmpty { xmp.append(bytes) }
    } else if exif == nil {
      exif = ItemFile.exif(bytes)
    }
  }
}
