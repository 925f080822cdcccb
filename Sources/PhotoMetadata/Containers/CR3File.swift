import FileStructure

/// A Canon raw photo (CR3): ISO base media in which EXIF's directories are boxes of their own.
///
/// - Source: L. Lechelle and others, "Canon CR3", 2018.
package struct CR3File {
  private static let canon: [UInt8] = [
    0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
  ]
  private static let preview: [UInt8] = [
    0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D, 0x16,
  ]

  private let source: ByteSource
  private let boxes: [Box]
  /// The boxes of `moov`.
  private let movie: [Box]

  /// Reads the file's outline; nil if it has no `moov` box.
  init?(_ source: ByteSource) {
    boxes = Box.all(in: source, 0..<source.count)
    guard let movie = boxes.first(where: { $0.name == "moov" }) else { return nil }
    self.source = source
    self.movie = Box.all(in: source, movie.content)
  }

  /// The content of the first `uuid` box with this identifier.
  private func content(_ identifier: [UInt8], among boxes: [Box]) -> Range<Int>? {
    boxes.first { box in
      box.name == "uuid" && box.content.count >= 16
        && source.bytes(at: box.content.lowerBound, 16) == identifier
    }.map { ($0.content.lowerBound + 16)..<$0.end }
  }

  var blocks: Blocks {
    var blocks = Blocks()
    let parts = content(Self.canon, among: movie).map { Box.all(in: source, $0) } ?? []
    func tiff(_ name: String) -> TIFFFile? {
      parts.first { $0.name == name }.flatMap { box in
        // The values of a directory may not lie outside of its box.
        let bytes = source.whole(at: box.content.lowerBound, box.content.count, limit: Blocks.limit)
        return bytes.flatMap { TIFFFile(.bytes($0)) }
      }
    }
    if let primary = tiff("CMT1") {
      var exif = EXIF(primary)
      exif.hasThumbnail = false
      for (name, directory) in [("CMT2", EXIF.Directory.photo), ("CMT4", .gps)] {
        if let file = tiff(name), file.order == exif.order { exif.add(file, to: directory) }
      }
      if let note = tiff("CMT3"), note.order == exif.order { exif.addMakerNote(note) }
      blocks.exif = exif
    }
    if let place = content(XMP.boxIdentifier, among: boxes),
      let packet = source.whole(at: place.lowerBound, place.count, limit: Blocks.limit)
    {
      blocks.xmp = [packet]
    }
    return blocks
  }

  /// The bytes of the largest embedded JPEG: the sample of a track, or the box `PRVW`.
  var preview: [UInt8]? {
    let candidates =
      movie.filter { $0.name == "trak" }.compactMap(sample) + [box].compactMap(\.self)
    return candidates.sorted { $0.count > $1.count }.lazy.compactMap { range in
      RawFile.jpeg(range, in: source, limit: RawFile.longestPreview)
    }.first
  }

  /// The end of the last sample of the tracks that have one sample: the sensor's samples and
  /// previews; 0 if there is none.
  var lastSample: Int {
    movie.filter { $0.name == "trak" }.compactMap { sample(of: $0)?.upperBound }.max() ?? 0
  }

  /// The place of the only sample of a track, which may be beyond the end of the file.
  private func sample(of track: Box) -> Range<Int>? {
    let path = ["mdia", "minf", "stbl"]
    let table = path.reduce(track as Box?) { box, name in
      box.flatMap { Box.all(in: source, $0.content).first { $0.name == name } }
    }
    guard let table else { return nil }
    let boxes = Box.all(in: source, table.content)
    // Both boxes begin with a version and flags.
    guard let sizes = boxes.first(where: { $0.name == "stsz" })?.content.lowerBound,
      let offsets = boxes.first(where: { $0.name == "co64" })?.content.lowerBound,
      let same = source.number(at: sizes + 4, 4, .big),
      let size = same > 0 ? same : source.number(at: sizes + 12, 4, .big),
      source.number(at: offsets + 4, 4, .big) == 1,
      let offset = source.number(at: offsets + 8, 8, .big), offset < 1 << 62, size > 0
    else { return nil }
    return offset..<(offset + size)
  }

  /// The place of the JPEG in the box `PRVW`.
  private var box: Range<Int>? {
    // The number of boxes stands before them.
    guard let place = content(Self.preview, among: boxes), place.count > 8,
      let box = Box.all(in: source, (place.lowerBound + 8)..<place.upperBound).first,
      box.name == "PRVW", let size = source.number(at: box.content.lowerBound + 12, 4, .big)
    else { return nil }
    let start = box.content.lowerBound + 16
    return start..<min(start + size, max(start, box.end))
  }
}

extension EXIF {
  /// Adds Canon's own tags, which are the first directory of a TIFF file, as the MakerNote.
  ///
  /// The offsets in the directory count from the start of the file; as the offset of the MakerNote
  /// stays the same, they also count from the start of this block.
  fileprivate mutating func addMakerNote(_ file: TIFFFile) {
    let header = 8
    guard file.firstDirectory == header, file.source.count > header else { return }
    let bytes = file.source.bytes(at: header, file.source.count - header)
    set(
      Entry(tag: EXIFTag.makerNote.number, type: .undefined, bytes: bytes),
      in: EXIFTag.makerNote.directory)
    makerNoteOffset = header
  }
}
