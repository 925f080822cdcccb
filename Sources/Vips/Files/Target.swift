import CVips
import Synchronization

/// Where the bytes of a saved image go; good for one save.
///
/// A target that cannot be opened throws when it is first used.
///
/// Safe to share: only the one save that claims it writes to it.
public final class Target: @unchecked Sendable {
  private let pointer: Result<UnsafeMutablePointer<VipsTarget>, VipsError>
  private let isClaimed = Atomic(false)

  /// An open descriptor, written from its present position.
  ///
  /// It is duplicated, so that the caller may close its own at once. TIFF needs one that can be
  /// read and positioned: open it for reading and writing.
  public init(descriptor: Int32) {
    pointer = Result { () throws(VipsError) in
      try VipsRuntime.start()
      return try Self.made(vips_target_new_to_descriptor(descriptor))
    }
  }

  /// Memory, to be had from `bytes()` after the save.
  public init() {
    pointer = Result { () throws(VipsError) in
      try VipsRuntime.start()
      return try Self.made(vips_target_new_to_memory())
    }
  }

  deinit {
    if case .success(let target) = pointer { g_object_unref(target) }
  }

  /// What was saved into memory; empty before a save has succeeded, and for a descriptor.
  public func bytes() -> [UInt8] {
    guard case .success(let target) = pointer else { return [] }
    var slot = GValue()
    g_value_init(&slot, vips_blob_get_type())
    defer { g_value_unset(&slot) }
    g_object_get_property(cvips_gobject(target), "blob", &slot)
    guard case .blob(let bytes) = Field(reading: &slot) else { return [] }
    return bytes
  }

  /// The libvips target, for its only save: what is written after the end of a file, libvips drops
  /// without an error.
  func claim() throws(VipsError) -> UnsafeMutablePointer<VipsTarget> {
    let target = try pointer.get()
    guard !isClaimed.exchange(true, ordering: .relaxed) else {
      throw .failed(operation: "target", detail: "it was saved to before")
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
