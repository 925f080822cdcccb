import Foundation
import PhotoRecipes
import Vips

/// A named image laid over a photo, once or all over it.
struct OverlayImage {
  private let bytes: [UInt8]
  private let overlay: Overlay

  init(_ overlay: Overlay, _ files: [String: [UInt8]]) throws(VipsError) {
    guard let bytes = files[overlay.file.path] else {
      throw .missingArgument(overlay.file.path, operation: Pipeline.Special.draw)
    }
    self.bytes = bytes
    self.overlay = overlay
  }

  func piece(in frame: Size) throws(VipsError) -> Piece {
    let width = max(1, min(frame.width, Int((overlay.scale * Double(frame.width)).rounded())))
    let image = try premultiplied(width: width, limit: frame.height)
    if let tiling = overlay.tiling {
      return Piece(image: try Self.tiled(image, tiling, over: frame), left: 0, top: 0)
    }
    let margin = Int((overlay.margin * Double(frame.shortEdge)).rounded())
    let place = Rectangle.placed(
      Size(image.width, image.height), in: frame, overlay.gravity, margin: margin)
    return Piece(image: image, left: place.left, top: place.top)
  }

  /// The file's image as premultiplied RGBA floats, 0…1, held in memory.
  private func premultiplied(width: Int, limit: Int) throws(VipsError) -> Image {
    var image = try Image.recognised(
      bytes, ifSupported: ["fail-on": .choice("truncated")]
    ).applying("colourspace", ["space": .choice("srgb")])
    if !image.hasAlpha { image = try image.applying("bandjoin_const", ["c": .numbers([255])]) }
    let scale = min(Double(width) / Double(image.width), Double(limit) / Double(image.height))
    let size = Size(image.width, image.height).scaled(by: scale)
    return try image.applying(
      "phbatch_resize",
      [
        "width": .integer(size.width), "height": .integer(size.height), "format": .choice("float"),
      ]
    ).applying("premultiply", ["max-alpha": .number(1)]).materialized()
  }

  /// Copies of an image side by side, turned about the frame's centre, where one of them stands.
  private static func tiled(
    _ image: Image, _ tiling: Overlay.Tiling, over frame: Size
  ) throws(VipsError) -> Image {
    let gap = Int((tiling.spacing * Double(max(image.width, image.height))).rounded())
    let cell = Size(image.width + gap, image.height + gap)
    let tile = try image.embedded(gap / 2, gap / 2, in: cell).materialized()
    // An odd number each way, wide enough for the frame at any angle.
    let reach = Double(frame.width * frame.width + frame.height * frame.height).squareRoot()
    func count(_ edge: Int) -> Int { 2 * Int((reach / 2 / Double(edge)).rounded(.up)) + 1 }
    let field = try tile.applying(
      "replicate",
      ["across": .integer(count(cell.width)), "down": .integer(count(cell.height))])
    let (left, top) = ((field.width - frame.width) / 2, (field.height - frame.height) / 2)
    if tiling.angle == 0 {
      return try field.applying(
        "extract_area",
        [
          "left": .integer(left), "top": .integer(top), "width": .integer(frame.width),
          "height": .integer(frame.height),
        ])
    }
    // A row of the frame runs through all of the field: it is turned in squares, which are kept
    // until the frame's rows are past them.
    let edge = 128
    let angle = tiling.angle * .pi / 180
    return try field.applying(
      "affine",
      [
        "matrix": .numbers([cos(angle), -sin(angle), sin(angle), cos(angle)]),
        "interpolate": .interpolate("bicubic"),
        "idx": .number(-Double(field.width) / 2), "idy": .number(-Double(field.height) / 2),
        "oarea": .integers([-frame.width / 2, -frame.height / 2, frame.width, frame.height]),
      ]
    ).applying(
      "tilecache",
      [
        "tile_width": .integer(edge), "tile_height": .integer(edge),
        "max_tiles": .integer(3 * (frame.width / edge + 2)), "threaded": .flag(true),
      ])
  }
}
