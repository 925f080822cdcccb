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
  let samples = RawSamples()
  /// The look that was fitted to the raw photo.
  let look = LookFit()
  /// The faces of the photo, which are searched once for all pictures.
  let faces: FaceSearch
  /// The film of which the photo is a frame; nil if the file is a photo.
  let film: FilmPhoto?
  /// The warnings about the frame of a film.
  private let frameWarnings: [String]
  /// The settings with which a photo's file was opened; nil for a film, which has none.
  private let inputs: InputSettings?
  private let developments = Mutex<[DevelopedPhoto]>([])
  private let images = Mutex<[(kind: LivePicture.Kind, images: LiveImages)]>([])
  /// The photo's file; nil for a frame of a film, whose bytes are in memory.
  private let descriptor: Int32?

  /// Keeps the photo of an open file, which the caller may close afterwards.
  ///
  /// - Parameters:
  ///   - descriptor: The photo's file.
  ///   - inputs: The formats that may be read.
  ///   - files: The content of the files that recipes name, by path.
  ///   - limits: The limits of the photo.
  ///   - origin: The photo's original, which is read now; nil if the photo is the original.
  /// - Throws: `RenderError` for a photo that cannot be read or exceeds a limit.
  public init(
    _ descriptor: Int32, _ inputs: InputSettings, files: [String: [UInt8]],
    _ limits: RenderLimits, origin: PhotoOrigin? = nil
  ) throws(RenderError) {
    let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { throw .unreadable("too many files are open") }
    self.descriptor = own
    self.files = files
    (film, self.inputs, frameWarnings) = (nil, inputs, [])
    let marks = origin?.markedFaces ?? []
    faces = FaceSearch { marks }
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

  /// Keeps the frame of a film that an output shows: the frame that the output selects, or the first
  /// frame of the output's part of the film.
  ///
  /// - Throws: `RenderError` for a film that does not have this part, or exceeds a limit.
  public init(
    _ film: FilmPhoto, for output: Output?, files: [String: [UInt8]], _ limits: RenderLimits
  ) throws(RenderError) {
    (self.film, self.files) = (film, files)
    faces = FaceSearch()
    (descriptor, inputs) = (nil, nil)
    header = film.header
    if let output, let moment = output.frame {
      let found = try film.photo(at: moment)
      photo = found.photo
      frameWarnings = found.endsAt.map { [output.warning(ofFilmEndingAt: $0)] } ?? []
    } else {
      let part = try output.map { output throws(RenderError) in try film.part(for: output) }
      photo = part?.still ?? film.still
      frameWarnings = []
    }
    try limits.check(header, photo)
  }

  deinit { if let descriptor { close(descriptor) } }

  /// True if the photo would be opened in the same way with these settings.
  public func isOpened(with other: InputSettings) -> Bool { inputs.map { $0 == other } ?? true }

  /// The warnings about the photo, whose header may describe another development.
  func warnings(_ header: PhotoHeader) -> [String] { frameWarnings + header.warnings }

  /// The images and the measurements of the photo as a header describes it.
  ///
  /// A raw photo can be balanced for another light. Only the images of the last such development are
  /// kept, and those of the camera's own white balance, which the unedited picture beside it has.
  func developed(_ header: PhotoHeader) -> DevelopedPhoto {
    let asShot = self.header.raw
    return developments.withLock { known in
      if let same = known.first(where: { $0.raw == header.raw }) { return same }
      if header.raw != asShot {
        known.removeAll { $0.raw != asShot }
        images.withLock { $0.removeAll { $0.kind.raw != asShot } }
      }
      known.append(DevelopedPhoto(header.raw))
      return known[known.count - 1]
    }
  }

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

  /// The number of sizes to which the loader has reduced the photo for pictures; for tests.
  package var decodedImages: Int {
    developments.withLock { $0.reduce(0) { $0 + $1.originals.count } }
  }

  /// The bytes of the photo at full size, if it is kept.
  var wholeBytes: Int {
    header.size.pixels > DevelopedPhoto.wholePixels
      ? 0 : header.stored.pixels * header.bands * header.format.size
  }

  /// Frees the photo at full size, except in one development.
  func releaseWhole(except kept: DevelopedPhoto?) {
    for photo in developments.withLock(\.self) where photo !== kept { photo.whole.removeAll() }
  }

  /// Frees the photo at full size.
  public func releaseWhole() { releaseWhole(except: nil) }

  /// The bytes of the images that are kept for the next pictures.
  public static let keptBytes =
    mostKinds * KeptImages.bytes + 2 * 4 * DevelopedPhoto.originalPixels
  private static let mostKinds = 4
}
