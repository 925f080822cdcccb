import CVips
import PixelKernels

/// The one start of libvips in this process.
///
/// `vips_init` does not wait for a start that another thread has under way, so it must run behind
/// a `static let`, which does. Every way into libvips asks for this first.
enum VipsRuntime {
  private static let outcome: Result<Void, VipsError> =
    start("phbatch")

  private static func start(_ name: String) -> Result<Void, VipsError> {
    guard vips_init(name) == 0 else { return .failure(.take("init")) }
    phbatch_kernels_register()
    return .success(())
  }

  static func start() throws(VipsError) { try outcome.get() }
}
