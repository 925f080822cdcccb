import Notation
public import PhotoRecipes

extension Metadata {
  /// The items of each placeholder that stands for a list.
  var lists: [String: [String]] {
    ["{keywords}": keywords, "{creator}": creators, "{artist}": creators]
  }

  /// The creators of XMP, otherwise of IPTC, otherwise of Windows' tag if EXIF has no other.
  private var creators: [String] {
    let texts = xmp?.texts(.dc("creator")) ?? []
    let others = texts.isEmpty ? iptc?.texts(.creator) ?? [] : texts
    if !others.isEmpty || exif?.text(.artist) != nil { return others }
    return exif?.windowsItems(.windowsAuthor) ?? []
  }

  /// The keywords of XMP, IPTC and Windows, because programs write different ones to each.
  ///
  /// IPTC can contain the beginning of a long keyword of XMP.
  fileprivate var keywords: [String] {
    let keywords = xmp?.texts(.dc("subject")) ?? []
    let cut = keywords.map { IPTC.cut($0, IPTC.Field.keyword.limit) }
    let others = (iptc?.texts(.keyword) ?? []).filter { !cut.contains(Array($0.utf8)) }
    var known: Set<String> = []
    return (keywords + others + (exif?.windowsItems(.windowsKeywords) ?? []))
      .filter { known.insert($0).inserted }
  }
}

extension PhotoDetails {
  /// The details in a photo's metadata: from XMP, because users edit it, otherwise from IPTC,
  /// otherwise from EXIF.
  ///
  /// Keywords are those of all three. The capture time of EXIF takes precedence, because the camera
  /// wrote it.
  public init(_ metadata: Metadata) {
    self.init()
    if let xmp = metadata.xmp { read(xmp) }
    if let iptc = metadata.iptc {
      var other = PhotoDetails()
      other.read(iptc)
      self = merged(with: other)
    }
    if let exif = metadata.exif {
      var other = PhotoDetails()
      other.read(exif)
      self = merged(with: other)
    }
    keywords = metadata.keywords.prefix(Self.mostKeywords).map(Self.bounded)
    date = metadata.captureTime
  }

  private mutating func read(_ xmp: XMP) {
    camera = Self.camera(xmp.text(.tiff("Make")), xmp.text(.tiff("Model")))
    let lens = ["exifEX", "aux", "crs"].compactMap { prefix in
      MarkupName(prefixed: prefix == "aux" ? "aux:Lens" : "\(prefix):LensModel").flatMap(xmp.text)
    }
    self.lens = lens.first.map(Self.bounded)
    sensitivity = Self.number(xmp.text(.exif("ISOSpeedRatings")))
    aperture = Self.number(xmp.text(.exif("FNumber")))
    exposureTime = Self.number(xmp.text(.exif("ExposureTime")))
    focalLength = Self.number(xmp.text(.exif("FocalLength")))
    rating = Self.stars(Self.number(xmp.text(.xmp("Rating"))))
    label = xmp.text(.xmp("Label")).map(Self.bounded)
    hasPosition = xmp.coordinates != nil
    title = xmp.text(.dc("title")).map(Self.bounded)
    description = xmp.text(.dc("description")).map(Self.bounded)
    let creators = xmp.texts(.dc("creator"))
    creator = creators.isEmpty ? nil : Self.bounded(creators.joined(separator: "; "))
    copyright = xmp.text(.dc("rights")).map(Self.bounded)
  }

  private mutating func read(_ iptc: IPTC) {
    title = iptc.texts(.title).first.map(Self.bounded)
    description = iptc.texts(.caption).first.map(Self.bounded)
    creator = iptc.texts(.creator).first.map(Self.bounded)
    copyright = iptc.texts(.copyright).first.map(Self.bounded)
  }

  private mutating func read(_ exif: EXIF) {
    camera = Self.camera(exif.text(.make), exif.text(.model))
    let lens = exif.text(.lensModel) ?? exif.canonLens
    self.lens = lens.map(Self.bounded)
    sensitivity = exif.integer(.sensitivity).map(Double.init)
    aperture = exif.fractions(.fNumber).first.flatMap { $0 }
    exposureTime = exif.fractions(.exposureTime).first.flatMap { $0 }
    focalLength = exif.fractions(.focalLength).first.flatMap { $0 }
    rating = Self.stars(exif.integer(.rating).map(Double.init))
    hasPosition = exif.coordinates != nil
    title = exif.windowsText(.windowsTitle).map(Self.bounded)
    description = (exif.text(.description) ?? exif.windowsText(.windowsSubject)).map(Self.bounded)
    let authors = exif.windowsItems(.windowsAuthor).joined(separator: "; ")
    creator = (exif.text(.artist) ?? (authors.isEmpty ? nil : authors)).map(Self.bounded)
    copyright = exif.text(.copyright).map(Self.bounded)
  }

  private static let mostKeywords = 200
  private static let longestText = 500

  /// The text on one line, cut to 500 characters, because it is used in file names and captions.
  private static func bounded(_ text: String) -> String {
    let line = text.map { $0.isNewline || $0 == "\t" || $0 == "\0" ? " " : $0 }
    return String(line.prefix(longestText))
  }

  /// The camera's name without repetition: `Canon EOS R5` for `Canon` and `Canon EOS R5`.
  private static func camera(_ make: String?, _ model: String?) -> String? {
    guard let model else { return make.map(bounded) }
    guard let make, let brand = make.split(separator: " ").first,
      !model.lowercased().hasPrefix(brand.lowercased())
    else { return bounded(model) }
    return bounded("\(make) \(model)")
  }

  /// The value of a number or of a fraction such as `28/10`; nil for other texts.
  private static func number(_ text: String?) -> Double? {
    guard let text else { return nil }
    let parts = text.split(separator: "/").map { Double($0) }
    switch parts.count {
    case 1: return parts[0].flatMap { $0.isFinite ? $0 : nil }
    case 2:
      guard let above = parts[0], let below = parts[1], below != 0 else { return nil }
      return above / below
    default: return nil
    }
  }

  private static func stars(_ number: Double?) -> Double? {
    number.flatMap { (-1...5).contains($0) ? $0 : nil }
  }
}
