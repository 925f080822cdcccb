/// A mask's coverage, blurred by a Gaussian.
///
/// The coverage depends only on positions, not on colours.
public struct CoverageMap: Sendable, Hashable {
  /// The program that computes the coverage as three equal channels, from a black input.
  public private(set) var program: PointProgram
  /// The maps that the program reads.
  public private(set) var maps: [MapSource]
  /// The sigma of the blur, as a fraction of the frame's shorter edge.
  public let feather: Double
  /// The size of the step's frame; nil until the photo is known.
  public private(set) var frame: Size?

  /// Creates the map of a coverage that instructions compute.
  init(of cover: [PointProgram.Instruction], _ maps: [MapSource], feather: Double) {
    let white = PointProgram.Instruction.curve(.linear(slope: 0, offset: 1))
    program = PointProgram([.save] + cover + [white, .mix(opacity: 1, isMasked: true)])
    self.maps = maps
    self.feather = feather
  }

  /// The same map for a step's frame of `size`; `place` is the position of that frame in the photo,
  /// which auxiliary pictures need.
  func placed(in size: Size, _ place: AuxiliaryMap.Frame?) -> CoverageMap {
    if frame != nil { return self }
    var placed = self
    placed.frame = size
    placed.program = program.covering(size)
    placed.maps = maps.map { $0.placed(in: size, place) }
    return placed
  }
}

extension CoverageMap: CustomStringConvertible {
  public var description: String {
    let read = maps.isEmpty ? "" : " of \(maps.map(\.description).joined(separator: ", "))"
    return "(\(program))\(read) feather \(feather.short)"
  }
}
