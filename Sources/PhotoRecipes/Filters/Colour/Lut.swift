public import Notation

/// Maps colours by a table from a file, for example a film look or a calibration.
///
/// Curves are interpolated linearly, and cubes tetrahedrally; see `ColourCube`. A colour outside
/// the table's domain is replaced by the nearest colour inside.
public struct Lut: Filter {
  public static let name = "lut"
  public static let summary =
    "Replaces colours by those of a lookup table: a .cube file or a HaldCLUT image."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting("file", \.file, .file, "A .cube file (1D, 3D or both) or a HaldCLUT as PNG."),
    Setting(
      "strength", \.strength, .number(.strength, 0...1), identity: 0,
      "The strength of the effect; 0 keeps the photo."),
    Setting(
      "space", \.lookupSpace, Space.kind, "The colour space of the table's input and output."),
  ]

  /// The encoding of a table's values; the primaries are those of sRGB.
  public enum Space: String, Choice {
    /// The transfer function of sRGB (IEC 61966-2-1).
    case srgb
    case linear
    /// The camera's transfer function in ITU-R BT.709.
    case rec709
  }

  public var file = NamedFile(path: "", folder: "")
  public var strength = 1.0
  public var lookupSpace = Space.srgb

  public init() {}

  public static var example: Self { with { $0.file = NamedFile(path: "evening.cube", folder: "") } }

  public var contradiction: Problem? {
    file.path.isEmpty && strength > 0 ? .missingKey("file", in: "'lut'") : nil
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let looked = lookupSpace.entry + [.lookup(file)] + lookupSpace.exit
    let mixed =
      strength == 1 ? looked : [.save] + looked + [.mix(opacity: strength, isMasked: false)]
    return graph.append(mixed, in: Self.space, after: input)
  }
}

extension Lut.Space {
  /// `((V + 0.099) / 1.099)^(1/0.45)` for V ≥ 0.081, `V / 4.5` below 0.081.
  ///
  /// - Source: ITU-R BT.709-6, 1.2.
  static let rec709Light = Curve.parametric(
    g: 1 / 0.45, a: 1 / 1.099, b: 0.099 / 1.099, c: 1 / 4.5, d: 0.081, e: 0, f: 0)

  fileprivate var entry: [PointProgram.Instruction] {
    switch self {
    case .srgb: []
    case .linear: [.curve(.decode)]
    case .rec709: [.curve(.decode)] + (Self.rec709Light.inverse.map { [.curve($0)] } ?? [])
    }
  }

  fileprivate var exit: [PointProgram.Instruction] {
    switch self {
    case .srgb: []
    case .linear: [.curve(.encode)]
    case .rec709: [.curve(Self.rec709Light), .curve(.encode)]
    }
  }
}
