/// An auxiliary picture that a camera stored in the photo's file, with information about each
/// position of the photo.
public enum AuxiliaryPicture: String, Choice {
  /// Mattes: white on people, or on the parts of people that a camera detects.
  case portrait, skin, hair, teeth, glasses
  case sky
  /// The nearness of each position: black is the farthest, white the nearest.
  case depth

  static let mattes = allCases.filter { $0 != .depth }

  /// The identifiers of the auxiliary picture in photo files.
  ///
  /// - Source: Apple, ImageIO, CGImageProperties.h (`kCGImageAuxiliaryDataType…`); ISO/IEC
  ///   23008-12:2022, B.2.2.3 (HEVC); ISO/IEC 23002-3 and the AV1 Image File Format 1.1.0, 4.1.
  public var names: [String] {
    func apple(_ year: Int, _ name: String) -> String { "urn:com:apple:photo:\(year):aux:\(name)" }
    return switch self {
    case .portrait: [apple(2018, "portraiteffectsmatte")]
    case .skin: [apple(2019, "semanticskinmatte")]
    case .hair: [apple(2019, "semantichairmatte")]
    case .teeth: [apple(2019, "semanticteethmatte")]
    case .glasses: [apple(2020, "semanticglassesmatte")]
    case .sky: [apple(2020, "semanticskymatte")]
    case .depth:
      ["urn:mpeg:hevc:2015:auxid:2", "urn:mpeg:mpegB:cicp:systems:auxiliary:depth"]
    }
  }

  /// The name of the picture in messages.
  public var title: String {
    switch self {
    case .portrait: "matte of people"
    case .skin, .hair, .teeth, .glasses, .sky: "matte of \(rawValue)"
    case .depth: "depth map"
    }
  }
}
