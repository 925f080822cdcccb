import Notation
import PhotoRecipes

extension Metadata {
  /// The time at which the photo was taken, as `yyyy-MM-ddTHH:mm:ss` in the camera's time; nil if
  /// unknown.
  var captureTime: String? {
    exif?.date(.taken) ?? exif?.date(.digitized)
      ?? xmp?.date(.exif("DateTimeOriginal")) ?? xmp?.date(.photoshop("DateCreated"))
      ?? iptc?.dateCreated
      ?? xmp?.date(.exif("DateTimeDigitized")) ?? xmp?.date(.xmp("CreateDate"))
  }
}

extension XMP {
  /// A date of ISO 8601 as `yyyy-MM-ddTHH:mm:ss`, without its time zone; nil if it is missing or
  /// does not state a day.
  fileprivate func date(_ name: MarkupName) -> String? {
    text(name).flatMap { CivilTime(beginning: $0, like: "0000-00-00T00:00:00") }?.description
  }
}

extension IPTC {
  /// The date and time of creation, as `yyyy-MM-ddTHH:mm:ss`; nil if the day is unknown.
  ///
  /// - Source: IPTC-NAA Information Interchange Model 4.2, data sets 2:55 (`yyyyMMdd`) and 2:60
  ///   (`HHmmss`, then the time zone).
  fileprivate var dateCreated: String? {
    guard let day = texts(.dateCreated).first, day.utf8.count == 8 else { return nil }
    let text = day + (texts(.timeCreated).first ?? "")
    return CivilTime(beginning: text, like: "00000000000000")?.description
  }
}

extension CivilTime {
  /// Reads the date and the time at the beginning of a text; nil if they state no possible day.
  ///
  /// `shape` is the form of a date with a time to the second; 0 stands for any digit. Seconds may be
  /// missing; a time that is missing or impossible is midnight.
  init?(beginning text: String, like shape: String) {
    let zero = UInt8(ascii: "0")
    let digits = zip(text.utf8, shape.utf8)
      .prefix { $1 == zero ? (zero...UInt8(ascii: "9")).contains($0) : $0 == $1 }
      .filter { $1 == zero }.map { Int($0.0 - zero) }
    func number(_ places: Range<Int>) -> Int { digits[places].reduce(0) { 10 * $0 + $1 } }
    guard digits.count >= 8 else { return nil }
    self.init(year: number(0..<4), month: number(4..<6), day: number(6..<8))
    guard year > 0, (1...12).contains(month), (1...31).contains(day) else { return nil }
    guard digits.count >= 12 else { return }
    let time = (number(8..<10), number(10..<12), digits.count == 14 ? number(12..<14) : 0)
    if time.0 < 24 && time.1 < 60 && time.2 <= 60 { (hour, minute, second) = time }
  }
}
