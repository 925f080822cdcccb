/// Curves of the luma for the tiles of a frame: between the middles of four tiles, the mean of their
/// curves weighted by nearness. The colour follows the luma in proportion.
///
/// The bands of a map's pixel are the values of a tile's curve at even steps of the luma over 0…1.
public struct TileCurves: Sendable, Hashable {
  /// The image of the program that holds the curves.
  public var map = 0
  public var placement = Placement.whole

  public init() {}
}

extension TileCurves: CustomStringConvertible {
  public var description: String { "image \(map)\(placement)" }
}
