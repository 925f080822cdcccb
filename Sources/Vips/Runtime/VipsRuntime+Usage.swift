import CVips

extension VipsRuntime {
  /// The resources that libvips holds at a moment.
  ///
  /// Its threads release their buffers a moment after the work is done.
  public struct Usage: Hashable, Sendable {
    /// Images, operations, regions, sources, targets and the like.
    public var objects: Int
    /// Blocks of tracked memory, mostly pixels.
    public var allocations: Int
    /// Bytes in those blocks.
    public var memory: Int
    /// Files that libvips opened by name; descriptors passed to it are not counted.
    public var files: Int
  }

  /// The resources that libvips holds now.
  public static var usage: Usage {
    _ = try? start()  // Without a start there is nothing to hold, and zeros say so.
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

  /// The maximum bytes of tracked memory, mostly pixels, that libvips has held at a time.
  public static var memoryHighWater: Int { Int(vips_tracked_get_mem_highwater()) }

  /// Returns freed memory to the kernel if malloc keeps more than `bytes` of it.
  public static func releaseFreedMemory(beyond bytes: Int = 0) {
    if bytes == 0 || mallinfo2().fordblks > bytes { _ = malloc_trim(0) }
  }
}
