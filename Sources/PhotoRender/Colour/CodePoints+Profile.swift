import PhotoMetadata
import PhotoRecipes

/// The colour space that the code points in a photo's file describe (ITU-T H.273, also called
/// CICP).
extension CodePoints {
  static let srgb = CodePoints(primaries: 1, transfer: 13)

  /// The code points of an output's colour space; nil if the space has no code points.
  init?(_ profile: OutputProfile) {
    switch profile {
    case .srgb: self = .srgb
    case .displayP3: self.init(primaries: 12, transfer: 13)
    case .rec2020: self.init(primaries: 9, transfer: 14)
    case .adobeRGB, .proPhoto, .grey, .preserve, .file: return nil
    }
  }

  /// The code points of an output for HDR displays.
  init(_ transfer: HDRTransfer, _ profile: OutputProfile) {
    let primaries =
      switch profile {
      case .srgb: 1
      case .displayP3: 12
      case .rec2020, .adobeRGB, .proPhoto, .grey, .preserve, .file: 9
      }
    self.init(primaries: primaries, transfer: transfer == .pq ? 16 : 18)
  }

  /// The primaries of the code points; nil if they are unknown.
  ///
  /// The white point is D65, except for code points 4 and 11, whose white points are in the table.
  ///
  /// - Source: ITU-T H.273, 2021, table 2.
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

  /// The tone curve of a `StandardProfile`: the parameters of an ICC curve of type 3, or one
  /// exponent.
  ///
  /// For BT.709 and similar transfers, the tone curve is the inverse of the encoding curve, which
  /// browsers also use, and not the curve of a reference display.
  ///
  /// - Source: ITU-T H.273, 2021, table 3.
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

  /// The profile that describes the same colour space as the code points.
  ///
  /// Nil for sRGB, which needs no profile, and for spaces that are not defined by curves and a
  /// matrix.
  var profile: StandardProfile? {
    guard let spacePrimaries, let tone else { return nil }
    if spacePrimaries == .srgb && tone == StandardProfile.srgb.tone { return nil }
    let known = [StandardProfile.displayP3, .rec2020].first {
      $0.primaries == spacePrimaries && $0.tone == tone
    }
    return known
      ?? StandardProfile(description: "CICP \(self)", primaries: spacePrimaries, tone: tone)
  }

  /// The transfer function of a high dynamic range; nil for the standard range.
  var dynamicRange: HighDynamicRange.Transfer? {
    switch transfer {
    case 16: .pq
    case 18: .hlg
    default: nil
    }
  }
}
