import CVips

/// The bytes from which an image is loaded.
///
/// A source that cannot be opened throws an error at its first use. It may be shared between
/// threads, but only one thread at a time may load from it, because it has one reading position.
public final class Source: @unchecked Sendable {
  let pointer: Result<UnsafeMutablePointer<VipsSource>, VipsError>

  /// Creates a source that reads an open descriptor.
  ///
  /// A file is read from its start, a pipe from its current position. The descriptor is duplicated,
  /// so the caller may close it immediately. Both descriptors share one position in the file.
  public init(descriptor: Int32) {
    pointer = Result { () throws(VipsError) in
      try VipsRuntime.start()
      return try Self.made(vips_source_new_from_descriptor(descriptor))
    }
  }

  /// Creates a source that reads the file at a path; the file stays open as long as libvips reads
  /// from it.
  public init(file: String) {
    pointer = Result { () throws(VipsError) in
      try VipsRuntime.start()
      guard !file.utf8.contains(0) else {
        throw .failed(operation: "source", detail: "the path holds a NUL")
      }
      return try Self.made(vips_source_new_from_file(file))
    }
  }

  /// Creates a source that reads bytes in memory; they are copied once, and the copy is kept until
  /// the last image that reads it is released.
  public init(bytes: [UInt8]) {
    pointer = Result { () throws(VipsError) in
      try VipsRuntime.start()
      guard !bytes.isEmpty, let blob = vips_blob_copy(bytes, bytes.count) else {
        throw .failed(operation: "source", detail: "there are no bytes")
      }
      defer {
        vips_area_unref(UnsafeMutableRawPointer(blob).assumingMemoryBound(to: VipsArea.self))
      }
      return try Self.made(vips_source_new_from_blob(blob))
    }
  }

  /// Creates a source that reads an open file from its start, with patches in place of the file's
  /// bytes at their offsets.
  ///
  /// The descriptor is duplicated, and its position does not change. Only requested parts of the
  /// file are read.
  public init(descriptor: Int32, replacing patches: [(offset: Int, bytes: [UInt8])]) {
    pointer = Result { () throws(VipsError) in
      try VipsRuntime.start()
      return try PatchedFile(descriptor, patches).source()
    }
  }

  deinit {
    if case .success(let source) = pointer { g_object_unref(source) }
  }

  /// True if there is at least one byte; throws if reading fails.
  func hasBytes() throws(VipsError) -> Bool {
    let source = try pointer.get()
    var byte: UInt8 = 0
    guard vips_source_rewind(source) == 0 else { throw .take("source") }
    let count = vips_source_read(source, &byte, 1)
    guard count >= 0, vips_source_rewind(source) == 0 else { throw .take("source") }
    return count > 0
  }

  private static func made(
    _ source: UnsafeMutablePointer<VipsSource>?
  ) throws(VipsError) -> UnsafeMutablePointer<VipsSource> {
    guard let source else { throw .take("source") }
    return source
  }
}
