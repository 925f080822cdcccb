import PhotoRecipes
import Vips

/// A named image laid over a part of a photo.
struct OverlayImage {
  private let bytes: [UInt8]
  private let overlay: Overlay
  private let format: SampleFormat

  init(_ arguments: [String: Pipeline.Value], _ files: [String: [UInt8]]) throws(VipsError) {
    guard case .overlay(let overlay, let format) = arguments["overlay"],
      let bytes = files[overlay.file.path]
    else { throw .missingArgument("overlay", operation: Pipeline.Special.overlay) }
    self.bytes = bytes
    self.overlay = overlay
    self.format = format
  }

  /// `out = photo × (1 − α) + overlay × α`, display-encoded, computed in float where the two meet;
  /// the rest of the photo is untouched.
  func laid(over photo: Image) throws(VipsError) -> Image {
    let frame = Size(photo.width, photo.height)
    let width = max(1, min(frame.width, Int((overlay.scale * Double(frame.width)).rounded())))
    let top = try premultiplied(width: width, limit: frame.height)
    let place = place(of: Size(top.width, top.height), in: frame)
    let part = try photo.applying(
      "extract_area",
      [
        "left": .integer(place.left), "top": .integer(place.top), "width": .integer(top.width),
        "height": .integer(top.height),
      ])
    let mixed = try mixed(try converted(part, to: .float), top)
    return try Image.calling(
      "insert",
      [
        "main": .image(photo), "sub": .image(try converted(mixed, to: format)),
        "x": .integer(place.left), "y": .integer(place.top),
      ]
    ).image("out")
  }

  private func mixed(_ part: Image, _ top: Image) throws(VipsError) -> Image {
    let alpha = try top.applying("extract_band", ["band": .integer(3)])
    let rest = try alpha.applying("linear", ["a": .numbers([-1]), "b": .numbers([1])])
    let base = part.bands == 4 ? try part.applying("premultiply", ["max-alpha": .number(1)]) : part
    let over =
      part.bands == 4
      ? top : try top.applying("extract_band", ["band": .integer(0), "n": .integer(3)])
    let dimmed = try Image.calling("multiply", ["left": .image(base), "right": .image(rest)])
      .image("out")
    let sum = try Image.calling("add", ["left": .image(dimmed), "right": .image(over)])
      .image("out")
    return part.bands == 4 ? try sum.applying("unpremultiply", ["max-alpha": .number(1)]) : sum
  }

  private func converted(_ image: Image, to format: SampleFormat) throws(VipsError) -> Image {
    let program = ProgramEncoder.bytes(
      PointProgram(), input: .float, size: Size(image.width, image.height))
    return try image.applying(
      "phbatch_point", ["program": .blob(program), "format": .choice(format.rawValue)])
  }

  /// The file's image as premultiplied RGBA floats, 0…1, held in memory.
  private func premultiplied(width: Int, limit: Int) throws(VipsError) -> Image {
    var image = try Image.load(from: Source(bytes: bytes)).applying(
      "colourspace", ["space": .choice("srgb")])
    if !image.hasAlpha { image = try image.applying("bandjoin_const", ["c": .numbers([255])]) }
    image = try image.applying("premultiply", ["max-alpha": .number(255)])
    let scale = min(Double(width) / Double(image.width), Double(limit) / Double(image.height))
    image = try image.applying("resize", ["scale": .number(scale)])
    return try image.applying("linear", ["a": .numbers([1 / 255.0]), "b": .numbers([0])])
      .materialized()
  }

  private func place(of size: Size, in frame: Size) -> Rectangle {
    let margin = Int((overlay.margin * Double(frame.shortEdge)).rounded())
    let inset = Size(
      max(size.width, frame.width - 2 * margin), max(size.height, frame.height - 2 * margin))
    let inner = Rectangle.placed(size, in: inset, overlay.gravity)
    return Rectangle(
      left: inner.left + (frame.width - inset.width) / 2,
      top: inner.top + (frame.height - inset.height) / 2, size: size)
  }
}
