import CVips
import Codecs
import PixelKernels

/// The one start of libvips in this process, and the settings that hold for all of it.
///
/// `vips_init` does not wait for a start that another thread has under way, so it runs behind a
/// `static let`, which does. Every way into libvips asks for this first.
public enum VipsRuntime {
  private static let outcome: Result<Void, VipsError> = {
    guard vips_init("phbatch") == 0 else { return .failure(.take("init")) }
    // With operations cached, a file that changed on disk gives the pixels it had before.
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

  /// Starts libvips, with its operation cache off and the pixel kernels registered, if that has
  /// not been done yet.
  public static func start() throws(VipsError) { try outcome.get() }

  /// As libvips tells it, for instance `8.14.1`.
  public static var version: String { String(cString: vips_version_string()) }

  /// How many threads libvips computes one image with; 0 stands for one a processor.
  public static func setConcurrency(_ threads: Int) {
    _ = outcome
    vips_concurrency_set(Int32(clamping: threads))
  }

  /// Rows of an image that libvips keeps wherever it keeps some.
  ///
  /// More where its threads compute more at a time. By itself it keeps 128, which takes memory and saves no time.
  public static let bufferedRows = 32
  /// Rows that one thread computes at a time, unless set.
  public static let stripRows = 16

  /// How many rows one thread computes at a time.
  ///
  /// For the whole process; not while an image is computed.
  public static func setStripRows(_ rows: Int) throws(VipsError) {
    try start()
    guard ph_set_buffered_rows(Int32(bufferedRows), Int32(clamping: rows)) == 0 else {
      throw .take("buffering")
    }
  }

  /// Whether this libvips was built with the operation; a blocked one counts.
  public static func hasOperation(_ nick: String) -> Bool {
    // An operation that cannot be described cannot be called either.
    (try? Signature.of(nick)) != nil
  }

  /// Whether libvips has an operation of this name, or calls another part of itself so.
  static func hasPart(named name: String) -> Bool {
    guard case .success = outcome else { return false }
    return name.lowercased().hasPrefix("vips") || vips_type_find("VipsOperation", name) != 0
  }

  /// Whether the operation takes the argument, be it by a name that libvips calls deprecated.
  public static func hasArgument(_ name: String, of operation: String) -> Bool {
    // An operation that cannot be described takes nothing.
    (try? Signature.of(operation))?.takes(name) ?? false
  }

  /// The first of `names` that the operation takes: for arguments that changed their name between
  /// versions of libvips, with the newest name first.
  public static func firstArgument(among names: [String], of operation: String) -> String? {
    names.first { hasArgument($0, of: operation) }
  }

  /// Blocks every operation that libvips calls unsafe on files from strangers.
  public static func blockUntrusted() {
    _ = outcome
    vips_block_untrusted_set(1)
  }

  /// Blocks or frees an operation class and all below it, as `VipsForeignLoad` or
  /// `VipsForeignLoadJpeg`.
  public static func block(_ operationClass: String, _ blocked: Bool) {
    _ = outcome
    vips_operation_block_set(operationClass, blocked ? 1 : 0)
  }

  /// Frees what libvips keeps for the calling thread; due before a thread that called it ends.
  public static func trimThreads() { vips_thread_shutdown() }

  /// Forgets libvips's error text, so that the next error does not show what is over.
  public static func forgetErrorText() {
    forgetLatestWarning()
    // Before the start there is no lock for it.
    if case .success = outcome { vips_error_clear() }
  }

  /// Takes libvips's error text away; nil when there is none.
  ///
  /// There is one text for the process. Up to libvips 8.15.3 a render on more than one thread may
  /// succeed although its last tiles failed: then the only trace is a text left here. A lenient
  /// decode of a damaged JPEG leaves one too, which the next error would show: take it after each
  /// photo.
  public static func takeErrorText() -> String? {
    guard let text = vips_error_buffer_copy() else { return nil }
    defer { g_free(text) }
    var lines: [Substring] = []
    for line in String(cString: text).split(separator: "\n") where !lines.contains(line) {
      lines.append(line)
    }
    // libheif asks for more than there is to find the end of a file.
    let telling = lines.filter { !$0.contains(": bad seek to ") }
    if !telling.isEmpty { lines = telling }
    return lines.isEmpty ? nil : lines.joined(separator: "; ")
  }
}
