/// Luma curves for the tiles of a frame, interpolated between the centres of the tiles.
///
/// The curves are in a map with one pixel for each tile; the bands of a pixel are the values of the
/// tile's curve at even steps of the luma over 0…1. The colour changes in proportion to the luma,
/// and vivid colours are limited as in `LocalTone`.
public struct TileCurves: Sendable, Hashable {
  /// The index, among the images that the point program reads, of the map with the curves.
  public var map = 0
  public var placement = Placement.whole

  public init() {}
}

extension TileCurves: CustomStringConvertible {
  public var description: String { "image \(map)\(placement)" }
}
