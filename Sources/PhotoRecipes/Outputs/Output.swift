public import Notation

/// One rendition that a recipe makes of each photo.
public struct Output: Sendable {
  public var name: String
  /// The template of the rendition's path; see `PathTemplate`.
  public var path = PathTemplate.standard
  public var steps: [Step] = []
  public var format: any OutputFormat
  public var profile = OutputProfile.srgb
  public var intent = RenderingIntent.relative
  /// True if a grey photo may be written as one channel.
  public var keepsGrey = true
  public var metadata = MetadataPolicy.web
  /// True if this rendition represents the edited photo.
  public var isCurrent = false
  /// Pixels an inch, recorded in the file; nil keeps what the photo says.
  public var dpi: Double?
  /// True to hide the bands of rounding to 8 bits under noise of one level; without effect at 16
  /// bits.
  public var dither = false
  public var budget = Budget()
  /// Photos that would have fewer pixels across than this are without the rendition.
  public var minWidth: Int?
}

/// The colour space that a rendition is converted to; its profile is embedded.
public enum OutputProfile: SettingValue {
  case srgb, displayP3, adobeRGB, proPhoto, rec2020
  /// Brightness alone, with sRGB's curve.
  case grey
  /// The photo's own.
  case preserve
  /// An ICC profile's file.
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
