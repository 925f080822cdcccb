import FileStructure
import Notation

/// The data sets of an IPTC-IIM block: captions and keywords as programs wrote them before XMP.
///
/// - Source: IPTC-NAA Information Interchange Model 4.2, sections 1.5 and 1.6.
public struct IPTC: Sendable, Hashable {
  struct DataSet: Sendable, Hashable {
    var record: UInt8
    var number: UInt8
    var bytes: [UInt8]
  }

  /// A data set of the application record; the raw value is its number.
  enum Field: UInt8, Sendable, CaseIterable {
    case title = 5
    case keyword = 25
    case instructions = 40
    case dateCreated = 55
    case timeCreated = 60
    case creator = 80
    case city = 90
    case sublocation = 92
    case state = 95
    case country = 101
    case headline = 105
    case credit = 110
    case source = 115
    case copyright = 116
    case caption = 120

    /// The maximum number of bytes of a value.
    var limit: Int {
      switch self {
      case .title, .keyword: 64
      case .instructions, .headline: 256
      case .dateCreated: 8
      case .timeCreated: 11
      case .creator, .city, .sublocation, .state, .credit, .source: 32
      case .country: 64
      case .copyright: 128
      case .caption: 2_000
      }
    }
  }

  private(set) var dataSets: [DataSet] = []

  public init() {}

  /// True if there are no data sets outside the envelope record.
  public var isEmpty: Bool { !dataSets.contains { $0.record > 1 } }

  /// Reads data sets up to the first damaged one.
  public init(_ bytes: [UInt8]) {
    var offset = 0
    while offset + 5 <= bytes.count, bytes[offset] == 0x1C {
      let (record, number) = (bytes[offset + 1], bytes[offset + 2])
      guard var length = bytes.number(at: offset + 3, 2, .big) else { return }
      offset += 5
      if length & 0x8000 != 0 {
        let width = length & 0x7FFF
        guard width <= 4, let long = bytes.number(at: offset, width, .big) else { return }
        length = long
        offset += width
      }
      guard length <= bytes.count - offset else { return }
      let value = Array(bytes[offset..<(offset + length)])
      dataSets.append(DataSet(record: record, number: number, bytes: value))
      offset += length
    }
  }

  /// The block's bytes.
  public var bytes: [UInt8] {
    dataSets.flatMap { set -> [UInt8] in
      let head = [0x1C, set.record, set.number]
      let length =
        set.bytes.count < 0x8000
        ? ByteOrder.big.bytes(set.bytes.count, 2)
        : [0x80, 4] + ByteOrder.big.bytes(set.bytes.count, 4)
      return head + length + set.bytes
    }
  }

  /// The ISO 2022 escape sequence of UTF-8, in data set 1:90.
  private static let utf8: [UInt8] = [0x1B, 0x25, 0x47]

  /// The data sets of the application record that contain text; others contain numbers and
  /// previews.
  private static let texts: ClosedRange<UInt8> = 3...135

  private var isUTF8: Bool {
    dataSets.contains { $0.record == 1 && $0.number == 90 && $0.bytes == Self.utf8 }
  }

  /// A value as text; invalid UTF-8 is read as Latin-1, and a text with too many combining marks as
  /// an empty one.
  func text(_ set: DataSet) -> String {
    let text =
      String(validating: set.bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(set.bytes.map { Unicode.Scalar($0) }))
    return text.hasTooManyMarks ? "" : text.trimmed
  }

  func texts(_ field: Field) -> [String] { texts(field.rawValue) }

  /// The texts of a data set of the application record.
  func texts(_ number: UInt8) -> [String] {
    dataSets.filter { $0.record == 2 && $0.number == number }.map(text).filter { !$0.isEmpty }
  }

  mutating func removeAll(where isUnwanted: (DataSet) -> Bool) {
    dataSets.removeAll { isUnwanted($0) }
  }

  /// Replaces all values of a field, each cut to the standard's limit, and converts all texts to
  /// UTF-8.
  mutating func set(_ field: Field, _ texts: [String]) {
    if !isUTF8 {
      dataSets = dataSets.filter { $0.record != 1 || $0.number != 90 }.map { set in
        var set = set
        if Self.texts.contains(set.number) && set.record == 2 { set.bytes = Array(text(set).utf8) }
        return set
      }
      dataSets.insert(DataSet(record: 1, number: 90, bytes: Self.utf8), at: 0)
    }
    dataSets.removeAll { $0.record == 2 && $0.number == field.rawValue }
    for text in texts {
      dataSets.append(
        DataSet(record: 2, number: field.rawValue, bytes: Self.cut(text, field.limit)))
    }
  }

  /// The text in UTF-8, without the characters that begin or end beyond `limit` bytes.
  static func cut(_ text: String, _ limit: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for character in text {
      let more = Array(String(character).utf8)
      if bytes.count + more.count > limit { break }
      bytes += more
    }
    return bytes
  }
}
