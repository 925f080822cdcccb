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
    var image = try Image.streamed(bytes).setting(["vips-sequential": nil]).encoded()
    if !image.hasAlpha { image = try image.applying("bandjoin_const", ["c": .numbers([255])]) }
    let (width, height) = (Double(image.width), Double(image.height))
    let wanted = max(1, (overlay.scale * Double(frame.width)).rounded())
    var scale = min(wanted / width, Double(frame.height) / height)
    if overlay.tiling == nil {
      let (cosine, sine) = (abs(cos(angle)), abs(sin(angle)))
      scale = min(
        scale, Double(frame.width) / (cosine * width + sine * height),
        Double(frame.height) / (sine * width + cosine * height))
    }
    let size = Size(image.width, image.height).scaled(by: scale)
    return try image.applying(
      .resize,
      [
        "width": .integer(size.width), "height": .integer(size.height), "format": .choice("float"),
      ]
    ).applying("premultiply", ["max-alpha": .number(1)]).materialized()
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
    return try image.applying("affine", turn.merging(place) { $1 }).materialized()
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
    return try field.applying("affine", turn.merging(place) { $1 }).applying(
      "tilecache",
      [
        "tile_width": .integer(edge), "tile_height": .integer(edge),
        "max_tiles": .integer(3 * (frame.width / edge + 2)), "threaded": .flag(true),
      ])
  }
}

extension Image {
  /// The image as 8-bit sRGB, with alpha if it has alpha.
  ///
  /// Floating-point samples, including alpha, are linear light, 0…1, as in photos.
  fileprivate func encoded() throws(VipsError) -> Image {
    let space: [String: Argument] = ["space": .choice("srgb")]
    guard format == .float || format == .double else { return try applying("colourspace", space) }
    let channels = bands - (hasAlpha ? 1 : 0)
    func band(_ number: Int) throws(VipsError) -> Image {
      try applying("extract_band", ["band": .integer(number)])
    }
    var colours: [Image] = []
    for number in 0..<3 { colours.append(try band(channels < 3 ? 0 : number)) }
    let image = try Self.joined(colours)
      .applying("copy", ["interpretation": .choice("scrgb")]).applying("colourspace", space)
    if !hasAlpha { return image }
    // The cast truncates; adding 0.5 makes it round.
    let alpha = try band(channels).scaled(by: 255, plus: 0.5)
      .applying("cast", ["format": .choice("uchar")])
    return try Self.joined([image, alpha])
  }

  private static func joined(_ images: [Image]) throws(VipsError) -> Image {
    try calling("bandjoin", ["in": .images(images)]).image("out")
  }
}
