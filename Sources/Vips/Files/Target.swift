import CVips
import Codecs
import Synchronization

/// The destination of one save.
///
/// A target that cannot be opened throws an error at its first use.
///
/// Safe to share: only one save can claim the target, and only that save writes to it.
public final class Target: @unchecked Sendable {
  private let pointer: Result<UnsafeMutablePointer<VipsTarget>, VipsError>
  private let isClaimed = Atomic(false)

  /// Creates a target that writes to an open descriptor from its current position.
  ///
  /// The descriptor is duplicated, so the caller may close it immediately. For TIFF, pass a
  /// seekable file that is open for reading and writing. `WriteError` keeps the error of a write that
  /// fails.
  public init(descriptor: Int32) {
    pointer = Result { () throws(VipsError) in
      try VipsRuntime.start()
      let target = phbatch_file_target(descriptor)
      return try Self.made(target?.assumingMemoryBound(to: VipsTarget.self))
    }
  }

  /// Creates a target that writes to memory; `bytes()` returns the contents after the save.
  public init() {
    pointer = Result { () throws(VipsError) in
      try VipsRuntime.start()
      return try Self.made(vips_target_new_to_memory())
    }
  }

  deinit {
    if case .success(let target) = pointer { g_object_unref(target) }
  }

  /// The bytes that were saved to memory; empty before a successful save, and for a target with a
  /// descriptor.
  public func bytes() -> [UInt8] {
    guard case .success(let target) = pointer else { return [] }
    var slot = GValue()
    g_value_init(&slot, vips_blob_get_type())
    defer { g_value_unset(&slot) }
    g_object_get_property(cvips_gobject(target), "blob", &slot)
    guard g_value_get_boxed(&slot) != nil else { return [] }
    var length = 0
    let bytes = vips_value_get_blob(&slot, &length)
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: length))
  }

  /// Returns the libvips target for its only save.
  ///
  /// A second save must fail, because libvips would drop its bytes without an error.
  func claim() throws(VipsError) -> UnsafeMutablePointer<VipsTarget> {
    let target = try pointer.get()
    guard !isClaimed.exchange(true, ordering: .relaxed) else {
      throw .failed(operation: "target", detail: "a file was saved to this target before")
    }
    return target
  }

  private static func made(
    _ target: UnsafeMutablePointer<VipsTarget>?
  ) throws(VipsError) -> UnsafeMutablePointer<VipsTarget> {
    guard let target else { throw .take("target") }
    return target
  }
}
