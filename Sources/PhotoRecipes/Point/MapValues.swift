/// The values of a map: rows from the top, bands interleaved.
public struct MapValues: Sendable, Hashable {
  public let size: Size
  public let bands: Int
  /// The values; their count is `size.pixels × bands`.
  public let values: [Float]

  public init(size: Size, bands: Int, values: [Float]) {
    self.size = size
    self.bands = bands
    self.values = values
  }
}
