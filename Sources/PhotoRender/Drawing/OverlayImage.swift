import Glibc
import PhotoRecipes
import Vips

/// A named image that is laid over a photo, once or tiled.
struct OverlayImage {
  private let bytes: [UInt8]
  private let overlay: Overlay

  init(_ overlay: Overlay, _ files: [String: [UInt8]]) throws(VipsError) {
    guard let bytes = files[overlay.file.path] else {
      throw .missingArgument(overlay.file.path, operation: Pipeline.Operation.draw.name)
    }
    self.bytes = bytes
    self.overlay = overlay
  }

  /// Returns the image as one piece, a picture with its position.
  ///
  /// If the offset moves the image out of the frame, returns no piece and adds a warning.
  func pieces(in frame: Size, _ warnings: WarningLog) throws(VipsError) -> [Piece] {
    let image = try premultiplied(in: frame)
    if let tiling = overlay.tiling {
      return [Piece(image: try tiled(image, tiling, over: frame), left: 0, top: 0)]
    }
    let turned = try turned(image)
    let margin = Int((overlay.margin * Double(frame.shortEdge)).rounded())
    let place = Rectangle.placed(
      Size(turned.width, turned.height), in: frame, overlay.gravity, margin: margin)
    let (shaded, room) = try shaded(turned, turnedBack: 0)
    let offset = offset(in: frame)
    let left = place.left + Int(offset.x.rounded())
    let top = place.top + Int(offset.y.rounded())
    if !(-turned.width + 1..<frame.width).contains(left)
      || !(-turned.height + 1..<frame.height).contains(top)
    {
      warnings.add(
        "the image '\(overlay.file.path)' is not visible, because its position is outside the photo"
      )
    }
    let piece = Piece(image: shaded, left: left - room, top: top - room)
    return try piece.cut(to: frame).map { [$0] } ?? []
  }

  /// The offset in pixels.
  private func offset(in frame: Size) -> Placement.Point {
    overlay.offset * Double(frame.shortEdge)
  }

  /// The file's image as premultiplied RGBA floats, 0…1, in memory.
  ///
  /// The image is scaled so that a single copy still fits into the frame after its rotation.
  private func premultiplied(in frame: Size) throws(VipsError) -> Image {
    let mark = try MarkImage(bytes)
    let (width, height) = (Double(mark.size.width), Double(mark.size.height))
    let wanted = max(1, (overlay.scale * Double(frame.width)).rounded())
    var scale = min(wanted / width, Double(frame.height) / height)
    if overlay.tiling == nil {
      let (cosine, sine) = (abs(cos(angle)), abs(sin(angle)))
      scale = min(
        scale, Double(frame.width) / (cosine * width + sine * height),
        Double(frame.height) / (sine * width + cosine * height))
    }
    return try mark.premultiplied(mark.size.scaled(by: scale))
  }

  /// The angle in radians, clockwise.
  private var angle: Double { overlay.angle * .pi / 180 }

  private var turn: [String: Argument] {
    [
      "matrix": .numbers([cos(angle), -sin(angle), sin(angle), cos(angle)]),
      "interpolate": .interpolate("bicubic"),
    ]
  }

  /// The rotated image, in a box that contains all of it.
  private func turned(_ image: Image) throws(VipsError) -> Image {
    if overlay.angle == 0 { return image }
    let (width, height) = (Double(image.width), Double(image.height))
    let (cosine, sine) = (abs(cos(angle)), abs(sin(angle)))
    func length(_ edge: Double) -> Int { Int((edge - 1e-6).rounded(.up)) }
    let box = Size(
      length(cosine * width + sine * height), length(sine * width + cosine * height))
    // The rotation is about the centre of the image, which is on a pixel or between two pixels.
    let place: [String: Argument] = [
      "idx": .number((1 - width) / 2), "idy": .number((1 - height) / 2),
      "odx": .number(Double(box.width - 1) / 2), "ody": .number(Double(box.height - 1) / 2),
      "oarea": .integers([0, 0, box.width, box.height]),
    ]
    return try image.rotated(turn.merging(place) { $1 }).materialized()
  }

