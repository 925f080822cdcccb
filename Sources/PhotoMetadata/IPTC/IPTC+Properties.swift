import Notation

extension IPTC {
  /// The form of the value of an XMP property.
  enum PropertyForm: String {
    case text
    /// A text with its language.
    case alternatives = "Alt"
    case list = "Bag"
    case sequence = "Seq"
  }

  /// The XMP properties with the meanings of data sets of the application record.
  ///
  /// - Source: IPTC Photo Metadata Standard 2023, which pairs IIM with XMP; `iptc2xmp.args` of
  ///   ExifTool 12.57.
  static let properties: KeyValuePairs<UInt8, (name: String, form: PropertyForm)> = [
    4: ("Iptc4xmpCore:IntellectualGenre", .text), 5: ("dc:title", .alternatives),
    10: ("photoshop:Urgency", .text), 12: ("Iptc4xmpCore:SubjectCode", .list),
    15: ("photoshop:Category", .text), 20: ("photoshop:SupplementalCategories", .list),
    25: ("dc:subject", .list), 40: ("photoshop:Instructions", .text),
    55: ("photoshop:DateCreated", .text), 60: ("photoshop:DateCreated", .text),
    62: ("xmp:CreateDate", .text), 63: ("xmp:CreateDate", .text), 80: ("dc:creator", .sequence),
    85: ("photoshop:AuthorsPosition", .text), 90: ("photoshop:City", .text),
    92: ("Iptc4xmpCore:Location", .text), 95: ("photoshop:State", .text),
    100: ("Iptc4xmpCore:CountryCode", .text), 101: ("photoshop:Country", .text),
    103: ("photoshop:TransmissionReference", .text), 105: ("photoshop:Headline", .text),
    110: ("photoshop:Credit", .text), 115: ("photoshop:Source", .text),
    116: ("dc:rights", .alternatives), 120: ("dc:description", .alternatives),
    122: ("photoshop:CaptionWriter", .text),
  ]

  private static let names = Dictionary(
    uniqueKeysWithValues: properties.compactMap { number, property in
      MarkupName(prefixed: property.name).map { (number, $0) }
    })

  /// The XMP property with the meaning of a data set; nil if there is none.
  static func property(of set: DataSet) -> MarkupName? {
    set.record == 2 ? names[set.number] : nil
  }

  /// The values of a data set as XMP writes them; empty for the times of day, which XMP writes
  /// together with the date.
  func propertyTexts(_ number: UInt8) -> [String] {
    let texts = texts(number)
    switch number {
    // A number of three digits and a colon precede the name of the genre.
    case 4: return texts.map { text in String(text.dropFirst(Self.isGenre(text) ? 4 : 0)) }
    // The provider's name, the code of the subject, and names of the subject.
    case 12:
      return texts.compactMap { text in
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count > 1 && parts[1].count == 8 ? String(parts[1]) : nil
      }
    case 55: return moment(texts.first, self.texts(60).first).map { [$0] } ?? []
    case 62: return moment(texts.first, self.texts(63).first).map { [$0] } ?? []
    case 60, 63: return []
    default: return texts
    }
  }

  private static func isGenre(_ text: String) -> Bool {
    text.prefix(3).allSatisfy(\.isNumber) && text.dropFirst(3).first == ":"
  }

  /// A date (`yyyyMMdd`; an unknown month or day is `00`) and a time (`HHmmss`, then the time zone
  /// `+HHmm`) in XMP's form; nil without a valid date.
  private func moment(_ date: String?, _ time: String?) -> String? {
    guard let date, date.utf8.count == 8, date.utf8.allSatisfy(Self.isDigit) else { return nil }
    func pair(_ text: String, _ start: Int) -> String { String(text.dropFirst(start).prefix(2)) }
    let parts = [String(date.prefix(4)), pair(date, 4), pair(date, 6)].prefix { $0 != "00" }
    let day = parts.joined(separator: "-")
    guard parts.count == 3, let time, time.utf8.count >= 6,
      time.utf8.prefix(6).allSatisfy(Self.isDigit)
    else { return day }
    let clock = [0, 2, 4].map { pair(time, $0) }.joined(separator: ":")
    let zone = time.dropFirst(6)
    let hasZone = zone.utf8.count == 5 && "+-".contains(zone.prefix(1))
    return "\(day)T\(clock)" + (hasZone ? "\(zone.prefix(3)):\(zone.suffix(2))" : "")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
