import Notation

extension Output {
  static let keys =
    [
      "name", "format", "path", "filters", "profile", "intent", "highlights", "gamut", "gainMap",
      AuxiliaryTreatment.key, HDRTransfer.key, "frame", "live", "metadata", "current", "dpi",
      "dither", "minWidth", "comment",
    ] + FilmPreview.keys + FilmRange.keys + Budget.keys

  /// Reads an output; `formats` contains the formats of a web set if the output is one of a set's, and
  /// is nil otherwise.
  init?(
    _ field: Field, _ diagnostics: inout Diagnostics, of formats: [any OutputFormat.Type]? = nil
  ) {
    let expected = "an output such as {\"name\": \"web\", \"format\": \"jpeg\"}"
    guard diagnostics.expectObject(field, expected) else { return nil }
    var reader = ObjectReader(field, "output", &diagnostics)
    defer { diagnostics = reader.diagnostics }
    let name: String? = reader.require("name", as: .text)
    if let name, !Identifier.isPlain(name) {
      reader.report(.malformed(found: "\"\(name)\"", expected: Identifier.expectation), "name")
    }
    let type = Self.format(&reader)
    // If the format is missing, the other keys are still read to report their errors.
    let format = type?.init(field, others: Self.keys, &reader.diagnostics)
    self = .usual(name ?? "", format ?? JPEGFormat())
    if let path: String = reader.read("path", as: .text) {
      self.path = path
      do throws(PathTemplateError) { _ = try PathTemplate(path) } catch {
        let problem = Problem.contradiction(error.message, remedy: error.hint)
        reader.diagnostics.add(
          problem, at: field["path"] ?? field, character: error.position)
      }
    }
    steps = Recipe.steps("filters", &reader)
    profile = reader.read("profile", as: .text) ?? profile
    if !Swift.type(of: self.format).holdsProfile && profile != .srgb {
      reader.report(
        .contradiction(
          "\(Swift.type(of: self.format).name) cannot store a profile; the colours of its files are sRGB",
          remedy: "remove 'profile', or use another format"),
        "profile")
    } else if !self.format.keepsColour && profile != .srgb && profile != .grey {
      reader.report(
        .contradiction(
          "with these settings the file can store only black and white",
          remedy: "remove 'profile'"),
        "profile")
    }
    intent = reader.read("intent", as: RenderingIntent.kind) ?? .relative
    rolloff = reader.readHighlights()
    gamut = reader.read(GamutMapping.key, as: GamutMapping.kind) ?? .clip
    gainMap = reader.read(GainMapTreatment.key, as: GainMapTreatment.kind)
    if let gainMap, gainMap != .drop, !Swift.type(of: self.format).holdsGainMap {
      reader.report(
        .contradiction(
          "\(Swift.type(of: self.format).name) cannot store a gain map",
          remedy: Self.remedy(GainMapTreatment.key, of: formats) { $0.holdsGainMap }),
        GainMapTreatment.key)
    }
    auxiliary = reader.read(AuxiliaryTreatment.key, as: AuxiliaryTreatment.kind)
    if auxiliary == .keep, !Swift.type(of: self.format).holdsAuxiliaries {
      reader.report(
        .contradiction(
          "\(Swift.type(of: self.format).name) cannot store mattes and depth maps",
          remedy: Self.remedy(AuxiliaryTreatment.key, of: formats) { $0.holdsAuxiliaries }),
        AuxiliaryTreatment.key)
    }
    readHDR(field, &reader, of: formats)
    live = reader.read(LiveTreatment.key, as: LiveTreatment.kind)
    if live == .keep, !Swift.type(of: self.format).holdsFilm {
      reader.report(
        .contradiction(
          "\(Swift.type(of: self.format).name) cannot store the film of a photo",
          remedy: "remove 'live', or use jpeg or heic"),
        LiveTreatment.key)
    }
    if let policy = field["metadata"] {
      metadata = MetadataPolicy(policy, &reader.diagnostics) ?? metadata
    }
    isCurrent = reader.read("current", as: .flag) ?? false
    dpi = reader.read("dpi", as: .number(.dpi, 1...9600))
    dither = reader.read("dither", as: .flag)
    minWidth = reader.read("minWidth", as: Self.minWidthKind)
    budget = Budget(&reader, for: self.format)
    frame = reader.read(FilmMoment.key, as: .text)
    preview = FilmPreview(&reader, Swift.type(of: self.format))
    range = FilmRange(&reader)
    if preview != nil && frame != nil {
      reader.report(
        .contradiction("'frame' is a single frame, 'every' are several", remedy: "remove one"),
        "every")
    }
    if Swift.type(of: self.format).isFilm {
      checkFilm(field, &reader)
    } else if !range.isWhole && preview == nil {
      reader.report(
        .contradiction(
          "a part of a film is a film, and \(Swift.type(of: self.format).name) stores photos",
          remedy: "use 'frame' or 'every' for frames, or the format mp4, mov or webm"),
        range.from == nil ? "to" : "from")
    }
    if frame != nil || preview != nil, isCurrent {
      reader.report(
        .contradiction(
          "frames of a film cannot represent the edited film", remedy: "remove 'current'"),
        "current")
    }
    _ = reader.read("comment", as: .text, String.self)
    if type == nil { return nil }
  }

  /// The remedy for a key that an output's format cannot store; `formats` are those of a web set, nil
  /// for an ordinary output.
  static func remedy(
    _ key: String, of formats: [any OutputFormat.Type]?,
    _ canStore: (any OutputFormat.Type) -> Bool
  ) -> String {
    let names = (formats ?? FormatCatalog.formats).filter(canStore).map { $0.name }
    let all = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    let other = formats == nil ? "use \(all)" : "put it into the objects of \(all) in 'formats'"
    return "remove '\(key)', or \(other)"
  }

  /// Reports settings that have no meaning for films.
  private func checkFilm(_ field: Field, _ reader: inout ObjectReader) {
    if frame != nil {
      reader.report(
        .contradiction(
          "a single frame is a photo, and \(Swift.type(of: format).name) stores films",
          remedy: "remove 'frame', or use a format of photos such as jpeg"),
        FilmMoment.key)
    }
    for key in ["dpi", "minWidth", "minSaving", "keepIfSmaller"]
    where field[key] != nil {
      reader.report(
        .contradiction("'\(key)' does not work with films", remedy: "remove '\(key)'"), key)
    }
    if ![.preserve, .srgb, .displayP3].contains(profile) {
      reader.report(
        .contradiction(
          "films are written only in their own space, in srgb or in display-p3",
          remedy: "remove 'profile'"),
        "profile")
    }
  }

  static let minWidthKind = SettingKind.integer(.pixels, 1...1_000_000)

  private static func format(_ reader: inout ObjectReader) -> (any OutputFormat.Type)? {
    guard let name: String = reader.require("format", as: .text) else { return nil }
    if let type = FormatCatalog.format(named: name) { return type }
    let known = FormatCatalog.formats.map { $0.name }
    reader.report(.unknownName(name, kind: "format", known: known), "format")
    return nil
  }
}
