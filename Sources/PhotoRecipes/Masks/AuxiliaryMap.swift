/// An auxiliary picture from the photo's file, mapped to the frame of a step.
public struct AuxiliaryMap: Sendable, Hashable {
  /// The way in which the picture's values, 0…1, are used.
  public enum Reading: Sendable, Hashable {
    /// The values, blurred by a Gaussian; its sigma is `feather` as a fraction of the picture's
    /// shorter edge.
    case matte(feather: Double)
    /// 1 for values in a range, and a smoothstep to 0 at a distance of `feather` outside the range.
    case range(ClosedRange<Double>, feather: Double)
    /// The values, unchanged; beyond the photo's edge, the value at the edge continues.
    case values
  }

  /// The treatment of a photo whose file has no such auxiliary picture.
  public enum Missing: String, Choice {
    /// The photo fails with an error.
    case fail
    /// The step has no effect on the photo.
    case nothing
  }

  /// The position of a step's frame in the photo.
  public struct Frame: Sendable, Hashable {
    /// The part of the photo that is visible in the frame of the step.
    public var part: VisiblePart
    /// The photo's size in pixels as stored.
    public var photo: Size
  }

  public var picture: AuxiliaryPicture
  public var reading: Reading
  /// The value everywhere if the photo's file has no such auxiliary picture; nil if this is an
  /// error.
  public var absent: Double?
  /// The position of the step's frame in the photo.
  ///
  /// Nil until the photo is known; nil also if the step's input is an image that an external
  /// program returned, not the photo.
  public var frame: Frame?

  public init(_ picture: AuxiliaryPicture, _ reading: Reading, absent: Double? = nil) {
    self.picture = picture
    self.reading = reading
    self.absent = absent
  }

  /// Converts a value of the picture to a level of the map.
  public func level(_ value: Double) -> Double {
    guard case .range(let range, let feather) = reading else { return value }
    let outside = max(range.lowerBound - value, value - range.upperBound)
    return (1 - outside / max(feather, 0.0001)).smoothstep
  }

  /// True if the value at the photo's edge continues beyond it; otherwise the value there is 0.
  public var continuesBeyond: Bool { reading == .values }
}

extension AuxiliaryMap: CustomStringConvertible {
  public var description: String {
    let what =
      switch reading {
      case .matte(let feather): " feather \(feather.short)"
      case .range(let range, let feather):
        " \(range.lowerBound.short)…\(range.upperBound.short) feather \(feather.short)"
      case .values: ""
      }
    return "\(picture.title)\(what)"
  }
}
