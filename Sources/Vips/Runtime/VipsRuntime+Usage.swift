import CVips

extension VipsRuntime {
  /// The resources that libvips uses at one moment.
  ///
  /// libvips's threads release their buffers shortly after their work is done.
  public struct Usage: Hashable, Sendable {
    /// The number of images, operations, regions, sources, targets and other libvips objects.
    public var objects: Int
    /// The number of blocks of tracked memory, most of them pixels.
    public var allocations: Int
    /// The total bytes in those blocks.
    public var memory: Int
    /// The number of files that libvips opened by name; descriptors passed to libvips are not
    /// included.
    public var files: Int
  }

  /// The resources that libvips uses now.
  public static var usage: Usage {
    guard isStarted else { return Usage(objects: 0, allocations: 0, memory: 0, files: 0) }
    var objects = 0
    withUnsafeMutablePointer(to: &objects) { counter in
      _ = vips_object_map(
        { _, counter, _ in
          counter?.assumingMemoryBound(to: Int.self).pointee += 1
          return nil
        }, counter, nil)
    }
    return Usage(
      objects: objects, allocations: Int(vips_tracked_get_allocs()),
      memory: Int(vips_tracked_get_mem()), files: Int(vips_tracked_get_files()))
  }

  /// The highest amount of tracked memory, mostly pixels, that libvips has used at one time, in
  /// bytes.
  ///
  /// libvips must be started.
  public static var memoryHighWater: Int { Int(vips_tracked_get_mem_highwater()) }

  /// Returns freed memory to the kernel if malloc keeps more than `bytes` bytes of freed memory.
  public static func releaseFreedMemory(beyond bytes: Int = 0) {
    if bytes == 0 || mallinfo2().fordblks > bytes { _ = malloc_trim(0) }
  }
}
