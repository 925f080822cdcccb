/// Luma curves for the tiles of a frame, interpolated between the centres of the tiles.
///
/// Each pixel of the map stands for a tile; its bands are the values of the tile's curve at even
/// steps of the luma over 0…1. The colour changes in proportion to the luma, and vivid colours are
/// limited as in `LocalTone`.
public struct TileCurves: Sendable, Hashable {
  /// The index, among the images that the point program reads, of the map with the curves.
  public var map = 0
  public var placement = Placement.whole

  public init() {}
}

extension TileCurves: CustomStringConvertible {
  public var description: String { "image \(map)\(placement)" }
}
