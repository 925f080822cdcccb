import Glibc

/// A change of a pixel's colour that depends only on the colour.
public enum ColourFunction: Sendable, Hashable {
  public typealias Vector = ColourMatrix.Vector

  /// On OKLab: multiplies chroma by (1 + g), `g = amount × (1 − min(1, 4 × chroma))`. An increase
  /// is held back near the edge of the gamut.
  case vibrance(Double, Gamut = .sRGB)
  /// On OKLab: multiplies chroma by (1 + amount), less near the edge of the gamut; the amount is
  /// positive.
  case saturate(Double, Gamut = .sRGB)
  case hues(HueMap)
  case grade(Grade)
  /// Reduces each channel to `n` even steps over 0…1, by `floor(n × x)`.
  case steps(Int)
  case cube(ColourCube)
  /// On display-encoded values: limits bright colours to white.
  case rolloff(Rolloff)
  /// On linear light of the map's space, or display-encoded values if the map takes these: moves
  /// colours into the space.
  case gamut(GamutMap)
  /// On linear light: adapts colours to another light; clipped white stays white.
  case adapt(LightAdaptation)

  /// The function in double precision.
  func callAsFunction(_ colour: Vector) -> Vector {
    switch self {
    case .vibrance(let amount, let gamut):
      let growth = amount * (1 - min(1, 4 * hypot(colour.y, colour.z)))
      let part = OKLab.partForSkin(of: colour)
      let gain = 1 + (amount > 0 ? gamut.growth(of: colour, by: part * growth) : growth)
      return colour * Vector(1, gain, gain)
    case .saturate(let amount, let gamut):
      let gain = 1 + gamut.growth(of: colour, by: amount)
      return colour * Vector(1, gain, gain)
    case .hues(let map): return map(colour)
    case .grade(let grade): return grade(colour)
    case .steps(let count):
      let n = Double(count)
      let inside = colour.clamped(lowerBound: .zero, upperBound: .one)
      return pointwiseMin((inside * n).rounded(.down), Vector(repeating: n - 1)) / (n - 1)
    case .cube(let cube): return cube(colour)
    case .rolloff(let rolloff): return rolloff(colour)
    case .gamut(let map): return map(colour)
    case .adapt(let adaptation): return adaptation(colour)
    }
  }

  /// True if the function limits increases of chroma near the edge of a gamut.
  var dependsOnGamut: Bool {
    switch self {
    case .vibrance(let amount, _): amount > 0
    case .saturate, .hues: true
    case .grade, .steps, .cube, .rolloff, .gamut, .adapt: false
    }
  }

  /// The function with colours kept within `gamut`; the same function if it has no gamut.
  func within(_ gamut: Gamut) -> ColourFunction {
    switch self {
    case .vibrance(let amount, _): .vibrance(amount, gamut)
    case .saturate(let amount, _): .saturate(amount, gamut)
    case .hues(let map): .hues(map.within(gamut))
    case .grade, .steps, .cube, .rolloff, .gamut, .adapt: self
    }
  }

  /// True if no colour changes.
  var isIdentity: Bool {
    switch self {
    case .vibrance(let amount, _), .saturate(let amount, _): amount == 0
    case .hues, .grade, .steps, .cube, .rolloff, .gamut, .adapt: false
    }
  }

  /// True if every grey, represented in the given form, is certain to stay a grey in the same form.
  func keepsGrey(_ form: GreyForm) -> Bool {
    switch self {
    // The effect depends on the chroma. A grey has chroma 0 and stays grey.
    case .vibrance, .saturate, .hues: form == .lightness
    case .grade(let grade): grade.samples.allSatisfy { $0.keepsGrey(form) }
    // These functions change all channels equally, or in proportion to the luma.
    case .steps, .rolloff, .gamut: form == .equal
    case .cube, .adapt: false
    }
  }
}

extension ColourFunction: CustomStringConvertible {
  public var description: String {
    switch self {
    case .vibrance(let amount, let gamut):
      "vibrance \(amount.short)\(amount > 0 ? "\(gamut)" : "")"
    case .saturate(let amount, let gamut): "saturate \(amount.short)\(gamut)"
    case .hues(let map): "hues \(map)"
    case .grade(let grade): "grade \(grade)"
    case .steps(let count): "\(count) steps"
    case .cube(let cube): "\(cube)"
    case .rolloff(let rolloff): "roll off \(rolloff)"
    case .gamut: "into the gamut"
    case .adapt(let adaptation): "adapt \(adaptation)"
    }
  }
}

/// The way in which the three channels of a pixel represent a grey.
enum GreyForm: Hashable {
  /// Three equal channels.
  case equal
  /// The lightness and two channels of 0, as in OKLab.
  case lightness

  /// The tolerance of comparisons with 0 or between channels; such a difference is invisible at 16
  /// bits.
  static let tolerance = 1e-6
}

extension ColourMatrix.Vector {
  /// True if the three channels are equal.
  var isGrey: Bool { max() - min() < GreyForm.tolerance }

  /// True if the second and the third channel are 0.
  var isLightness: Bool { abs(y) < GreyForm.tolerance && abs(z) < GreyForm.tolerance }
}

extension Grade.Sample {
  fileprivate func keepsGrey(_ form: GreyForm) -> Bool {
    switch form {
    case .equal: gain.isGrey && offset.isGrey
    case .lightness: offset.isLightness
    }
  }
}
