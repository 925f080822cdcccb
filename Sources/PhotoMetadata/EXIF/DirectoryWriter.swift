/// Lays TIFF directories and their values out, one after the other, from an offset on.
struct DirectoryWriter {
  struct Slot {
    enum Value {
      case bytes([UInt8])
      /// What stands in the entry, as it is.
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
  /// Bytes that only the value that must stand there may use.
  private let reserved: Range<Int>
  private var before: Int
  private var after: Int
  /// What was laid out, from the start on.
  private(set) var bytes: [UInt8] = []
  /// Where the directories stand.
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

  /// Lays all directories out, the first of them first; slots must be sorted by tag.
  ///
  /// `next` is the offset that follows the first directory, as of the next page.
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

  /// What stands in an entry: the value itself, or where it was put.
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
  /// The directories that have tags, or lead to one that has, each with its entries and pointers.
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
