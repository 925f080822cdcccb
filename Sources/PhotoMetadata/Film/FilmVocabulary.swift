import Notation

/// The meanings of the keys under which films store texts.
///
/// Each key has the meaning of a property of XMP, so that a policy's rules for the property, and for
/// its group, apply to the key.
///
/// - Source: Apple, "QuickTime File Format", "User Data Text Strings" and "QuickTime Metadata Keys";
///   3GPP TS 26.244 16.0, 8; Matroska, "Tags"; the tables of FFmpeg 5.1 and ExifTool 12.57.
enum FilmVocabulary {
  /// The property with the meaning of a key; nil if the key has none that is known.
  ///
  /// A key is a name of QuickTime (`com.apple.quicktime.make`), the name of a box (`©mak`), or a tag
  /// of Matroska or FFmpeg (`MAKE`, `title-eng`).
  static func property(of key: String) -> String? {
    if let property = properties[key] { return property }
    var name = Substring(key.lowercased())
    for prefix in makers where name.hasPrefix(prefix) { name = name.dropFirst(prefix.count) }
    if let property = properties[String(name)] { return property }
    if name.hasPrefix("location.") { return "Iptc4xmpCore:Location" }
    if name.hasPrefix("detected-face") { return "mwg-rs:Regions" }
    // FFmpeg appends the language.
    if name.suffix(4).first == "-" { return properties[String(name.dropLast(4))] }
    return nil
  }

  private static let makers = ["com.apple.quicktime.", "com.android."]

  /// True if a key belongs to the vocabulary of a maker of phones.
  static func isOfMaker(_ key: String) -> Bool {
    let name = key.lowercased()
    return makers.contains(where: name.hasPrefix)
  }

  /// The keys under which FFmpeg reads the type of an MP4 or MOV file.
  static let ofContainer: Set = ["major_brand", "minor_version", "compatible_brands"]

  /// The tag of Matroska, in lower case, by the property with the meaning.
  ///
  /// Matroska defines no tags of coordinates and cameras; these are the ones that FFmpeg uses.
  static let matroska = written.merging([
    "xmp:CreateDate": "date_recorded", "tiff:Make": "make", "tiff:Model": "model",
    "aux:Lens": "lens_model", "xmp:CreatorTool": "software",
  ]) { $1 }

  /// The key under which FFmpeg writes a text to MP4 and MOV files, by the property with the meaning.
  static let written = [
    "dc:title": "title", "dc:description": "description", "exif:UserComment": "comment",
    "dc:subject": "keywords", "dc:creator": "artist", "dc:rights": "copyright",
    "xmp:CreateDate": "date", "exif:GPSLatitude": "location",
  ]

  private static let properties: [String: String] = {
    let keys: KeyValuePairs<String, String> = [
      "dc:title": "©nam titl title displayname",
      "dc:description": "©des ©inf desc ldes dscp description synopsis summary information",
      "exif:UserComment": "©cmt comment",
      "dc:subject": "©key keyw kywd keywords",
      "dc:creator":
        "©ART ©aut ©dir ©prd ©wrt ©com aART auth perf artist album_artist author composer director"
        + " producer creator performer written_by",
      "dc:rights": "©cpy cprt copyright",
      "photoshop:Credit": "©src source credit publisher",
      "xmp:Rating": "rating.user rating",
      "xmp:CreateDate":
        "©day ©dat yrrc date year creation_time creationdate date_recorded date_digitized"
        + " date_released date_encoded location.date",
      "tiff:Make": "©mak manu make",
      "tiff:Model": "©mod modl model",
      "xmp:CreatorTool": "©swr ©swf ©enc ©too software encoder version encoding_tool",
      "aux:Lens": "camera.lens_model lens_model",
      "exif:FocalLengthIn35mmFilm": "camera.focal_length.35mm_equivalent",
      "exif:ExposureTime": "camera.framereadouttimeinmicroseconds",
      "exif:GPSLatitude": "©xyz loci location location.iso6709 recording_location",
      "exif:GPSHPositioningError": "location.accuracy.horizontal",
    ]
    var properties: [String: String] = [:]
    for (property, names) in keys {
      for name in names.split(separator: " ") { properties["\(name)"] = property }
    }
    return properties
  }()
}

extension Coordinates {
  /// Reads coordinates such as `+48.8577+002.2950+035/`: degrees, degrees and minutes, or degrees,
  /// minutes and seconds; nil for another text.
  ///
  /// - Source: ISO 6709:2008, annex H.
  init?(iso6709 text: String) {
    var parts: [String] = []
    for character in text.prefix(while: { $0 != "/" && $0 != "C" }) {
      if "+-".contains(character) { parts.append("") }
      guard !parts.isEmpty, character.isASCII else { return nil }
      parts[parts.count - 1].append(character)
    }
    guard parts.count >= 2, let latitude = Self.degrees(parts[0], digits: 2),
      let longitude = Self.degrees(parts[1], digits: 3), abs(latitude) <= 90,
      abs(longitude) <= 180
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }

  /// The text of ISO 6709, with four digits after the point.
  var iso6709: String {
    func text(_ degrees: Double, digits: Int) -> String {
      let number = abs(degrees).fixed(4)
      let whole = number.prefix { $0 != "." }.count
      return (degrees < 0 ? "-" : "+") + String(repeating: "0", count: max(0, digits - whole))
        + number
    }
    return text(latitude, digits: 2) + text(longitude, digits: 3) + "/"
  }

  private static func degrees(_ text: String, digits: Int) -> Double? {
    let whole = text.dropFirst().prefix { $0 != "." }
    guard let number = Double(text.dropFirst()) else { return nil }
    let size: Double
    switch whole.count - digits {
    case ...0: size = number
    case 2: size = (number / 100).rounded(.down) + number.truncatingRemainder(dividingBy: 100) / 60
    case 4:
      let minutes = (number / 100).rounded(.down)
      size =
        (minutes / 100).rounded(.down) + minutes.truncatingRemainder(dividingBy: 100) / 60
        + number.truncatingRemainder(dividingBy: 100) / 3600
    default: return nil
    }
    return text.hasPrefix("-") ? -size : size
  }
}
