public import Notation

/// One rendition of each photo, as a recipe defines it.
public struct Output: Sendable {
  public var name: String
  /// The template of the rendition's path; see `PathTemplate`.
  public var path = PathTemplate.standard
  public var steps: [Step] = []
  public var format: any OutputFormat
  public var profile = OutputProfile.srgb
  public var intent = RenderingIntent.relative
  /// The treatment of light above white; nil if the recipe's applies.
  public var rolloff: HighlightRolloff?
  public var gamut = GamutMapping.clip
  /// The treatment of the photo's gain map; nil to keep it where the format and the metadata allow.
  public var gainMap: GainMapTreatment?
  /// The treatment of the photo's mattes and depth map; nil to keep them where the format and the
  /// metadata allow.
  public var auxiliary: AuxiliaryTreatment?
  /// The coding of light above white; nil for a rendition for standard displays.
  public var hdr: HDRTransfer?
  /// The frame of a film that is rendered as a photo; nil for outputs of photos, and of whole
  /// films.
  public var frame: FilmMoment?
  /// The frames of a film that are rendered as an animation, or on a sheet; nil for other outputs.
  public var preview: FilmPreview?
  /// The part of a film that is rendered; the whole film in outputs of photos.
  public var range = FilmRange()
  /// The treatment of the photo's film; nil for the one that `Recipe.keepsFilm` chooses.
  public var live: LiveTreatment?
  /// True if a grey photo may be written as one channel.
  public var keepsGrey = true
  public var metadata = MetadataPolicy.web
  /// True if this rendition represents the edited photo.
  public var isCurrent = false
  /// The resolution in pixels per inch that is recorded in the file; nil keeps the photo's
  /// resolution.
  public var dpi: Double?
  /// True to add noise of one level before rounding to 8 bits, which hides banding; no effect at 16
  /// bits.
  ///
  /// Nil to decide by the photo; see `dithers(forSource:)`.
  public var dither: Bool?
  public var budget = Budget()
  /// The minimum width in pixels: a photo that would be narrower gets no such rendition; nil for no
  /// limit.
  public var minWidth: Int?
}

extension Output {
  /// True if noise is added before rounding to 8 bits, for a photo with `depth` bits per channel.
  ///
  /// By default only photos with more than 8 bits get noise, because the tones of an 8-bit photo
  /// already have steps that noise cannot remove. Outputs with a palette get no noise, because the
  /// encoder diffuses the error itself.
  public func dithers(forSource depth: Int) -> Bool {
    dither ?? (depth > 8 && !format.hasPalette)
  }
}

/// The colour space to which a rendition is converted; its profile is embedded.
public enum OutputProfile: SettingValue {
  case srgb, displayP3, adobeRGB, proPhoto, rec2020
  /// Greyscale, with the transfer function of sRGB.
  case grey
  /// The photo's own colour space.
  case preserve
  /// The colour space of an ICC profile in a file.
  case file(NamedFile)

  static let named: [(name: String, profile: OutputProfile)] = [
    ("srgb", .srgb), ("display-p3", .displayP3), ("adobe-rgb", .adobeRGB),
    ("prophoto", .proPhoto), ("rec2020", .rec2020), ("grey", .grey), ("preserve", .preserve),
  ]

  static var expectation: String {
    "one of \(named.map(\.name).joined(separator: ", ")), or the path of an .icc or .icm file"
  }

  static var schema: JSON {
    .object([
      "anyOf": .array([
        .object(["enum": .array(named.map { .string($0.name) })]),
        .object(["type": .string("string"), "pattern": .string(#"\.ic[cm]$"#)]),
      ])
    ])
  }

  public static func read(_ json: JSON, as kind: SettingKind) -> Result<Self, Problem> {
    guard let text = json.string else {
      return .failure(.wrongType(found: json.summary, expected: expectation))
    }
    if let known = named.first(where: { $0.name == text }) { return .success(known.profile) }
    guard text.hasSuffix(".icc") || text.hasSuffix(".icm") else {
      return .failure(.unknownName(text, kind: "profile", known: named.map(\.name)))
    }
    return NamedFile.read(json, as: .file).map { .file($0) }
  }

  public var json: JSON? {
    if case .file(let file) = self { return .string(file.path) }
    return Self.named.first { $0.profile == self }.map { .string($0.name) }
  }
}

/// The mapping of colours outside the output's gamut.
///
/// - Source: ICC.1:2022, 0.8.
public enum RenderingIntent: String, Choice {
  case relative, perceptual, saturation, absolute
}
