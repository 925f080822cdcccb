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
  /// Gaussian blur of all channels; sigma in pixels.
  case blur(sigma: Double)
  case unsharp(Unsharp)
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
    case .blur: "blur"
    case .unsharp: "unsharp"
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
    case .blur(let sigma): "σ \(sigma.short)"
    case .unsharp(let unsharp): "\(unsharp)"
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

/// What `crop` keeps.
public enum Crop: Sendable, Hashable, CustomStringConvertible {
  /// Edges as a recipe gives them; what is left out is placed by gravity, or whole.
  case edges(left: Length?, top: Length?, width: Length?, height: Length?, Gravity, dpi: Double)
  /// The largest rectangle of a ratio.
  case ratio(Ratio, Gravity)
  /// The largest rectangle of the shape of a box.
  case covering(width: Length, height: Length, Gravity, dpi: Double)
  case pixels(Rectangle)

  /// The rectangle kept of an image of `size`.
  public func rectangle(in size: Size) -> Rectangle {
    switch self {
    case .pixels(let rectangle): return rectangle
    case .ratio(let ratio, let gravity):
      return .placed(Self.largest(Size(ratio.width, ratio.height), in: size), in: size, gravity)
    case .covering(let width, let height, let gravity, let dpi):
      let box = Size(
        max(1, width.pixels(of: size.width, dpi: dpi)),
        max(1, height.pixels(of: size.height, dpi: dpi)))
      return .placed(Self.largest(box, in: size), in: size, gravity)
    case .edges(let left, let top, let width, let height, let gravity, let dpi):
      let (fromLeft, across) = Self.span(left, width, size.width, gravity.fractions.x, dpi)
      let (fromTop, down) = Self.span(top, height, size.height, gravity.fractions.y, dpi)
      return Rectangle(left: fromLeft, top: fromTop, size: Size(across, down))
    }
  }

  /// The largest rectangle of the shape of `box` inside `size`.
  private static func largest(_ box: Size, in size: Size) -> Size {
    let factor = min(
      Double(size.width) / Double(box.width), Double(size.height) / Double(box.height))
    let scaled = box.scaled(by: factor)
    return Size(min(size.width, scaled.width), min(size.height, scaled.height))
  }

  /// Start and length along one edge, held inside it.
  private static func span(
    _ start: Length?, _ length: Length?, _ edge: Int, _ gravity: Double, _ dpi: Double
  ) -> (Int, Int) {
    let wanted = length?.pixels(of: edge, dpi: dpi) ?? edge
    guard let start = start?.pixels(of: edge, dpi: dpi) else {
      let kept = min(max(1, wanted), edge)
      return (Int((Double(edge - kept) * gravity).rounded(.down)), kept)
    }
    let first = min(start, edge - 1)
    return (first, min(max(1, wanted), edge - first))
  }

  public var description: String {
    switch self {
    case .pixels(let rectangle): return "\(rectangle)"
    case .ratio(let ratio, let gravity): return "\(ratio.width):\(ratio.height) \(gravity.rawValue)"
    case .covering(let width, let height, let gravity, _):
      return "\(width)×\(height) \(gravity.rawValue)"
    case .edges(let left, let top, let width, let height, let gravity, _):
      let named = [("left", left), ("top", top), ("width", width), ("height", height)]
      let given = named.compactMap { name, length in
        length?.json.map { "\(name) \($0.string ?? $0.compactText)" }
      }
      return (given + [gravity.rawValue]).joined(separator: " ")
    }
  }
}

/// A luma unsharp mask.
public struct Unsharp: Sendable, Hashable, CustomStringConvertible {
  /// Pixels.
  public var sigma: Double
  public var amount: Double
  /// Differences of luma up to this, 0…1, are left alone.
  public var threshold: Double

  public var description: String {
    "σ \(sigma.short) amount \(amount.short) threshold \(threshold.short)"
  }
}

/// An image laid over the photo, its second input.
public struct Overlay: Sendable, Hashable, CustomStringConvertible {
  public var file: NamedFile
  public var gravity: Gravity
  /// The overlay's width as a part of the frame's.
  public var scale: Double
  /// The distance from the edges as a part of the frame's shorter edge.
  public var margin: Double

  public var description: String {
    "\(file.path) \(gravity.rawValue) scale \(scale.short) margin \(margin.short)"
  }
}
