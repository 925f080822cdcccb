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
    Setting(
      "file", \.file, .file,
      "A .cube file (1D, 3D or both) or a HaldCLUT as PNG, of at most 256³ points."),
    Setting(
      "strength", \.strength, .number(.strength, 0...1), identity: 0,
      "The strength of the effect; 0 keeps the photo."),
    Setting(
      "space", \.lookupSpace, GradingSpace.kind,
      "The colour space of the table's input; logarithmic ones are those of cameras."),
    Setting(
      "resultSpace", \.resultSpace, GradingSpace.kind,
      "The colour space of the table's output; that of its input if left out."),
  ]

  public var file = NamedFile(path: "", folder: "")
  public var strength = 1.0
  public var lookupSpace = GradingSpace.srgb
  public var resultSpace: GradingSpace?

  public init() {}

  public static var example: Self { with { $0.file = NamedFile(path: "evening.cube", folder: "") } }

  public var contradiction: Problem? {
    file.path.isEmpty && strength > 0 ? .missingKey("file", in: "'lut'") : nil
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let looked = lookupSpace.entry + [.lookup(file)] + (resultSpace ?? lookupSpace).exit
    let mixed =
      strength == 1 ? looked : [.save] + looked + [.mix(opacity: strength, isMasked: false)]
    return graph.append(mixed, in: Self.space, after: input)
  }
}
