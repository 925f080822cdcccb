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
    case "Software": set(name, text: text.trimmed)
    default: set(name, "Alt", [text.trimmed])
    }
  }

  /// Adds those facts of IPTC that this packet does not contain.
  ///
  /// - Source: IPTC Photo Metadata Standard 2023, which pairs IIM with XMP.
  mutating func add(_ iptc: IPTC) {
    func first(_ field: IPTC.Field) -> String? { iptc.texts(field).first }
    add(.dc("title"), "Alt", iptc.texts(.title))
    add(.dc("subject"), "Bag", iptc.texts(.keyword))
    add(.dc("creator"), "Seq", iptc.texts(.creator))
    add(.dc("rights"), "Alt", iptc.texts(.copyright))
    add(.dc("description"), "Alt", iptc.texts(.caption))
    for (name, field): (String, IPTC.Field) in [
      ("Instructions", .instructions), ("City", .city), ("State", .state), ("Country", .country),
      ("Headline", .headline), ("Credit", .credit), ("Source", .source),
    ] {
      if let text = first(field), self[.photoshop(name)] == nil {
        set(.photoshop(name), text: text)
      }
    }
    if let place = first(.sublocation), self[.iptcCore("Location")] == nil {
      set(.iptcCore("Location"), text: place)
    }
    if let date = first(.dateCreated), date.count == 8, self[.photoshop("DateCreated")] == nil {
      let day = Array(date)
      set(
        .photoshop("DateCreated"),
        text: "\(String(day[0..<4]))-\(String(day[4..<6]))-\(String(day[6..<8]))")
    }
  }

  /// Adds those facts of EXIF that this packet does not contain.
  mutating func add(_ exif: EXIF) {
    add(.dc("creator"), "Seq", exif.text(.artist).map { [$0] } ?? [])
    add(.dc("rights"), "Alt", exif.text(.copyright).map { [$0] } ?? [])
    add(.dc("description"), "Alt", exif.text(.description).map { [$0] } ?? [])
    for (name, tag): (MarkupName, EXIFTag) in [
      (.tiff("Make"), .make), (.tiff("Model"), .model), (.xmp("CreatorTool"), .software),
    ] {
      if let text = exif.text(tag), self[name] == nil { set(name, text: text) }
    }
    for (name, tag): (String, EXIFTag) in [
      ("DateTimeOriginal", .taken), ("DateTimeDigitized", .digitized),
    ] {
      if let date = exif.date(tag), self[.exif(name)] == nil { set(.exif(name), text: date) }
    }
    if let coordinates = exif.coordinates, self.coordinates == nil { set(coordinates) }
  }

  private mutating func add(_ name: MarkupName, _ kind: String, _ texts: [String]) {
    if !texts.isEmpty && self[name] == nil { set(name, kind, texts) }
  }
}
