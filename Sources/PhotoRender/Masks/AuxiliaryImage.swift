import PhotoRecipes
import Vips

/// A matte or a depth map from the photo's file, as a map of floats.
///
/// The map has the geometry that the photo has at a step, for example cropped and rotated, and
/// about the resolution of the picture in the file.
struct AuxiliaryImage {
  /// The longest edge of a map in pixels; larger pictures are reduced.
  private static let longestEdge = 2048.0
  /// The maximum memory, in bytes, for a picture when decoded, for its floats, and for its map.
  static let mostBytes = 16 * Int(longestEdge * longestEdge)
  /// The largest relative difference between the aspect ratios of the picture and of the photo.
  private static let mostStretch = 0.02

  private let map: AuxiliaryMap
  private let input: DecoderInput

  init(_ map: AuxiliaryMap, of input: DecoderInput) {
    self.map = map
    self.input = input
  }

  /// Returns the map.
  ///
  /// - Throws: `missingPicture`, `unreadablePicture`, `lostPicture`.
  func image() throws(RenderError) -> Image {
    guard let frame = map.frame else { throw .lostPicture(map.picture) }
    let picture: Image?
    do throws(VipsError) {
      picture = try input.auxiliary(map.picture).map { image throws(VipsError) in
        try levels(of: image)
      }
    } catch {
      throw .unreadablePicture(map.picture, error.reason)
    }
    guard let picture else {
      guard let absent = map.absent else { throw .missingPicture(map.picture) }
      return try Self.checked { () throws(VipsError) in
        try Image(samples: [Float(absent)], width: 1, height: 1, bands: 1)
      }
    }
    let shape = Double(picture.width) / Double(picture.height)
    let photo = Double(frame.photo.width) / Double(frame.photo.height)
    if abs(shape / photo - 1) > Self.mostStretch {
      let size = Size(picture.width, picture.height)
      throw .unreadablePicture(
        map.picture,
        "the aspect ratio of its size, \(size), differs from the photo's, \(frame.photo)")
    }
    return try Self.checked { () throws(VipsError) in try seen(picture, frame.part) }
  }

  private static func checked(
    _ make: () throws(VipsError) -> Image
  ) throws(RenderError) -> Image {
    do throws(VipsError) { return try make() } catch { throw RenderError(error) }
  }

  /// The picture's values, 0…1, blurred by the map's feather.
  private func levels(of picture: Image) throws(VipsError) -> Image {
    let depth = picture.integer("heif-bitdepth") ?? 8
    let feather = if case .matte(let feather) = map.reading { feather } else { 0.0 }
    return try picture.applying(
      "linear", ["a": .numbers([1 / Double((1 << depth) - 1)]), "b": .numbers([0])]
    ).feathered(feather, longestEdge: Self.longestEdge)
  }

  /// The values of a picture, resampled to a map over the frame of the step.
  private func seen(_ picture: Image, _ part: VisiblePart) throws(VipsError) -> Image {
    let levels = try picture.samples(as: Float.self).map { Float(map.level(Double($0))) }
    let size = Size(picture.width, picture.height)
    let plane = Plane(size: size) { levels[$0] }
    let frame = Plane.size(of: part.place, in: size, longestEdge: Self.longestEdge)
    let values = plane.seen(at: frame, through: part.place)
    let samples = values.enumerated().map { pixel, value in
      map.continuesBeyond || part.isVisible(at: frame.centre(ofPixel: pixel)) ? value : 0
    }
    return try Image(samples: samples, width: frame.width, height: frame.height, bands: 1)
  }
}
