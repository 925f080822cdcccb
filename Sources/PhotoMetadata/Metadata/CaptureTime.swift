import Notation

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
  /// A date as `yyyy-MM-ddTHH:mm:ss`, without its time zone; nil if it is missing or does not state
  /// a day.
  fileprivate func date(_ name: MarkupName) -> String? { text(name).flatMap(Self.date) }

  /// Converts a date of ISO 8601; a missing time is midnight.
  fileprivate static func date(_ text: String) -> String? {
    let shape = "0000-00-00T00:00:00"
    let stamp = text.beginning(like: shape)
    guard let stated = [19, 16, 10].first(where: { $0 <= stamp.count }),
      !stamp.hasPrefix("0000"), !stamp.contains("-00")
    else { return nil }
    return String(stamp.prefix(stated)) + shape.dropFirst(stated)
  }
}

extension IPTC {
  /// The date and time of creation, as `yyyy-MM-ddTHH:mm:ss`; nil if the day is unknown.
  ///
  /// - Source: IPTC-NAA Information Interchange Model 4.2, data sets 2:55 (`yyyyMMdd`) and 2:60
  ///   (`HHmmss`, then the time zone).
  fileprivate var dateCreated: String? {
    func digits(_ field: Field, _ count: Int) -> [Character]? {
      let text = texts(field).first?.beginning(like: String(repeating: "0", count: count))
      return text?.count == count ? text.map(Array.init) : nil
    }
    guard let day = digits(.dateCreated, 8) else { return nil }
    let date = "\(String(day[0..<4]))-\(String(day[4..<6]))-\(String(day[6..<8]))"
    let time = digits(.timeCreated, 6).map {
      "T\(String($0[0..<2])):\(String($0[2..<4])):\(String($0[4..<6]))"
    }
    return XMP.date(date + (time ?? ""))
  }
}

extension String {
  /// The beginning of the text that has the form of `shape`, in which 0 stands for any digit.
  func beginning(like shape: String) -> Substring {
    let fitting = zip(self, shape).prefix { letter, form in
      form == "0" ? ("0"..."9").contains(letter) : letter == form
    }
    return prefix(fitting.count)
  }
}
