import Notation
import PhotoRecipes

extension XMP {
  /// Adds a text that PNG stores under a keyword, unless this packet already has the corresponding
  /// property.
  ///
  /// - Source: PNG Specification, 3rd edition, 11.3.3.1.
  mutating func add(_ text: String, keyword: String) {
    let name: MarkupName? =
      switch keyword {
      case "Creation Time": .xmp("CreateDate")
      case "Title": .dc("title")
      case "Description": .dc("description")
      case "Copyright": .dc("rights")
      case "Author": .dc("creator")
      case "Software": .xmp("CreatorTool")
      case "Comment": .exif("UserComment")
      default: nil
      }
    guard let name, self[name] == nil, !text.trimmed.isEmpty else { return }
    switch keyword {
    case "Author": set(name, "Seq", [text.trimmed])
    case "Creation Time": if let date = text.trimmed.creationTime { set(name, text: date) }
    case "Software": set(name, text: text.trimmed)
    default: set(name, "Alt", [text.trimmed])
    }
  }

  /// Adds those facts of IPTC that this packet does not contain.
  mutating func add(_ iptc: IPTC) {
    for (number, property) in IPTC.properties {
      guard let name = MarkupName(prefixed: property.name) else { continue }
      add(name, property.form, iptc.propertyTexts(number))
    }
  }

  /// Adds a property, unless this packet already has it.
  mutating func add(_ name: MarkupName, _ form: IPTC.PropertyForm, _ texts: [String]) {
    guard let first = texts.first, self[name] == nil else { return }
    if form == .text { set(name, text: first) } else { set(name, form.rawValue, texts) }
  }
}

extension String {
  /// The date and time of a text of PNG's keyword `Creation Time`, as XMP writes them; nil if the
  /// text is none of the usual forms: RFC 3339, RFC 1123 or that of EXIF.
  fileprivate var creationTime: String? {
    for shape in ["0000-00-00T00:00:00", "0000-00-00 00:00:00", "0000:00:00 00:00:00"] {
      guard let time = CivilTime(beginning: self, like: shape) else { continue }
      return time.description + Self.zone(dropFirst(shape.count))
    }
    // Such as `Sat, 01 Feb 2020 03:04:05 GMT`, with or without the weekday.
    var parts = split { $0 == " " || $0 == "," }
    if parts.first?.first?.isLetter == true { parts.removeFirst() }
    guard parts.count >= 3, let month = Self.months.firstIndex(of: parts[1].prefix(3)) else {
      return nil
    }
    let day = "\(parts[2])-\((month + 1).digits(2))-\(Int(parts[0])?.digits(2) ?? "")"
    let clock = parts.count > 3 ? "T\(parts[3])" : ""
    return CivilTime(beginning: day + clock, like: "0000-00-00T00:00:00").map {
      $0.description + (parts.count > 4 ? Self.zone(parts[4]) : "")
    }
  }

  private static let months: [Substring] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The time zone at the end of a text, as XMP writes it; empty if there is none.
  private static func zone(_ text: Substring) -> String {
    if ["Z", "GMT", "UT", "UTC"].contains(where: text.hasSuffix) { return "Z" }
    guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return "" }
    let digits = text[sign...].filter(\.isNumber)
    return digits.count == 4 ? "\(text[sign])\(digits.prefix(2)):\(digits.suffix(2))" : ""
  }
}
