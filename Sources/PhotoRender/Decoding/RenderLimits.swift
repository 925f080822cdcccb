import FileStructure
public import Notation
import PhotoMetadata
import PhotoRecipes

/// The limits of a photo; a photo beyond one of them is rejected.
public struct RenderLimits: Sendable, Hashable {
  /// The maximum number of pixels of a photo that must be decoded whole: progressive, interlaced,
  /// or in a format that cannot be streamed.
  public var wholePixels: Int
  /// The maximum number of pixels of other photos.
  public var streamedPixels: Int
  /// The maximum number of frames of an animation that is rendered with all frames.
  public var frames = InputSettings.mostFrames
  /// The maximum size of the photo's file in bytes.
  public var bytes = Int.max
  /// The maximum number of scans of a progressive JPEG.
  ///
  /// Each scan is a pass over the whole photo; cameras and editors write about a dozen.
  public var scans = 500

  public static let standard = RenderLimits(
    wholePixels: 268_000_000, streamedPixels: 2_200_000_000)

  public init(wholePixels: Int, streamedPixels: Int) {
    self.wholePixels = wholePixels
    self.streamedPixels = streamedPixels
  }

  /// The standard limits, or the limits that a user states.
  public init(_ given: GivenLimits) {
    self = .standard
    if let pixels = given.pixels { (wholePixels, streamedPixels) = (pixels, pixels) }
    frames = given.frames ?? frames
    bytes = given.bytes ?? bytes
    scans = given.scans ?? scans
  }

  /// Throws if the photo's header or file exceeds a limit.
  public func check(_ header: PhotoHeader, _ photo: PhotoFile) throws(RenderError) {
    let size = photo.byteSource.count
    if size > bytes { throw .tooManyBytes(size, limit: bytes) }
    try check(header)
    guard header.fileFormat == .jpeg, header.isInterlaced else { return }
    if ProgressiveScans.exceed(scans, in: photo.byteSource) { throw .tooManyScans(limit: scans) }
  }

  /// Throws if a photo has too many pixels or frames.
  public func check(_ header: PhotoHeader) throws(RenderError) {
    let streams = [.jpeg, .png, .tiff].contains(header.fileFormat)
    let limit = streams && !header.isInterlaced ? streamedPixels : wholePixels
    if header.stored.pixels > limit { throw .tooManyPixels(header.stored, limit: limit) }
    guard header.inputs.frames == .all, header.animation != nil else { return }
    if header.pages > frames { throw .tooManyFrames(header.pages, limit: frames) }
    if header.stored.pixels * header.pages > wholePixels {
      let all = Size(header.stored.width, header.stored.height * header.pages)
      throw .tooManyPixels(all, limit: wholePixels)
    }
  }
}

/// The limits that a user gives to replace the standard ones.
public struct GivenLimits: Sendable, Hashable {
  public var pixels: Int?
  public var frames: Int?
  public var bytes: Int?
  public var scans: Int?

  public init() {}

  public init(_ json: JSON) {
    pixels = json["pixels"]?.integer
    frames = json["frames"]?.integer
    bytes = json["bytes"]?.integer
    scans = json["scans"]?.integer
  }

  public var json: JSON {
    var object = JSON.Object()
    object["pixels"] = pixels.map(JSON.integer)
    object["frames"] = frames.map(JSON.integer)
    object["bytes"] = bytes.map(JSON.integer)
    object["scans"] = scans.map(JSON.integer)
    return .object(object)
  }
}
