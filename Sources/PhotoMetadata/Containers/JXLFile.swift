import CBrotli
import FileStructure

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

  /// True if the codestream is complete: it is in one box, or the part that is marked as the last
  /// is present.
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
      case "Exif", "xml ": content(box).map { blocks.add($0, of: box.name) }
      case "brob":
        guard let name = source.bytes(at: box.content.lowerBound, 4).name(at: 0),
          name == "Exif" || name == "xml ", compressed < Self.mostCompressed
        else { continue }
        compressed += 1
        if let bytes = expanded(box) {
          blocks.add(bytes, of: name)
        } else {
          blocks.hasDamagedBoxes = true
        }
      case "jumb":
        let content = source.bytes(at: box.content.lowerBound, min(box.content.count, 64))
        if ContentCredentials.areDescribed(by: content) { blocks.attachments.insert(.credentials) }
      case "jhgm": blocks.attachments.insert(.gainMap)
      default: continue
      }
    }
    return blocks
  }

  /// The maximum number of compressed boxes that are read; a file needs two.
  private static let mostCompressed = 4

  /// The expanded content of a compressed box, which begins with the name of the box that it
  /// replaces; nil if it cannot be expanded.
  private func expanded(_ box: Box) -> [UInt8]? {
    content(box).flatMap { Array($0.dropFirst(4)).brotliExpanded(limit: Blocks.limit) }
  }

  private func content(_ box: Box) -> [UInt8]? {
    source.whole(at: box.content.lowerBound, box.content.count, limit: Blocks.limit)
  }

  func edits(
    embedding metadata: Metadata, _ warnings: inout [String]
  ) throws(MetadataError) -> FileEdits {
    var edits = FileEdits()
    var added: [UInt8] = []
    if let exif = metadata.exif {
      let block = exif.block(limit: Blocks.limit, &warnings)
      added += Box.bytes("Exif", [0, 0, 0, 0] + block)
    }
    if let xmp = metadata.xmp { added += Box.bytes("xml ", xmp.packet) }
    if let map = metadata.gainMap {
      guard let box = map.jxlBox else { throw .malformed("the gain map is not a JPEG XL picture") }
      added += box
    }
    if isBare {
      if added.isEmpty { return edits }
      guard source.count < Int(UInt32.max) - 8 else { throw .malformed("the file is too long") }
      let type = Box.bytes("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
      let head = ByteOrder.big.bytes(source.count + 8, 4) + Array("jxlc".utf8)
      edits.add(at: 0, inserting: Self.signature + type + head)
      edits.add(at: source.count, inserting: added)
      return edits
    }
    for box in boxes where Self.metadata.contains(box.name) {
      edits.add(at: box.offset, removing: box.length)
    }
    guard isWhole, let last = boxes.last else { throw .malformed("the picture is cut off") }
    edits.add(at: last.end, removing: source.count - last.end)
    if last.isOpen && !added.isEmpty {
      // A last box without a length extends to the end of the file; it needs a length if another
      // box follows.
      guard last.length <= Int(UInt32.max) else { throw .malformed("the file is too long") }
      edits.patch(at: last.offset, ByteOrder.big.bytes(last.length, 4))
    }
    edits.add(at: source.count, inserting: added)
    return edits
  }

  private static let metadata: Set<String> = ["Exif", "xml ", "brob", "jumb", "jhgm"]
  private static let known: Set<String> = [
    "JXL ", "ftyp", "jxll", "jxli", "jxlc", "jxlp", "Exif", "xml ",
  ]

  /// Parts that phbatch never writes; the box of a gain map only counts as such if `hasGainMap` is
  /// false.
  func unexpectedParts(hasGainMap: Bool) -> [String] {
    let known = hasGainMap ? Self.known.union(["jhgm"]) : Self.known
    let unexpected = boxes.map(\.name).filter { !known.contains($0) }.map { "a '\($0)' box" }
    let end = boxes.last?.end ?? source.count
    return end < source.count ? unexpected + ["bytes after the picture"] : unexpected
  }
}

extension Blocks {
  /// Adds the content of a box.
  ///
  /// If there are several boxes of this name, the first is used.
  fileprivate mutating func add(_ bytes: [UInt8], of name: String) {
    if name == "xml " {
      if xmp.isEmpty { xmp.append(bytes) }
    } else if exif == nil {
      exif = HEIFFile.exif(bytes)
    }
  }
}

extension [UInt8] {
  /// Expands a Brotli stream; nil if it is damaged, ends early, or expands to more than `limit`
  /// bytes.
  ///
  /// - Source: RFC 7932.
  func brotliExpanded(limit: Int) -> [UInt8]? {
    var capacity = Swift.min(limit, Swift.max(1 << 16, 8 * count))
    while true {
      var code = 0
      let expanded = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { target, filled in
        code = unsafe withUnsafeBufferPointer { source in
          unsafe cbrotli_expand(source.baseAddress, source.count, target.baseAddress, capacity)
        }
        filled = Swift.max(0, code)
      }
      if code >= 0 { return expanded }
      guard code == Int(cbrotli_full), capacity < limit else { return nil }
      capacity = Swift.min(limit, 4 * capacity)
    }
  }
}
