import PhotoMetadata
import PhotoRecipes

/// Code points as a colour space.
extension CodePoints {
  static let srgb = CodePoints(primaries: 1, transfer: 13)

  /// The code points of an output's space; nil for spaces that have none.
  init?(_ profile: OutputProfile) {
    switch profile {
    case .srgb: self = .srgb
    case .displayP3: self.init(primaries: 12, transfer: 13)
    case .rec2020: self.init(primaries: 9, transfer: 14)
    case .adobeRGB, .proPhoto, .grey, .preserve, .file: return nil
    }
  }

  /// - Source: ITU-T H.273, 2021, table 2; D50 and other whites than D65 as they stand there.
  var spacePrimaries: Primaries? {
    switch primaries {
    case 1, 2: .srgb
    case 4:
      Primaries(
        red: .init(0.67, 0.33), green: .init(0.21, 0.71), blue: .init(0.14, 0.08),
        white: .init(0.310, 0.316))
    case 5:
      Primaries(
        red: .init(0.64, 0.33), green: .init(0.29, 0.60), blue: .init(0.15, 0.06),
        white: Primaries.d65)
    case 6, 7:
      Primaries(
        red: .init(0.630, 0.340), green: .init(0.310, 0.595), blue: .init(0.155, 0.070),
        white: Primaries.d65)
    case 9: .rec2020
    case 11:
      Primaries(
        red: .init(0.68, 0.32), green: .init(0.265, 0.69), blue: .init(0.15, 0.06),
        white: .init(0.314, 0.351))
    case 12: .displayP3
    default: nil
    }
  }

  /// The tone curve of a `StandardProfile`: ICC's parameters of type 3, or one exponent.
  ///
  /// - Source: ITU-T H.273, 2021, table 3; the curves of BT.709 and its like are undone, not the
  ///   curve of a screen applied, as browsers do.
  var tone: [Double]? {
    switch transfer {
    case 1, 6, 14, 15: StandardProfile.rec2020.tone
    case 2, 13: StandardProfile.srgb.tone
    case 4: [2.2]
    case 5: [2.8]
    case 8: [1]
    case 17: [2.6]
    default: nil
    }
  }

  /// The profile with the same meaning; nil for sRGB, which needs none, and for spaces that are not
  /// curves and a matrix.
  var profile: StandardProfile? {
    guard let spacePrimaries, let tone else { return nil }
    if spacePrimaries == .srgb && tone == StandardProfile.srgb.tone { return nil }
    let known = [StandardProfile.displayP3, .rec2020].first {
      $0.primaries == spacePrimaries && $0.tone == tone
    }
    return known
      ?? StandardProfile(description: "CICP \(self)", primaries: spacePrimaries, tone: tone)
  }

  /// The transfer of a high dynamic range; nil for the usual range.
  var dynamicRange: HighDynamicRange.Transfer? {
    switch transfer {
    case 16: .pq
    case 18: .hlg
    default: nil
    }
  }
}
