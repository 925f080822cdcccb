import PhotoRecipes
import Vips

/// A mask's coverage, blurred, as a map of floats in memory.
struct CoverageImage {
  /// The longest edge of the map in pixels.
  ///
  /// If the frame is larger, the map has a lower resolution than the frame; the blur hides this.
  private static let longestEdge = 2048.0
  /// The sigma of the blur, in pixels of the map, at which the map needs no higher resolution.
  ///
  /// At this sigma, moving an edge by half a pixel changes the coverage by less than 0.7 %.
  private static let detail = 32.0

  private let map: CoverageMap
  /// The maps that the mask's program reads.
  private let maps: [Image]

  init(_ map: CoverageMap, _ maps: [Image]) {
    self.map = map
    self.maps = maps
  }

  func image() throws(VipsError) -> Image {
    guard let frame = map.frame else {
      throw .missingArgument("frame", operation: Pipeline.Operation.map.name)
    }
    let sigma = map.feather * Double(frame.shortEdge)
    let size = frame.scaled(
      by: min(1, Self.longestEdge / Double(frame.longEdge), max(Self.detail / sigma, 0.01)))
    let program = ProgramEncoder.bytes(map.program, input: .uchar, size: size)
    var arguments: [String: Argument] = ["program": .blob(program), "format": .choice("float")]
    if !maps.isEmpty { arguments["maps"] = .images(maps) }
    return try Image.calling(
      "black",
      ["width": .integer(size.width), "height": .integer(size.height), "bands": .integer(3)]
    ).image("out").applying(.point, arguments)
      .applying("extract_band", ["band": .integer(0)])
      .feathered(map.feather, longestEdge: Self.longestEdge).materialized()
  }
}
