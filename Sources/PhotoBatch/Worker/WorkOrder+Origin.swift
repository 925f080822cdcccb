import PhotoLibrary
import PhotoRecipes
import PhotoRender

extension WorkOrder {
  /// The index of the descriptor of the photo's original, which follows those of the files and of
  /// the film.
  private var originIndex: Int { 1 + files.count + (hasFilm ? 1 : 0) }

  /// The index of the first target's descriptor.
  var firstTarget: Int { originIndex + (frame == nil ? 0 : 1) }

  /// The photo's original; nil if the photo is the original, or if the request does not send it.
  func origin(among descriptors: [Int32]) -> PhotoOrigin? {
    guard let frame, descriptors.indices.contains(originIndex) else { return nil }
    return PhotoOrigin(.descriptor(descriptors[originIndex]), recipe.inputs, frame)
  }

  /// The focal point in the photo, 0…1; it is outside if the photo does not show it.
  ///
  /// Nil if there is none, or if it is too far away, as with the frame of a damaged sidecar.
  var focalPlace: SIMD2<Double>? {
    guard let focal else { return nil }
    let point = SIMD2(focal.x, focal.y)
    guard let frame else { return point }
    let place = frame(point)
    return abs(place.x) <= Self.farthest && abs(place.y) <= Self.farthest ? place : nil
  }

  /// The maximum distance of a focal point, in lengths of the photo's edges.
  private static let farthest = 1e6
}
