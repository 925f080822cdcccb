import PhotoRecipes
import Vips

extension DrawingImage {
  /// The fraction of each pixel of a frame, 0…1, that the drawing covers, as one band of floats.
  ///
  /// The picture is reduced to `longestEdge`. The opacity of the drawing's step does not count.
  func coverage(of frame: Size, longestEdge: Double) throws(RenderError) -> Image {
    let log = WarningLog()
    do {
      var covered = try Image.calling(
        "black", ["width": .integer(frame.width), "height": .integer(frame.height)]
      ).image("out").applying("cast", ["format": .choice("float")])
      for piece in try pieces(in: frame, log) { covered = try piece.covering(covered) }
      let scale = longestEdge / Double(frame.longEdge)
      if scale < 1 {
        covered = try covered.applying(
          "resize", ["scale": .number(scale), "kernel": .choice("linear")])
      }
      return covered
    } catch let error as RenderError {
      throw error
    } catch let error as VipsError {
      throw RenderError(error)
    } catch {
      throw .unreadable("\(error)")
    }
  }
}

extension Piece {
  /// Adds the part of a frame that the piece covers to the coverage.
  fileprivate func covering(_ covered: Image) throws(VipsError) -> Image {
    let own = try image.applying("extract_band", ["band": .integer(3)])
    let alpha = weight ?? own
    let below = try covered.applying(
      "extract_area",
      [
        "left": .integer(left), "top": .integer(top), "width": .integer(image.width),
        "height": .integer(image.height),
      ])
    let both = try below.times(alpha.scaled(by: -1, plus: 1)).plus(alpha)
      .applying("cast", ["format": .choice("float")])
    return try Image.calling(
      "insert",
      ["main": .image(covered), "sub": .image(both), "x": .integer(left), "y": .integer(top)]
    ).image("out")
  }
}
