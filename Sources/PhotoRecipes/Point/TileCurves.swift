/// Curves of the luma for the tiles of a frame, interpolated between the middles of the tiles.
///
/// The bands of a map's pixel are the values of a tile's curve at even steps of the luma over 0…1.
/// The colour follows the luma in proportion, and vivid ones are held as by `LocalTone`.
public struct TileCurves: Sendable, Hashable {
  /// The image of the program that holds the curves.
  public var map = 0
  public var placement = Placement.whole

  public init() {}
}

extension TileCurves: CustomStringConvertible {
  public var description: String { "image \(map)\(placement)" }
}
