/// An auxiliary picture of the photo in the frame of a step.
public struct AuxiliaryMap: Sendable, Hashable {
  /// The use of the picture's values, 0…1.
  public enum Reading: Sendable, Hashable {
    /// The values, blurred by a Gaussian of sigma `feather`, in parts of the picture's shorter edge.
    case matte(feather: Double)
    /// 1 where the value is in a range, 0 beyond `feather` outside it: a smoothstep.
    case range(ClosedRange<Double>, feather: Double)
    /// The values; beyond the photo's edge they go on as there.
    case values
  }

  /// The treatment of a photo that has no such picture.
  public enum Missing: String, Choice {
    /// It fails, and says why.
    case fail
    /// Nothing is done to it.
    case nothing
  }

  /// Where the map lies.
  public struct Frame: Sendable, Hashable {
    /// From places in the frame of the step, 0…1, to those in the photo as it is stored, 0…1 too.
    public var place: Homography
    /// The photo's size as it is stored.
    public var photo: Size
  }

  public var picture: AuxiliaryPicture
  public var reading: Reading
  /// The value everywhere in a photo that has no such picture; nil: it fails.
  public var absent: Double?
  /// Nil until the photo is known, and where what is seen is not the photo, but what a program gave
  /// back.
  public var frame: Frame?

  public init(_ picture: AuxiliaryPicture, _ reading: Reading, absent: Double? = nil) {
    self.picture = picture
    self.reading = reading
    self.absent = absent
  }

  /// The level that a value of the picture gives.
  public func level(_ value: Double) -> Double {
    guard case .range(let range, let feather) = reading else { return value }
    let outside = max(range.lowerBound - value, value - range.upperBound)
    let part = min(1, max(0, 1 - outside / max(feather, 0.0001)))
    return part * part * (3 - 2 * part)
  }

  /// The value beyond the photo's edge; nil if the value at the edge is continued.
  public var beyond: Double? { reading == .values ? nil : 0 }
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
