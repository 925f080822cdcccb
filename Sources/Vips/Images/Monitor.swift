import CVips
import Synchronization

/// Reports the progress of rendering and can cancel it from any thread.
///
/// Attach it with `Image.monitored(_:)`. A cancelled monitor stays cancelled: every call with a
/// monitored image among its inputs throws `VipsError.cancelled`. Rendering stops at the next strip
/// or tile. A decoder of a whole photo (without sequential access, or of WebP, HEIF or AVIF)
/// finishes first, and so do the encoders of WebP, HEIF and AVIF.
public final class Monitor: Sendable {
  /// The progress of one pass over the pixels.
  public struct Progress: Hashable, Sendable {
    /// The progress in percent, `0...100`.
    public var percent: Int
    /// The number of pixels rendered so far, and the number of all pixels.
    public var done: Int
    public var total: Int
    /// The seconds since the pass began, and the remaining seconds as estimated by libvips.
    public var elapsed: Int
    public var remaining: Int
  }

  /// A monitored image; its address is valid while the image is in the monitor's list.
  ///
  /// Safe to share: phbatch only sets the kill flag of the image, and only under the monitor's
  /// lock.
  private struct Watched: @unchecked Sendable {
    let image: UnsafeMutablePointer<VipsImage>
  }

  private struct State {
    var isCancelled = false
    var images: [Watched] = []
  }

  private let handler: (@Sendable (Progress) -> Void)?
  private let state = Mutex(State())

  /// Creates a monitor.
  ///
  /// - Parameter handler: Called many times per second on a thread of libvips; it must not block.
  public init(_ handler: (@Sendable (Progress) -> Void)? = nil) { self.handler = handler }

  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Stops all current rendering; later calls throw `VipsError.cancelled`.
  public func cancel() {
    state.withLock { state in
      state.isCancelled = true
      for watched in state.images { vips_image_set_kill(watched.image, 1) }
    }
  }

  /// Subscribes to the progress signals of an image, which must not have another owner yet.
  func watch(_ image: Image) {
    let image = image.pointer
    let watched = Watched(image: image)
    state.withLock { state in
      state.images.append(watched)
      if state.isCancelled { vips_image_set_kill(watched.image, 1) }
    }
    // libvips reports the progress of a new image to the monitored image among its inputs, if there
    // is one. Turning progress off and on makes this image receive the reports instead.
    vips_image_set_progress(image, 0)
    vips_image_set_progress(image, 1)
    let watch = Watch(monitor: self, image: image)
    // libvips sends `posteval` once, at the end of a pass.
    for signal in ["eval", "posteval"] {
      cvips_connect_progress(
        image, signal,
        { _, progress, watch in
          guard let progress, let watch else { return }
          Unmanaged<Watch>.fromOpaque(watch).takeUnretainedValue().report(progress.pointee)
        },
        Unmanaged.passRetained(watch).toOpaque(),
        { watch, _ in
          if let watch { Unmanaged<Watch>.fromOpaque(watch).release() }
        })
    }
  }

  /// The data for the signals of one image; GObject releases it with the image.
  private final class Watch {
    let monitor: Monitor
    let image: UnsafeMutablePointer<VipsImage>

    init(monitor: Monitor, image: UnsafeMutablePointer<VipsImage>) {
      self.monitor = monitor
      self.image = image
    }

    deinit {
      let watched = Watched(image: image)
      monitor.state.withLock { $0.images.removeAll { $0.image == watched.image } }
    }

    func report(_ progress: VipsProgress) {
      // libvips clears the kill flag when one render has stopped because of it; another render of
      // the image may still be running, so the flag is set again.
      guard !monitor.isCancelled else { return vips_image_set_kill(image, 1) }
      monitor.handler?(
        Progress(
          percent: Int(progress.percent), done: Int(progress.npels), total: Int(progress.tpels),
          elapsed: Int(progress.run), remaining: Int(progress.eta)))
    }
  }
}

extension Image {
  /// The same image with a monitor.
  ///
  /// Rendering of images that are derived from it reports to `monitor`, and stops when `monitor` is
  /// cancelled.
  public func monitored(_ monitor: Monitor) throws(VipsError) -> Image {
    let copy = try applying("copy")
    monitor.watch(copy)
    g_object_ref(copy.pointer)
    return Image(owning: copy.pointer, monitors: monitors + [monitor])
  }
}

extension Image {
  /// Connects this image to its monitors, and returns it.
  ///
  /// libvips does not link a new image in memory to the images from which it was computed, so
  /// without this call readers of the image would report no progress. The image must not have
  /// another owner yet.
  public func watched() -> Image {
    for monitor in monitors { monitor.watch(self) }
    return self
  }
}

extension [Monitor] {
  func throwIfCancelled() throws(VipsError) {
    if contains(where: \.isCancelled) { throw .cancelled }
  }
}
