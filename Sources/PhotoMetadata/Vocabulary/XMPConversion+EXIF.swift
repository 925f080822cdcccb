import FileStructure
import Notation
import PhotoRecipes

extension XMP {
  /// Adds those facts of EXIF that this packet does not contain.
  ///
  /// Left out are facts without an XMP property, the camera maker's block, and tables of the sensor
  /// and of its settings.
  /// - Source: XMP Specification part 2, 2016, 3.2 and 3.3; CIPA DC-010-2024 (Exif in XMP).
  mutating func add(_ exif: EXIF) {
    func texts(_ text: String?) -> [String] { text.map { [$0] } ?? [] }
    let artist = texts(exif.text(.artist))
    add(.dc("creator"), .sequence, artist.isEmpty ? exif.windowsItems(.windowsAuthor) : artist)
    add(.dc("rights"), .alternatives, texts(exif.text(.copyright)))
    add(
      .dc("description"), .alternatives,
      texts(exif.text(.description) ?? exif.windowsText(.windowsSubject)))
    add(.dc("title"), .alternatives, texts(exif.windowsText(.windowsTitle)))
    add(.dc("subject"), .list, exif.windowsItems(.windowsKeywords))
    add(
      .exif("UserComment"), .alternatives,
      texts(exif.encodedText(.userComment) ?? exif.windowsText(.windowsComment)))
    add(.xmp("CreatorTool"), .text, texts(exif.text(.software)))
    for (name, moment) in exif.moments { add(name, .text, texts(moment)) }
    for directory in [EXIF.Directory.primary, .photo] {
      for entry in exif[directory] where !Self.described.contains(entry.tag) {
        guard let name = Synonyms.names(of: entry.tag, in: directory).first else { continue }
        add(name, entry, exif.order)
      }
    }
    if let flash = exif.integer(.flash) { addFlash(flash) }
    addPosition(exif)
  }

  /// The tags that are added in another way than by their type, or not at all.
  private static let described: Set<UInt16> = [
    0x010E, 0x0131, 0x0132, 0x013B, 0x4749, 0x8298, 0x8828, 0x9003, 0x9004, 0x9010, 0x9011, 0x9012,
    0x9209, 0x927C, 0x9286, 0x9290, 0x9291, 0x9292, 0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F, 0xA302,
    0xA40B,
  ]

  /// The properties that are lists of numbers.
  private static let lists: Set<String> = ["exif:ISOSpeedRatings", "exifEX:LensSpecification"]

  private mutating func add(_ name: String, _ entry: EXIF.Entry, _ order: ByteOrder) {
    let texts = entry.propertyTexts(order)
    let isList = Self.lists.contains(name)
    guard isList || texts.count == 1, let name = MarkupName(prefixed: name) else { return }
    add(name, isList ? .sequence : .text, texts)
  }

  /// Adds the structure with the parts of EXIF's number for the flash.
  private mutating func addFlash(_ flash: Int) {
    guard self[.exif("Flash")] == nil else { return }
    func flag(_ bit: Int) -> String { flash >> bit & 1 == 1 ? "True" : "False" }
    let fields = [
      ("Fired", flag(0)), ("Return", "\(flash >> 1 & 3)"), ("Mode", "\(flash >> 3 & 3)"),
      ("Function", flag(5)), ("RedEyeMode", flag(6)),
    ]
    let kind = MarkupElement.Attribute(.rdf("parseType"), "Resource")
    set(
      MarkupElement(
        .exif("Flash"), attributes: [kind],
        children: fields.map { MarkupElement(.exif($0.0), text: $0.1) }))
  }

  /// The properties of GPS tags that are texts and numbers.
  private static let gps: [UInt16: String] = [
    5: "AltitudeRef", 6: "Altitude", 8: "Satellites", 9: "Status", 10: "MeasureMode", 11: "DOP",
    12: "SpeedRef", 13: "Speed", 14: "TrackRef", 15: "Track", 16: "ImgDirectionRef",
    17: "ImgDirection", 18: "MapDatum", 23: "DestBearingRef", 24: "DestBearing",
    25: "DestDistanceRef", 26: "DestDistance", 30: "Differential", 31: "HPositioningError",
  ]

  private mutating func addPosition(_ exif: EXIF) {
    if let coordinates = exif.coordinates, self.coordinates == nil { set(coordinates) }
    if let target = exif.targetCoordinates, self[.exif("GPSDestLatitude")] == nil {
      set(target, "GPSDest")
    }
    for entry in exif[.gps] {
      if let name = Self.gps[entry.tag] { add("exif:GPS\(name)", entry, exif.order) }
    }
    for (name, tag): (String, EXIFTag) in [
      ("GPSProcessingMethod", .processingMethod), ("GPSAreaInformation", .areaInformation),
    ] {
      add(.exif(name), .text, exif.encodedText(tag).map { [$0] } ?? [])
    }
    add(.exif("GPSTimeStamp"), .text, exif.gpsTime.map { [$0] } ?? [])
  }
}

extension EXIF.Entry {
  /// The values as XMP writes them; empty for bytes of unknown meaning.
  fileprivate func propertyTexts(_ order: ByteOrder) -> [String] {
    switch type {
    case .ascii, .utf8: return text.map { [$0] } ?? []
    case .rational, .signedRational:
      let isSigned = type == .signedRational
      let numbers = stride(from: 0, to: bytes.count - 3, by: 4).compactMap { place in
        bytes.number(at: place, 4, order).map { isSigned ? Int(Int32(truncatingIfNeeded: $0)) : $0 }
      }
      return stride(from: 0, to: numbers.count - 1, by: 2).map {
        "\(numbers[$0])/\(numbers[$0 + 1])"
      }
    case .byte, .short, .long, .undefined:
      return stride(from: 0, to: bytes.count - type.size + 1, by: type.size).compactMap {
        bytes.number(at: $0, type.size, order).map(String.init)
      }
    default: return []
    }
  }
}

extension EXIF {
  /// The dates with fractions of seconds and time zones, by the properties for them.
  fileprivate var moments: [(name: MarkupName, moment: String?)] {
    func moment(_ date: EXIFTag, _ fraction: UInt16, _ zone: UInt16) -> String? {
      guard let text = self.date(date) else { return nil }
      let digits = (self.text(EXIFTag(.photo, fraction)) ?? "").prefix { "0123456789".contains($0) }
      let offset = self.text(EXIFTag(.photo, zone)) ?? ""
      let isZone = offset.count == 6 && "+-".contains(offset.prefix(1)) || offset == "Z"
      return text + (digits.isEmpty ? "" : ".\(digits)") + (isZone ? offset : "")
    }
    return [
      (.exif("DateTimeOriginal"), moment(.taken, 0x9291, 0x9011)),
      (.exif("DateTimeDigitized"), moment(.digitized, 0x9292, 0x9012)),
      (.xmp("ModifyDate"), moment(.changed, 0x9290, 0x9010)),
    ]
  }

  /// The date and time of GPS, which are in Greenwich time; nil if one is missing.
  fileprivate var gpsTime: String? {
    let parts = fractions(.gpsTime).compactMap { $0.map { Int($0) } }
    guard parts.count == 3, let day = text(.gpsDate) else { return nil }
    let clock = parts.map { $0.digits(2) }.joined(separator: ":")
    return CivilTime(beginning: "\(day) \(clock)", like: "0000:00:00 00:00:00").map { "\($0)Z" }
  }
}
