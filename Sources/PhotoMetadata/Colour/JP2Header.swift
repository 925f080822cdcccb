import FileStructure

/// The boxes of a JPEG 2000 file's header that describe its channels.
///
/// - Source: ITU-T T.800, I.5.3.3 to I.5.3.6.
struct JP2Header {
  /// The meaning of one channel.
  struct Definition {
    let channel: Int
    /// The index of the colour in the colour model, from 0; nil if the channel is not a colour.
    let colour: Int?
    let isAlpha: Bool
    let isPremultiplied: Bool
  }

  /// A colour space that a box of the header states, by its code or by the colour model of an ICC
  /// profile.
  private enum Space {
    case code(Int)
    case profile(String)
  }

  private(set) var palette: JP2Channels.Palette?
  /// The channels that the file makes from components and the palette; nil if the file does not
  /// state them.
  private(set) var mapping: [JP2Channels.Channel]?
  private(set) var definitions: [Definition] = []
  /// True if the palette is damaged, or if a channel has a column that is not in the palette.
  private(set) var isDamaged = false
  private var spaces: [Space] = []

  /// Reads the header of a file; empty for a bare codestream.
  init(_ file: JP2File) {
    guard let header = file.boxes.first(where: { $0.name == "jp2h" }) else { return }
    for box in Box.all(in: file.source, header.content) {
      let content = file.source.bytes(
        at: box.content.lowerBound, min(box.content.count, Self.longestBox))
      switch box.name {
      case "colr": space(of: content).map { spaces.append($0) }
      case "pclr" where palette == nil:
        palette = Self.palette(content)
        if palette == nil { isDamaged = true }
      case "cmap" where mapping == nil: mapping = Self.mapping(content)
      case "cdef" where definitions.isEmpty: definitions = Self.definitions(content)
      default: continue
      }
    }
    let columns = palette?.bits.count ?? 0
    if let mapping, mapping.contains(where: { $0.column.map { $0 >= columns } ?? false }) {
      isDamaged = true
    }
  }

  /// The maximum number of bytes of a box that are read: a palette of 1024 entries in 255 columns.
  private static let longestBox = 1 << 20

  private func space(of content: [UInt8]) -> Space? {
    switch content.first {
    case 1: content.number(at: 3, 4, .big).map { .code($0) }
    // The box contains an ICC profile after its first three bytes; the header of the profile states
    // the colour model.
    case 2 where content.name(at: 3 + 36) == "acsp", 3 where content.name(at: 3 + 36) == "acsp":
      content.name(at: 3 + 16).map { .profile($0) }
    default: nil
    }
  }

  private static func palette(_ content: [UInt8]) -> JP2Channels.Palette? {
    var cursor = ByteCursor(content)
    guard let rows = cursor.number(2), (1...1_024).contains(rows), let columns = cursor.number(1),
      columns > 0
    else { return nil }
    let bits = (0..<columns).compactMap { _ in cursor.number(1).map { $0 + 1 } }
    // An entry of more than 16 bits is damaged. This also excludes signed entries, which colours do
    // not have: their highest bit is set.
    guard bits.count == columns, bits.allSatisfy({ $0 <= 16 }) else { return nil }
    var entries: [Int] = []
    for _ in 0..<rows {
      for column in 0..<columns {
        guard let entry = cursor.number(bits[column] > 8 ? 2 : 1) else { return nil }
        entries.append(entry)
      }
    }
    return .init(entries: entries, bits: bits)
  }

  private static func mapping(_ content: [UInt8]) -> [JP2Channels.Channel] {
    stride(from: 0, to: content.count - 3, by: 4).map { place -> JP2Channels.Channel in
      let component: Int = content.number(at: place, 2, .big) ?? 0
      let column: Int? = content[place + 2] == 1 ? Int(content[place + 3]) : nil
      return JP2Channels.Channel(component: component, column: column)
    }
  }

  private static func definitions(_ content: [UInt8]) -> [Definition] {
    var cursor = ByteCursor(content)
    guard let count = cursor.number(2) else { return [] }
    return (0..<min(count, content.count / 6)).compactMap { _ in
      guard let channel = cursor.number(2), let kind = cursor.number(2),
        let association = cursor.number(2)
      else { return nil }
      // An association of 0 means the whole picture, 65,535 means nothing, and other numbers count
      // the colours from 1.
      let isColour = kind == 0 && (1...4).contains(association)
      return Definition(
        channel: channel, colour: isColour ? association - 1 : nil,
        isAlpha: [1, 2].contains(kind) && association == 0, isPremultiplied: kind == 2)
    }
  }
}

extension JP2Header {
  /// Returns the colour model of `count` channels.
  ///
  /// The model is stated by an ICC profile, otherwise by the first supported colour space by code.
  /// If the file states neither, or if the model needs more than `count` channels, the number of
  /// channels determines the model.
  ///
  /// - Throws: `UnreadColours` for colour spaces that cannot be converted.
  func model(of count: Int, isSubsampled: Bool) throws(UnreadColours) -> JP2Channels.Model {
    let stated = try stated()
    if let stated, stated.colours <= count { return stated }
    switch count {
    case 1, 2: return .grey
    case 3 where isSubsampled: return .ycc
    case 3, 4: return .rgb
    default: throw .channels(count)
    }
  }

  private func stated() throws(UnreadColours) -> JP2Channels.Model? {
    var names: [String] = []
    for case .profile(let name) in spaces {
      if let model = Self.profiles[name] { return model }
      names.append(name)
    }
    for case .code(let code) in spaces {
      if let model = Self.codes[code] { return model }
      names.append(Self.names[code] ?? "number \(code)")
    }
    if let name = names.first { throw .space(name) }
    return nil
  }

  private static let profiles: [String: JP2Channels.Model] = [
    "GRAY": .grey, "RGB ": .rgb, "CMYK": .inks,
  ]
  private static let codes: [Int: JP2Channels.Model] = [
    12: .inks, 15: .grey, 16: .rgb, 17: .grey, 18: .ycc,
  ]
  private static let names = [
    0: "bi-level", 1: "YCbCr(1)", 3: "YCbCr(2)", 4: "YCbCr(3)", 9: "PhotoYCC", 11: "CMY",
    13: "YCCK", 14: "CIELab", 19: "CIEJab", 20: "e-sRGB", 21: "ROMM-RGB", 22: "YPbCr(1125/60)",
    23: "YPbCr(1250/50)", 24: "e-sYCC",
  ]
}
