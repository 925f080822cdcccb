import PhotoRecipes
import Vips

/// A part of a rendition that a drawing covers.
struct Covering {
  /// The coverage, 0…1.
  let plane: Plane
  /// The map from positions in the rendition to positions in the plane, both 0…1.
  let place: Homography
}

/// The drawings on the outputs of a photo.
struct PhotoDrawings: Sendable {
  let files: [String: [UInt8]]
  let values: [String: String]
  let byOutput: [String: [Graph.LaidDrawing]]

  /// True if something is drawn on an output.
  func isEmpty(on output: Output) -> Bool { byOutput[output.name]?.isEmpty ?? true }

  /// The parts of an output that drawings cover.
  func coverings(of output: Output) throws(RenderError) -> [Covering] {
    var coverings: [Covering] = []
    for laid in byOutput[output.name] ?? [] {
      let image = try DrawingImage(laid.drawing, files, values)
        .coverage(of: laid.frame, longestEdge: MapGeometry.longestEdge)
      do throws(VipsError) {
        let levels = try image.samples(as: Float.self)
        let plane = Plane(size: Size(image.width, image.height)) { levels[$0] }
        coverings.append(Covering(plane: plane, place: laid.place))
      } catch {
        throw RenderError(error)
      }
    }
    return coverings
  }
}

extension [Covering] {
  /// A function that returns how much of the photo is visible, 0…1, at a pixel of a picture of this
  /// size; `part` is the part of the photo that is visible below the drawings.
  func visible(at size: Size, in part: VisiblePart) -> (Int) -> Float {
    let covered = map { $0.plane.seen(at: size, through: $0.place) }
    return { pixel in
      guard part.isVisible(at: size.centre(ofPixel: pixel)) else { return 0 }
      return covered.reduce(1) { $0 * (1 - Swift.min(Swift.max($1[pixel], 0), 1)) }
    }
  }
}
