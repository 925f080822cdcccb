/// The vocabulary of graphs.
///
/// Lengths in pixels refer to the photo at full size.
public enum Operation: Sendable, Hashable {
  /// The photo as stored; `shrink` is the factor its loader reduces it by: 1, 2, 4 or 8.
  case original(shrink: Int)
  /// Turns the photo upright by its orientation tag, whatever that says.
  case orient
  case program(PointProgram)
  case crop(Crop)
  /// Quarter turns clockwise, 1…3.
  case turn(Int)
  case flip(Axis)
  case resize(Resize)
  case pad(Pad)
  case area(AreaOperation)
  /// Moves from the first input towards the second by `opacity`, on display-encoded values.
  case blend(opacity: Double)
  case overlay(Overlay)
  /// Puts the photo on a colour; the result has no alpha.
  case flatten(Colour)

  public enum Axis: String, Choice {
    /// Left and right change places.
    case horizontal
    /// Top and bottom change places.
    case vertical
  }
}

extension Operation {
  public var name: String {
    switch self {
    case .original: "original"
    case .orient: "orient"
    case .program: "point"
    case .crop: "crop"
    case .turn: "turn"
    case .flip: "flip"
    case .resize: "resize"
    case .pad: "pad"
    case .area(let area): area.kernel
    case .blend: "blend"
    case .overlay: "overlay"
    case .flatten: "flatten"
    }
  }

  /// What the operation was told, for people.
  public var details: String {
    switch self {
    case .original(let shrink): shrink == 1 ? "" : "shrink \(shrink)"
    case .orient: ""
    case .program(let program): "\(program)"
    case .crop(let crop): "\(crop)"
    case .turn(let quarters): "\(quarters * 90)°"
    case .flip(let axis): axis.rawValue
    case .resize(let resize): "\(resize)"
    case .pad(let pad): "\(pad)"
    case .area(let area): "\(area)"
    case .blend(let opacity): "opacity \(opacity.short)"
    case .overlay(let overlay): "\(overlay)"
    case .flatten(let colour): "\(colour.json?.string ?? "")"
    }
  }

  /// Whether the operation moves whole pixels and computes none.
  var isExactGeometry: Bool {
    switch self {
    case .orient, .crop, .turn, .flip: true
    default: false
    }
  }
}
