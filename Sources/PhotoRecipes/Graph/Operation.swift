import Notation

/// The vocabulary of graphs.
///
/// Lengths in pixels refer to the photo at full size.
public enum Operation: Sendable, Hashable {
  /// The photo as stored; `shrink` is the factor its loader reduces it by: 1, 2, 4 or 8.
  case original(shrink: Int)
  /// Turns the photo upright by its orientation tag, whatever that says.
  case orient
  /// A program on the first input's pixels; the others are the images that it numbers.
  case program(PointProgram)
  /// An image for a program to stretch over the frame; it has no input.
  case map(MapSource)
  /// Stands for what a filter will do when it has seen the photo at this point.
  case measured(MeasuredStep)
  case crop(Crop)
  /// Quarter turns clockwise, 1…3.
  case turn(Int)
  case flip(Axis)
  case resize(Resize)
  case pad(Pad)
  case area(AreaOperation)
  /// Lays the second input on the first, on display-encoded values.
  case blend(Blend)
  case drawn(Drawing)
  /// Resamples the photo through a projective map.
  case warp(Warp)
  /// Lets the photo throw a shadow, in a frame that has room for it.
  case shadow(Shadow)
  /// Hands the photo to another program.
  case external(External)
  /// The photo that a program returned; it has no input.
  case replacement(Replacement)
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
    case .map: "map"
    case .measured: "measure"
    case .crop: "crop"
    case .turn: "turn"
    case .flip: "flip"
    case .resize: "resize"
    case .pad: "pad"
    case .area(let area): area.kernel.rawValue
    case .blend: "blend"
    case .drawn(let drawing): drawing.name
    case .warp: "warp"
    case .shadow: "shadow"
    case .external: "external"
    case .replacement: "replacement"
    case .flatten: "flatten"
    }
  }

  /// The operation's settings as text.
  public var details: String {
    switch self {
    case .original(let shrink): shrink == 1 ? "" : "shrink \(shrink)"
    case .orient: ""
    case .program(let program): "\(program)"
    case .map(let source): "\(source)"
    case .measured(let step): "\(step)"
    case .crop(let crop): "\(crop)"
    case .turn(let quarters): "\(quarters * 90)°"
    case .flip(let axis): axis.rawValue
    case .resize(let resize): "\(resize)"
    case .pad(let pad): "\(pad)"
    case .area(let area): "\(area)"
    case .blend(let blend): "\(blend)"
    case .drawn(let drawing): "\(drawing)"
    case .warp(let warp): "\(warp)"
    case .shadow(let shadow): "\(shadow)"
    case .external(let step): "\(step)"
    case .replacement(let replacement): "\(replacement)"
    case .flatten(let colour): "\(colour.json?.string ?? "")"
    }
  }

  /// The files that the operation reads.
  public var files: [NamedFile] {
    switch self {
    case .drawn(let drawing): drawing.files
    case .blend(let blend): blend.mask?.images ?? []
    case .map(let source): source.files
    case .program(let program): program.lookups
    default: []
    }
  }
}
