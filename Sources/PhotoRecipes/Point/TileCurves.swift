/// Luma curves for the tiles of a frame, interpolated between the centres of the tiles.
///
/// The bands of a map's pixel are the values of a tile's curve at even steps of the luma over 0…1.
/// The colour changes in proportion to the luma, and vivid colours are limited as in `LocalTone`.
public struct TileCurves: Sendable, Hashable {
  /// The index of the program's image with the curves.
  public var map = 0
  public var placement = Placement.whole

  public init() {}
}

extension TileCurves: CustomStringConvertible {
  public var description: String { "image \(map)\(placement)" }
}
