import PhotoRender

/// The predicted work of one photo.
struct PhotoCost: Sendable, Hashable {
  /// The processor time of one core in seconds.
  var seconds: Double
  /// The memory of its worker in bytes.
  var memory: Int

  /// The work of a photo whose header cannot be read; its shard will report the reason.
  static let unknown = PhotoCost(seconds: 0.1, memory: 3 * MemoryNeeds.idle)
}
