import Notation

/// The operations of a graph's nodes.
///
/// Lengths in pixels refer to the photo at full size.
public enum Operation: Sendable, Hashable {
  /// The photo as stored; its loader reduces it by the factor `shrink`: 1, 2, 4 or 8.
  case original(shrink: Int)
  /// Turns the photo upright by its orientation tag, for any value of the tag.
  case orient
  /// Applies a point program to the first input's pixels; the other inputs are the images to which
  /// the program refers by index.
  case program(PointProgram)
  /// An image that a point program stretches over the frame; the node has no input.
  case map(MapSource)
  /// A placeholder for the operations of a filter that depend on a measurement of the photo at this
  /// point.
  case measured(MeasuredStep)
  case crop(Crop)
  /// Rotates the photo by 1…3 quarter turns clockwise.
  case turn(Int)
  case flip(Axis)
  case resize(Resize)
  case pad(Pad)
  case area(AreaOperation)
  /// Blends the second input over the first, in display-encoded values.
  case blend(Blend)
  case drawn(Drawing)
  /// Resamples the photo through a projective map.
  case warp(Warp)
  /// Adds a shadow of the photo, in a frame large enough for it.
  case shadow(Shadow)
  /// A placeholder for the shoulder that compresses colours above the white of an output's space,
  /// so that none remains above it.
  case rolloff(within: Gamut = .sRGB)
  /// Passes the photo to another program.
  case external(External)
  /// The image that an external program returned; the node has no input.
  case replacement(Replacement)
  /// Composites the photo over a background colour; the result has no alpha.
  case flatten(Colour)

  public enum Axis: String, Choice {
    /// Exchanges left and right.
    case horizontal
    /// Exchanges top and bottom.
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
    case .rolloff: "rolloff"
    case .external: "external"
    case .replacement: "replacement"
    case .flatten: "flatten"
    }
  }

  /// The operation's settings as text.
  public var details: String {
    switch self {
    case .original(let shrink): shrink == 1 ? "" : "shrink \(shrink)"
    case .orient, .rolloff: ""
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
