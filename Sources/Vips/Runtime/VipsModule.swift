import Codecs
import Glibc

/// A part of libvips in a file of its own, with the codecs of a format.
///
/// `vips_init` loads all modules that are installed, and with them the libraries for PDF files,
/// slides and ImageMagick's formats. Linking these takes a fifth of the time of a small photo.
public enum VipsModule: String {
  case heif, jxl
  /// Reads PDF files.
  case poppler

  /// Loads the module.
  ///
  /// Has no effect if the module is not installed, for example because libvips itself contains the
  /// codec. libvips must be started.
  public func load() { phbatch_load_module(rawValue) }
}

extension VipsRuntime {
  /// Starts libvips with the modules for photos, and without all others of the system.
  ///
  /// The process must have only one thread, because the function changes the environment for a
  /// moment. Has no effect if libvips is already started.
  public static func startWithFewModules() throws(VipsError) {
    // The variable names the folder in which libvips looks for its modules; libvips sets it too.
    let variable = "VIPSHOME"
    let folder = getenv(variable).map { String(cString: $0) }
    setenv(variable, "/nonexistent", 1)
    defer { _ = folder.map { setenv(variable, $0, 1) } ?? unsetenv(variable) }
    try start()
  }
}