  /// Draws the image over its shadow.
  ///
  /// Also returns the number of pixels that the shadow adds on each side.
  ///
  /// The shadow is offset so that it falls to the lower right after the result is rotated by
  /// `angle` radians.
  private func shaded(
    _ image: Image, turnedBack angle: Double
  ) throws(VipsError) -> (Image, room: Int) {
    guard let shadow = overlay.shadow else { return (image, 0) }
    let edge = Double(min(image.width, image.height))
    let (sigma, offset) = (edge / 12, edge / 20)
    let room = Int((4 * sigma).rounded(.up))
    let outer = Size(image.width + 2 * room, image.height + 2 * room)
    let across = Int((offset * (cos(angle) + sin(angle))).rounded())
    let down = Int((offset * (cos(angle) - sin(angle))).rounded())
    var dark = try image.applying("extract_band", ["band": .integer(3)])
      .embedded(room + across, room + down, in: outer)
    if sigma >= 0.3 {
      dark = try dark.applying(
        .area(.blur), ["sigma": .number(min(sigma, 250)), "format": .choice("float")])
    }
    let both = try image.embedded(room, room, in: outer).over(dark.painted(shadow))
    return (try both.materialized(), room)
  }

  /// Tiles an image over the frame, rotated about the frame's centre.
  ///
  /// One copy is at the frame's centre, moved by the overlay's offset.
  private func tiled(
    _ image: Image, _ tiling: Overlay.Tiling, over frame: Size
  ) throws(VipsError) -> Image {
    let gap = Int((tiling.spacing * Double(max(image.width, image.height))).rounded())
    let cell = Size(image.width + gap, image.height + gap)
    let (shaded, room) = try shaded(image, turnedBack: angle)
    let tile = try shaded.embedded(gap / 2 - room, gap / 2 - room, in: cell).materialized()
    // The number of tiles is odd in each direction, and large enough to cover the frame at any
    // angle.
    let reach = Double(frame.width * frame.width + frame.height * frame.height).squareRoot()
    func count(_ edge: Int) -> Int { 2 * Int((reach / 2 / Double(edge)).rounded(.up)) + 1 }
    let field = try tile.applying(
      "replicate",
      ["across": .integer(count(cell.width)), "down": .integer(count(cell.height))])
    // The pattern repeats, so it is moved by at most half a cell.
    let offset = offset(in: frame)
    let (along, across) = (
      offset.x * cos(angle) + offset.y * sin(angle), offset.y * cos(angle) - offset.x * sin(angle)
    )
    let moved = Placement.Point(
      along.remainder(dividingBy: Double(cell.width)),
      across.remainder(dividingBy: Double(cell.height)))
    let (left, top) = (
      (field.width - frame.width) / 2 - Int(moved.x.rounded()),
      (field.height - frame.height) / 2 - Int(moved.y.rounded())
    )
    if overlay.angle == 0 {
      return try field.applying(
        "extract_area",
        [
          "left": .integer(left), "top": .integer(top), "width": .integer(frame.width),
          "height": .integer(frame.height),
        ])
    }
    // One rotated row of the frame crosses the whole pattern. The pattern is therefore rotated in
    // squares, which are kept until all rows of the frame that need them are computed.
    let edge = 128
    let place: [String: Argument] = [
      "idx": .number(moved.x - Double(field.width) / 2),
      "idy": .number(moved.y - Double(field.height) / 2),
      "oarea": .integers([-frame.width / 2, -frame.height / 2, frame.width, frame.height]),
    ]
    return try field.rotated(turn.merging(place) { $1 }).applying(
      "tilecache",
      [
        "tile_width": .integer(edge), "tile_height": .integer(edge),
        "max_tiles": .integer(3 * (frame.width / edge + 2)), "threaded": .flag(true),
      ])
  }
}

extension Image {
  /// Rotates premultiplied RGBA.
  ///
  /// The interpolation exceeds the range of the samples near edges. Where alpha exceeds 1, the pixel
  /// is divided by it; then alpha is at least 0, and colours are limited to 0…alpha.
  fileprivate func rotated(_ arguments: [String: Argument]) throws(VipsError) -> Image {
    let image = try applying("affine", arguments.merging(["premultiplied": .flag(true)]) { $1 })
    let alpha = try image.applying("extract_band", ["band": .integer(3)])
    let none = try alpha.scaled(by: 0)
    let divisor = try Self.second(of: [alpha, none.scaled(by: 1, plus: 1)])
    let within = try Self.calling("divide", ["left": .image(image), "right": .image(divisor)])
      .image("out")
    let most = try Self.second(of: [within.applying("extract_band", ["band": .integer(3)]), none])
    return try Self.second(of: [within, none, most])
  }

  /// The second smallest of the images' samples: of two images the greater, of three the median.
  private static func second(of images: [Image]) throws(VipsError) -> Image {
    try calling("bandrank", ["in": .images(images), "index": .integer(1)]).image("out")
  }
}
