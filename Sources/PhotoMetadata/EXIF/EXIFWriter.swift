import FileStructure

/// Lays out TIFF directories and their values in sequence, from a start offset on.
struct DirectoryWriter {
  struct Slot {
    enum Value {
      case bytes([UInt8])
      /// The unchanged bytes of the value field of an entry.
      case field([UInt8])
      case directory(EXIF.Directory)
    }

    let tag: UInt16
    let type: Int
    let count: Int
    let value: Value
  }

  private let order: ByteOrder
  private let isBig: Bool
  private let start: Int
  /// The range of offsets that is kept free for the MakerNote if it must not move.
  private let reserved: Range<Int>
  private var before: Int
  private var after: Int
  /// The bytes from the offset `start` on.
  private(set) var bytes: [UInt8] = []
  /// The offset of each directory.
  private(set) var places: [EXIF.Directory: Int] = [:]

  init(order: ByteOrder, isBig: Bool = false, start: Int, reserved: Range<Int>? = nil) {
    self.order = order
    self.isBig = isBig
    self.start = start
    self.reserved = reserved ?? start..<start
    before = start
    after = self.reserved.upperBound
    fill(to: after)
  }

  private var offsetWidth: Int { isBig ? 8 : 4 }
  private var countWidth: Int { isBig ? 8 : 2 }
  private var entryWidth: Int { isBig ? 20 : 12 }

  /// Lays out all directories in their order; slots must be sorted by tag.
  ///
  /// `next` is the offset to write after the first directory: the offset of the next page, or 0.
  /// `fixed` is a tag of the Exif directory, and the offset at which its value must be written.
  mutating func write(
    _ directories: [(directory: EXIF.Directory, slots: [Slot])], next: Int = 0,
    at fixed: (tag: UInt16, place: Int)? = nil
  ) {
    for (directory, slots) in directories {
      places[directory] = allocate(countWidth + slots.count * entryWidth + offsetWidth)
    }
    for (directory, slots) in directories {
      guard var place = places[directory] else { continue }
      put(order.bytes(slots.count, countWidth), at: place)
      place += countWidth
      for slot in slots {
        put(order.bytes(Int(slot.tag), 2) + order.bytes(slot.type, 2), at: place)
        put(order.bytes(slot.count, offsetWidth), at: place + 4)
        let isFixed = directory == .photo && slot.tag == fixed?.tag
        put(field(slot.value, isFixed ? fixed?.place : nil), at: place + 4 + offsetWidth)
        place += entryWidth
      }
      put(order.bytes(directory == .primary ? next : 0, offsetWidth), at: place)
    }
  }

  /// The value field of an entry: the value itself, or its offset.
  private mutating func field(_ value: Slot.Value, _ fixed: Int?) -> [UInt8] {
    switch value {
    case .field(let bytes): return bytes
    case .directory(let directory): return order.bytes(places[directory] ?? 0, offsetWidth)
    case .bytes(let bytes) where bytes.count <= offsetWidth:
      return bytes + [UInt8](repeating: 0, count: offsetWidth - bytes.count)
    case .bytes(let bytes):
      let place = fixed ?? allocate(bytes.count)
      put(bytes, at: place)
      return order.bytes(place, offsetWidth)
    }
  }

  private mutating func allocate(_ count: Int) -> Int {
    let place: Int
    if before + before % 2 + count <= reserved.lowerBound {
      place = before + before % 2
      before = place + count
    } else {
      place = after + after % 2
      after = place + count
    }
    fill(to: place + count)
    return place
  }

  private mutating func fill(to end: Int) {
    let missing = end - start - bytes.count
    if missing > 0 { bytes += [UInt8](repeating: 0, count: missing) }
  }

  private mutating func put(_ new: [UInt8], at place: Int) {
    fill(to: place + new.count)
    bytes.replaceSubrange((place - start)..<(place - start + new.count), with: new)
  }
}

extension EXIF {
  /// The block with its TIFF header, at most `limit` bytes; adds a warning for each omitted tag.
  ///
  /// A MakerNote that cannot be moved stays at its offset.
  func block(limit: Int, _ warnings: inout [String]) -> [UInt8] {
    var exif = self
    while true {
      let bytes = exif.block()
      if bytes.count <= limit { return bytes }
      let largest = Directory.allCases.flatMap { directory in
        exif[directory].map { (directory, $0) }
      }.max { $0.1.bytes.count < $1.1.bytes.count }
      guard let (directory, entry) = largest else { return [] }
      // A MakerNote that must keep a large offset makes the block too long, even if the note is
      // short.
      let note = exif[.makerNote]
      if let note, let place = exif.fixedPlace, place + note.bytes.count > limit {
        exif.remove(.makerNote)
        warnings.append("the maker note was left out: there is no space at its offset")
      } else {
        exif.removeAll { $0 == directory && $1.tag == entry.tag }
        let tag = String(entry.tag, radix: 16, uppercase: true)
        warnings.append(
          "the EXIF tag 0x\(tag) with \(entry.bytes.count) bytes was left out: the metadata block"
            + " would be too long"
        )
      }
    }
  }

  /// The offset that the MakerNote must keep; nil if it can be moved.
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

  /// The directories that contain tags or lead to such a directory, with their entries and
  /// pointers.
  func slots(
    besides others: [DirectoryWriter.Slot] = []
  ) -> [(
    directory: Directory, slots: [DirectoryWriter.Slot]
  )] {
    let interoperability = !self[.interoperability].isEmpty
    let isHere: [Directory: Bool] = [
      .primary: true, .photo: !self[.photo].isEmpty || interoperability,
      .gps: !self[.gps].isEmpty, .interoperability: interoperability,
    ]
    let here = Directory.allCases.filter { isHere[$0] == true }
    return here.map { directory in
      var slots = self[directory].map {
        DirectoryWriter.Slot(
          tag: $0.tag, type: $0.type.rawValue, count: $0.count, value: .bytes($0.bytes))
      }
      for child in here where child.parent == directory {
        guard let pointer = child.pointer else { continue }
        slots.append(
          .init(tag: pointer, type: TIFFType.long.rawValue, count: 1, value: .directory(child)))
      }
      if directory == .primary { slots += others }
      return (directory, slots.sorted { $0.tag < $1.tag })
    }
  }
}
