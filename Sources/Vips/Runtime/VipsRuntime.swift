import CVips
import Codecs
import PixelKernels

/// The start of libvips in this process, and the settings that hold for the whole process.
///
/// `vips_init` does not wait for a start in another thread, so it runs behind a `static let`, which
/// does. Every call of libvips starts it first.
public enum VipsRuntime {
  private static let outcome: Result<Void, VipsError> = {
    guard vips_init("phbatch") == 0 else { return .failure(.take("init")) }
    // With the operation cache, a file that has changed on disk would give its old pixels.
    vips_cache_set_max(0)
    vips_cache_set_max_mem(0)
    vips_cache_set_max_files(0)
    guard ph_set_buffered_rows(Int32(bufferedRows), Int32(stripRows)) == 0 else {
      return .failure(.take("buffering"))
    }
    phbatch_kernels_register()
    phbatch_codecs_register()
    return .success(())
  }()

  /// Starts libvips, without its operation cache, and registers our operations, unless that is done
  /// already.
  public static func start() throws(VipsError) { try outcome.get() }

  /// The version of libvips, for instance `8.14.1`.
  public static var version: String { String(cString: vips_version_string()) }

  /// Sets the number of threads that compute one image; 0 is one for each processor.
  public static func setConcurrency(_ threads: Int) {
    _ = outcome
    vips_concurrency_set(Int32(clamping: threads))
  }

  /// Rows of an image in the buffers of libvips.
  ///
  /// More if its threads compute more rows at a time. libvips's default of 128 takes more memory
  /// and saves no time.
  public static let bufferedRows = 32
  /// The default of the rows that one thread computes at a time.
  public static let stripRows = 16

  /// Sets the rows that one thread computes at a time.
  ///
  /// It holds for the whole process; do not call it while an image is computed.
  public static func setStripRows(_ rows: Int) throws(VipsError) {
    try start()
    guard ph_set_buffered_rows(Int32(bufferedRows), Int32(clamping: rows)) == 0 else {
      throw .take("buffering")
    }
  }

  /// True if an operation or another part of libvips has this name.
  static func hasPart(named name: String) -> Bool {
    guard case .success = outcome else { return false }
    return name.lowercased().hasPrefix("vips") || vips_type_find("VipsOperation", name) != 0
  }

  /// True if libheif has an encoder for HEVC; libvips need not be started.
  public static var canEncodeHEVC: Bool { phbatch_can_encode_hevc() != 0 }

  /// Blocks all operations that libvips marks as unsafe for untrusted files.
  public static func blockUntrusted() {
    _ = outcome
    vips_block_untrusted_set(1)
  }

  /// Blocks or unblocks an operation class and its subclasses, for instance `VipsForeignLoad` or
  /// `VipsForeignLoadJpeg`.
  public static func block(_ operationClass: String, _ blocked: Bool) {
    _ = outcome
    vips_operation_block_set(operationClass, blocked ? 1 : 0)
  }

  /// Frees libvips's data of the calling thread; call it before a thread that used libvips ends.
  public static func trimThreads() { vips_thread_shutdown() }

  /// Clears libvips's error text, so that the next error does not contain old errors.
  public static func forgetErrorText() {
    forgetLatestWarning()
    // Before the start, the lock of the text does not exist.
    if case .success = outcome { vips_error_clear() }
  }

  /// Returns and clears libvips's error text; nil if there is none.
  ///
  /// There is one text for the process. Before libvips 8.15.4 a render on more than one thread may
  /// succeed although its last tiles failed; this text is then the only trace. A lenient decode of
  /// a damaged JPEG also leaves a text, which the next error would contain: take it after each
  /// photo.
  public static func takeErrorText() -> String? {
    guard let text = vips_error_buffer_copy() else { return nil }
    defer { g_free(text) }
    var lines: [Substring] = []
    for line in String(cString: text).split(separator: "\n") where !lines.contains(line) {
      lines.append(line)
    }
    lines = withoutSeeksBeyondEnd(lines)
    return lines.isEmpty ? nil : lines.joined(separator: "; ")
  }
}
