import PhotoRecipes

extension Metadata {
  /// The same statements for a format that has no place for some of the blocks: XMP has them then.
  func adapted(to format: ContainerFormat) -> Metadata {
    var result = self
    if !format.holdsEXIF, let exif {
      var xmp = result.xmp ?? XMP()
      xmp.adopt(exif)
      result.exif = nil
      result.xmp = xmp
    }
    if !format.holdsIPTC, let iptc {
      var xmp = result.xmp ?? XMP()
      xmp.adopt(iptc)
      result.iptc = nil
      result.xmp = xmp
    }
    if !format.holdsComments, let comment = comments.first(where: { !$0.trimmed.isEmpty }) {
      var xmp = result.xmp ?? XMP()
      if xmp[.exif("UserComment")] == nil {
        xmp.set(.exif("UserComment"), "Alt", [comment.trimmed])
      }
      result.comments = []
      result.xmp = xmp
    }
    if result.xmp?.isEmpty == true { result.xmp = nil }
    return result
  }

  /// How many bytes a finished file grows by when it is left with this metadata and no other.
  public func growth(of descriptor: Int32) throws(MetadataError) -> Int {
    let source = ByteSource.descriptor(descriptor)
    guard let format = ContainerFormat(of: source) else { return 0 }
    var warnings: [String] = []
    return try format.splice(adapted(to: format), into: source, &warnings).growth
  }

  /// Leaves in a finished file this metadata and no other; it must be open for reading and writing.
  ///
  /// - Returns: What had to be left out.
  public func embed(in descriptor: Int32) throws(MetadataError) -> [String] {
    let source = ByteSource.descriptor(descriptor)
    guard let format = ContainerFormat(of: source) else { return [] }
    var warnings: [String] = []
    let splice = try format.splice(adapted(to: format), into: source, &warnings)
    try splice.apply(to: descriptor)
    return warnings
  }

  /// The bytes of a finished file with this metadata and no other.
  public func embedded(in file: [UInt8]) throws(MetadataError) -> [UInt8] {
    guard let format = ContainerFormat(of: .bytes(file)) else { return file }
    var warnings: [String] = []
    let splice = try format.splice(adapted(to: format), into: .bytes(file), &warnings)
    guard let result = splice.applied(to: file) else { throw .overlappingEdits }
    return result
  }
}

extension XMP {
  /// Takes over what IPTC says and this packet does not.
  ///
  /// - Source: IPTC Photo Metadata Standard 2023, which pairs IIM with XMP.
  mutating func adopt(_ iptc: IPTC) {
    func first(_ field: IPTC.Field) -> String? { iptc.texts(field).first }
    adopt(.dc("title"), "Alt", iptc.texts(.title))
    adopt(.dc("subject"), "Bag", iptc.texts(.keyword))
    adopt(.dc("creator"), "Seq", iptc.texts(.creator))
    adopt(.dc("rights"), "Alt", iptc.texts(.copyright))
    adopt(.dc("description"), "Alt", iptc.texts(.caption))
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

  /// Takes over the texts that EXIF has and this packet does not.
  mutating func adopt(_ exif: EXIF) {
    adopt(.dc("creator"), "Seq", exif.text(.artist).map { [$0] } ?? [])
    adopt(.dc("rights"), "Alt", exif.text(.copyright).map { [$0] } ?? [])
    adopt(.dc("description"), "Alt", exif.text(.description).map { [$0] } ?? [])
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
    if let position = exif.position, self.position == nil { set(position) }
  }

  private mutating func adopt(_ name: MarkupName, _ kind: String, _ texts: [String]) {
    if !texts.isEmpty && self[name] == nil { set(name, kind, texts) }
  }
}
