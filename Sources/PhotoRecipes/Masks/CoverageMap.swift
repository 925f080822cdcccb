/// A mask's coverage, which depends on places alone, blurred by a Gaussian.
public struct CoverageMap: Sendable, Hashable {
  /// Makes the coverage of black: three equal channels.
  public private(set) var program: PointProgram
  /// The maps that the program reads.
  public private(set) var maps: [MapSource]
  /// Sigma, in parts of the frame's shorter edge.
  public let feather: Double
  /// The size of the step's frame; nil until the photo is known.
  public private(set) var frame: Size?

  /// The map of a coverage that instructions compute.
  init(of cover: [PointProgram.Instruction], _ maps: [MapSource], feather: Double) {
    let white = PointProgram.Instruction.curve(.linear(slope: 0, offset: 1))
    program = PointProgram([.save] + cover + [white, .mix(opacity: 1, isMasked: true)])
    self.maps = maps
    self.feather = feather
  }

  /// The same map for a frame of `size`, in which `place` is what the photo's own pictures need.
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
