import CVips
import Synchronization

/// Hears how far the rendering of an image has come, and can stop it from any thread.
///
/// It is attached with `Image.monitored(_:)`. Once cancelled it stays so: every call that has a
/// monitored image among its inputs then throws `VipsError.cancelled`. Rendering stops at the next
/// strip or tile. A photo that is decoded as a whole (any but with sequential access, and WebP,
/// HEIF and AVIF always) is decoded to its end first, and so is one encoded in one of the latter.
public final class Monitor: Sendable {
  /// How far one pass over the pixels has come.
  public struct Progress: Hashable, Sendable {
    /// `0...100`.
    public var percent: Int
    /// Pixels rendered, and pixels in all.
    public var done: Int
    public var total: Int
    /// Seconds since the pass began, and to its end as libvips expects it.
    public var elapsed: Int
    public var remaining: Int
  }

  /// An image under watch, its address valid while it is listed.
  ///
  /// Safe to share: only its kill switch is touched, and only under the monitor's lock.
  private struct Watched: @unchecked Sendable {
    let image: UnsafeMutablePointer<VipsImage>
  }

  private struct State {
    var isCancelled = false
    var images: [Watched] = []
  }

  private let handler: (@Sendable (Progress) -> Void)?
  private let state = Mutex(State())

  /// - Parameter handler: called on a thread of libvips, many times a second; it must not wait.
  public init(_ handler: (@Sendable (Progress) -> Void)? = nil) { self.handler = handler }

  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Stops what is being rendered and refuses what comes later.
  public func cancel() {
    state.withLock { state in
      state.isCancelled = true
      for watched in state.images { vips_image_set_kill(watched.image, 1) }
    }
  }

  /// Connects to the progress signals of an image that nobody else has yet.
  func watch(_ image: Image) {
    let image = image.pointer
    let watched = Watched(image: image)
    state.withLock { state in
      state.images.append(watched)
      if state.isCancelled { vips_image_set_kill(watched.image, 1) }
    }
    // An image above may be watched already: the nearest monitor hears of the progress.
    vips_image_set_progress(image, 0)
    vips_image_set_progress(image, 1)
    let watch = Watch(monitor: self, image: image)
    // The second comes once, with everything done.
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

  /// What the signals of one image hold on to; GObject lets go of it when the image ends.
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
      // libvips turns the switch back when one render has seen it; another may be under way.
      guard !monitor.isCancelled else { return vips_image_set_kill(image, 1) }
      monitor.handler?(
        Progress(
          percent: Int(progress.percent), done: Int(progress.npels), total: Int(progress.tpels),
          elapsed: Int(progress.run), remaining: Int(progress.eta)))
    }
  }
}

extension Image {
  /// The same image, under watch: whatever is made from it tells `monitor` of its progress and
  /// stops when that is cancelled.
  public func monitored(_ monitor: Monitor) throws(VipsError) -> Image {
    let copy = try applying("copy")
    monitor.watch(copy)
    g_object_ref(copy.pointer)
    return Image(owning: copy.pointer, monitors: monitors + [monitor])
  }
}

extension [Monitor] {
  func throwIfCancelled() throws(VipsError) {
    if contains(where: \.isCancelled) { throw .cancelled }
  }
}
