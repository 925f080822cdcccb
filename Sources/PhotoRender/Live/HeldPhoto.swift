import Glibc
public import PhotoRecipes
import Synchronization
import Vips

/// A photo that stays open for many pictures of an edit that a user changes.
///
/// Its header is read once, and its file is decoded once for each size. Use it on one thread.
public final class HeldPhoto: Sendable {
  public let header: PhotoHeader
  let photo: PhotoFile
  /// The content of the files that recipes name, by path.
  public let files: [String: [UInt8]]
  /// The photo as reduced by its loader.
  let originals = ReducedOriginals(limit: 16_000_000)
  let samples = RawSamples()
  let views = KnownViews()
  /// The kept images of pictures while a setting moves, and of those at rest.
  let (moving, resting, unedited) = (LiveImages(), LiveImages(), LiveImages())
  private let descriptor: Int32

  /// Keeps the photo of an open file, which the caller may close afterwards.
  ///
  /// - Parameters:
  ///   - descriptor: The photo's file.
  ///   - inputs: The formats that may be read.
  ///   - files: The content of the files that recipes name, by path.
  ///   - limits: The limits of the photo.
  /// - Throws: `RenderError` for a photo that cannot be read or exceeds a limit.
  public init(
    _ descriptor: Int32, _ inputs: InputSettings, files: [String: [UInt8]], _ limits: RenderLimits
  ) throws(RenderError) {
    let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { throw .unreadable("too many files are open") }
    self.descriptor = own
    self.files = files
    photo = .descriptor(own)
    do throws(RenderError) {
      header = try PhotoHeader(of: photo, inputs)
      try limits.check(header, photo)
      _ = try photo.lostFrames(inputs.frames)
    } catch {
      close(own)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// The bytes of the images that are kept for the next pictures.
  public static let keptBytes = 3 * KeptImages.bytes + 3 * 16_000_000
}

/// The kept images of one kind of picture.
final class LiveImages: Sendable {
  private let kept = Mutex(KeptImages())

  func serve(_ execution: inout Execution) throws(RenderError) {
    // The images are taken out and put back, because computing them must not hold the lock.
    var images = kept.withLock { kept in
      defer { kept = KeptImages() }
      return kept
    }
    try images.serve(&execution)
    kept.withLock { $0 = images }
  }
}
