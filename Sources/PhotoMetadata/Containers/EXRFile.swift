import FileStructure

/// The attributes in the header of an OpenEXR file, or of its first part.
///
/// - Source: "OpenEXR File Layout", 2020.
struct EXRFile {
  private static let signature: [UInt8] = [0x76, 0x2F, 0x31, 0x01]
  /// The maximum number of header bytes to read, and the maximum length of a name with its NUL.
  private static let (headLimit, nameLimit) = (1 << 16, 256)

  private let head: [UInt8]

  /// Reads the header; nil for other files.
  init?(_ source: ByteSource) {
    head = source.bytes(at: 0, Self.headLimit)
    guard head.starts(with: Self.signature), head.count > 8 else { return nil }
  }

  /// The bytes of the attribute of this name and type; nil if there is none.
  func value(of name: String, type: String) -> [UInt8]? {
    var place = 8
    while let found = text(&place), !found.isEmpty, let kind = text(&place),
      let length = head.number(at: place, 4, .little), length <= head.count - place - 4
    {
      place += 4
      if found == name && kind == type { return Array(head[place..<place + length]) }
      place += length
    }
    return nil
  }

  /// The names of the channels; nil if the header does not list them.
  var channels: [String]? {
    guard let list = value(of: "channels", type: "chlist") else { return nil }
    // The number of bytes of a channel after its name. An empty name ends the list of channels.
    let length = 16
    var names: [String] = []
    var rest = list[...]
    while let end = rest.firstIndex(of: 0), end > rest.startIndex {
      names.append(String(decoding: rest[..<end], as: UTF8.self))
      rest = rest[(end + 1)...].dropFirst(length)
    }
    return names
  }

  /// The text up to a NUL, with `place` moved to the byte after the NUL; nil if there is no NUL.
  private func text(_ place: inout Int) -> String? {
    guard place < head.count,
      let end = head[place...].prefix(Self.nameLimit).firstIndex(of: 0)
    else { return nil }
    defer { place = end + 1 }
    return String(decoding: head[place..<end], as: UTF8.self)
  }
}
