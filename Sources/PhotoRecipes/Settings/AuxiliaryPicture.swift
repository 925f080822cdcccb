/// A picture that a camera stored in the file beside the photo, and that says something of each part
/// of it.
public enum AuxiliaryPicture: String, Choice {
  /// Mattes, white where there is such a thing: people, and what a camera finds of them.
  case portrait, skin, hair, teeth, glasses
  case sky
  /// The nearness of everything, from black, the farthest, to white, the nearest.
  case depth

  static let mattes = allCases.filter { $0 != .depth }

  /// The names that files have for it.
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

  /// In words, for whoever misses it.
  public var title: String {
    switch self {
    case .portrait: "matte of people"
    case .skin, .hair, .teeth, .glasses, .sky: "matte of \(rawValue)"
    case .depth: "depth map"
    }
  }
}
