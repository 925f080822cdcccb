import Glibc
public import PhotoRecipes
import Synchronization
import Vips

/// A photo that stays open for many pictures of an edit that a user changes.
///
/// The photo's header is read once, and its file is decoded once for each size. Use the object on
/// one thread.
public final class HeldPhoto: Sendable {
  public let header: PhotoHeader
  let photo: PhotoFile
  /// The content of the files that recipes name, by path.
  public let files: [String: [UInt8]]
  /// The photo as reduced by its loader.
  let originals = ReducedOriginals(limit: 16_000_000)
  let samples = RawSamples()
  let views = KnownViews()
  /// The photo at full size, for pictures of a part of it.
  let whole = ReducedOriginals(limit: wholePixels)
  /// The measurements for pictures at full size; those of reduced pictures can differ.
  let wholeViews = KnownViews()
  private let images = Mutex<[(kind: LivePicture.Kind, images: LiveImages)]>([])
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

  /// The images that are kept for the next picture of the same kind.
  ///
  /// Drafts are smaller than the picture at rest; each size has its own images, because they follow
  /// each other all the time.
  func images(for kind: LivePicture.Kind) -> LiveImages {
    images.withLock { all in
      let known = all.firstIndex { $0.kind == kind }.map { all.remove(at: $0).images }
      let images = known ?? LiveImages()
      all.append((kind, images))
      if all.count > Self.mostKinds { all.removeFirst() }
      return images
    }
  }

  /// The bytes of the photo at full size, if it is kept.
  var wholeBytes: Int {
    header.size.pixels > Self.wholePixels
      ? 0 : header.stored.pixels * header.bands * header.format.size
  }

  /// Frees the photo at full size.
  public func releaseWhole() { whole.removeAll() }

  private static let wholePixels = 64_000_000
  private static let mostKinds = 4
  /// The bytes of the images that are kept for the next pictures.
  public static let keptBytes = mostKinds * KeptImages.bytes + 4 * 16_000_000
}
