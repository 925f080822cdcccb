import CVips
import Codecs
import PixelKernels

/// Starts libvips in this process, and has the settings of the whole process.
///
/// `vips_init` does not wait if another thread has begun to start libvips. Therefore the
/// initializer of a `static let` calls it: all threads wait for such an initializer. Calls of
/// operations, and initializers of images, sources and targets, start libvips themselves.
public enum VipsRuntime {
  private static let outcome: Result<Void, VipsError> = {
    if let flaw = phbatch_load_vips().map({ String(cString: $0) }) {
      return .failure(.failed(operation: "libvips", detail: flaw))
    }
    guard vips_init("phbatch") == 0 else { return .failure(.take("init")) }
    // Has an effect only if `vips_init` did not find them.
    VipsModule.heif.load()
    VipsModule.jxl.load()
    // The operation cache would return the old pixels of a file that has changed on disk.
    vips_cache_set_max(0)
    vips_cache_set_max_mem(0)
    vips_cache_set_max_files(0)
    guard ph_set_buffered_rows(Int32(bufferedRows), Int32(stripRows)) == 0 else {
      return .failure(.take("buffering"))
    }
    phbatch_operations_register()
    if let flaw = flawOfCodecs { return .failure(.failed(operation: "codecs", detail: flaw)) }
    return .success(())
  }()

  /// The reason why a library that Codecs needs cannot be loaded; nil if all are loaded.
  private static let flawOfCodecs: String? = phbatch_codecs_prepare().map { String(cString: $0) }

  /// Starts libvips without its operation cache, and registers phbatch's own operations.
  ///
  /// Does nothing if libvips is already started.
  public static func start() throws(VipsError) { try outcome.get() }

  /// False if libvips cannot be started, so that none of its functions can be called.
  static var isStarted: Bool {
    if case .success = outcome { true } else { false }
  }

  /// The version of libvips, for instance `8.14.1`; libvips must be started.
  public static var version: String { String(cString: vips_version_string()) }

  /// Sets the number of threads that compute one image; 0 means one thread for each processor.
  ///
  /// Has no effect if libvips cannot be started.
  public static func setConcurrency(_ threads: Int) {
    guard isStarted else { return }
    vips_concurrency_set(Int32(clamping: threads))
  }

  /// The number of rows of an image that libvips buffers.
  ///
  /// libvips buffers more rows if its threads compute more rows at a time. Its default of 128 rows
  /// uses more memory and saves no time.
  public static let bufferedRows = 32
  /// The default number of rows that one thread computes at a time.
  public static let stripRows = 16

  /// Sets the number of rows that one thread computes at a time.
  ///
  /// The setting applies to the whole process; do not change it while an image is computed.
  public static func setStripRows(_ rows: Int) throws(VipsError) {
    try start()
    guard ph_set_buffered_rows(Int32(bufferedRows), Int32(clamping: rows)) == 0 else {
      throw .take("buffering")
    }
  }

  /// True if `name` is an operation's nickname or begins with `vips`, as the names in libvips's
  /// error texts do.
  static func hasPart(named name: String) -> Bool {
    guard isStarted else { return false }
    return name.lowercased().hasPrefix("vips") || vips_type_find("VipsOperation", name) != 0
  }

  /// True if libheif has an HEVC encoder; libvips need not be started.
  public static var canEncodeHEVC: Bool {
    flawOfCodecs == nil && phbatch_can_encode_hevc() != 0
  }

  /// Blocks all operations that libvips marks as unsafe for untrusted files.
  public static func blockUntrusted() {
    guard isStarted else { return }
    vips_block_untrusted_set(1)
  }

  /// Blocks or unblocks an operation class and its subclasses, for instance `VipsForeignLoad` or
  /// `VipsForeignLoadJpeg`.
  public static func block(_ operationClass: String, _ blocked: Bool) {
    guard isStarted else { return }
    vips_operation_block_set(operationClass, blocked ? 1 : 0)
  }

  /// Blocks or unblocks one operation, for instance `pdfload_source`.
  ///
  /// Has no effect if this libvips lacks it.
  public static func block(operation name: String, _ blocked: Bool) {
    guard isStarted else { return }
    let type = vips_type_find("VipsOperation", name)
    if type != 0 { vips_operation_block_set(g_type_name(type), blocked ? 1 : 0) }
  }

  /// Frees libvips's data of the calling thread; call it at the end of each thread that used
  /// libvips.
  public static func trimThreads() { vips_thread_shutdown() }

  /// Clears libvips's error text, so that the next error does not contain text about earlier calls.
  public static func forgetErrorText() {
    forgetLatestWarning()
    if isStarted { vips_error_clear() }
  }

  /// Returns and clears libvips's error text; nil if there is none.
  ///
  /// The process has one error text. Before libvips 8.15.4 a render on more than one thread may
  /// succeed although its last tiles failed; this text is then the only sign. A lenient decode of a
  /// damaged JPEG also leaves a text. Take the text after each photo, because otherwise the next
  /// error would contain it.
  public static func takeErrorText() -> String? {
    guard isStarted, let text = vips_error_buffer_copy() else { return nil }
    defer { g_free(text) }
    var lines: [Substring] = []
    for line in String(cString: text).split(separator: "\n") where !lines.contains(line) {
      lines.append(line)
    }
    lines = withoutSeeksBeyondEnd(lines)
    return lines.isEmpty ? nil : lines.joined(separator: "; ")
  }
}
