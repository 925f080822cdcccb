/// The values of a map: rows from the top, bands interleaved.
public struct MapValues: Sendable, Hashable {
  public let size: Size
  public let bands: Int
  /// The values; their count is `size.pixels × bands`.
  public let values: [Float]
  /// The number of the step whose map this is in each frame of a film; nil for other maps.
  public var step: Int?

  public init(size: Size, bands: Int, values: [Float]) {
    self.size = size
    self.bands = bands
    self.values = values
  }

  /// The number of values that are hashed, because hashing all takes milliseconds.
  private static let hashed = 64

  public func hash(into hasher: inout Hasher) {
    hasher.combine(size)
    hasher.combine(bands)
    for place in stride(from: 0, to: values.count, by: max(1, values.count / Self.hashed)) {
      hasher.combine(values[place])
    }
  }
}
