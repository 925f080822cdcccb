import PhotoRecipes
import Vips

/// The coverage of parts of a photo's faces over the frame of a step, as a map of floats.
struct FaceImage {
  /// The longest edge of a map in pixels.
  private static let longestEdge = 1024.0

  private let map: FaceMap
  /// The faces in the upright photo.
  private let faces: [Face]
  private let orientation: Orientation

  init(_ map: FaceMap, of faces: [Face], _ orientation: Orientation) {
    self.map = map
    self.faces = faces
    self.orientation = orientation
  }

  /// Returns the map.
  ///
  /// - Throws: `lostFaces`.
  func image() throws(RenderError) -> Image {
    guard let part = map.frame?.part, let frame = map.size else { throw .lostFaces }
    let size = frame.scaled(by: min(1, Self.longestEdge / Double(frame.longEdge)))
    let toFrame = part.place.inverse.after(orientation.stored)
    let faces = faces.compactMap { $0.seen(through: toFrame) }
    let levels = map.levels(of: faces, in: size).enumerated().map { pixel, level in
      part.isVisible(at: size.centre(ofPixel: pixel)) ? level : 0
    }
    do throws(VipsError) {
      return try Image(samples: levels, width: size.width, height: size.height, bands: 1)
    } catch {
      throw RenderError(error)
    }
  }
}
