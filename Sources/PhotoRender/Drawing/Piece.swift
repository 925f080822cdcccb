import PhotoRecipes
import Vips

/// A picture to be laid over a photo, with its position.
struct Piece {
  /// The picture as premultiplied RGBA floats, 0…1.
  let image: Image
  /// The fraction of the photo that the picture replaces, 0…1, as one band; nil to use the
  /// picture's alpha.
  var weight: Image?
  let left: Int
  let top: Int

  /// Lays the piece over a photo, display-encoded and computed in float: with premultiplied samples,
  /// `out = photo × (1 − weight) + picture`; the picture's colours are first blended with the photo
  /// if the mode is not `normal`.
  ///
  /// The photo outside the piece does not change.
  func laid(
    over photo: Image, _ mode: BlendMode, _ format: SampleFormat
  ) throws(VipsError) -> Image {
    if image.width == photo.width && image.height == photo.height {
      return try over(photo, mode, format)
    }
    let part = try photo.applying(
      "extract_area",
      [
        "left": .integer(left), "top": .integer(top), "width": .integer(image.width),
        "height": .integer(image.height),
      ])
    let result = try over(part, mode, format)
    return try Image.calling(
      "insert",
      ["main": .image(photo), "sub": .image(result), "x": .integer(left), "y": .integer(top)]
    ).image("out")
  }

  /// The part of the piece that is inside the frame; nil if there is none.
  func cut(to frame: Size) throws(VipsError) -> Piece? {
    let (left, top) = (max(0, left), max(0, top))
    let right = min(self.left + image.width, frame.width)
    let bottom = min(self.top + image.height, frame.height)
    if right <= left || bottom <= top { return nil }
    if Size(right - left, bottom - top) == Size(image.width, image.height) { return self }
    let part = try image.applying(
      "extract_area",
      [
        "left": .integer(left - self.left), "top": .integer(top - self.top),
        "width": .integer(right - left), "height": .integer(bottom - top),
      ])
    return Piece(image: part, left: left, top: top)
  }

  /// Lays the piece over a part of a photo of its own size.
  private func over(
    _ part: Image, _ mode: BlendMode, _ format: SampleFormat
  ) throws(VipsError) -> Image {
    let part = try part.converted(to: .float)
    return try (mode == .normal ? mixed(part) : blended(part, mode)).converted(to: format)
  }

  /// The part with the picture blended over it in a mode other than `normal`.
  private func blended(_ part: Image, _ mode: BlendMode) throws(VipsError) -> Image {
    let isOpaque = part.bands < 4
    let below = isOpaque ? try part.applying("bandjoin_const", ["c": .numbers([1])]) : part
    let program = ProgramEncoder.bytes(
      PointProgram([
        .save, .layer(0), .blend(mode), .compose(.over, opacity: 1, isMasked: false),
      ]), input: .float, size: Size(part.width, part.height))
    // libvips takes an alpha below 0.01 for 0, so that alpha is raised to 0…255 first.
    let picture = try image.scaled(by: 255).applying("unpremultiply").scaled(by: 1 / 255.0)
    let result = try below.applying(
      .point,
      ["program": .blob(program), "format": .choice("float"), "layers": .images([picture])])
    return isOpaque
      ? try result.applying("extract_band", ["band": .integer(0), "n": .integer(3)]) : result
  }

  private func mixed(_ part: Image) throws(VipsError) -> Image {
    let alpha = try image.applying("extract_band", ["band": .integer(3)])
    let rest = try (weight ?? alpha).scaled(by: -1, plus: 1)
    if part.bands < 4 {
      let colour = try image.applying("extract_band", ["band": .integer(0), "n": .integer(3)])
      return try part.times(rest).plus(colour)
    }
    return try part.applying("premultiply", ["max-alpha": .number(1)]).times(rest).plus(image)
      .applying("unpremultiply", ["max-alpha": .number(1)])
  }
}

extension Image {
  /// Converts RGB or RGBA to samples of another format; float samples are 0…1.
  func converted(to format: SampleFormat) throws(VipsError) -> Image {
    if self.format.rawValue == Format(format).rawValue { return self }
    let program = ProgramEncoder.bytes(
      PointProgram(), input: .float, size: Size(width, height))
    return try applying(
      .point, ["program": .blob(program), "format": .choice(format.rawValue)])
  }

  func scaled(by factor: Double, plus offset: Double = 0) throws(VipsError) -> Image {
    try applying("linear", ["a": .numbers([factor]), "b": .numbers([offset])])
  }

  func times(_ other: Image) throws(VipsError) -> Image {
    try Image.calling("multiply", ["left": .image(self), "right": .image(other)]).image("out")
  }

  func plus(_ other: Image) throws(VipsError) -> Image {
    try Image.calling("add", ["left": .image(self), "right": .image(other)]).image("out")
  }

  /// Converts one band of coverage, 0…1, to an image in one colour, as premultiplied RGBA.
  func painted(_ colour: Colour) throws(VipsError) -> Image {
    let alpha = Double(colour.alpha) / 255
    let light = [colour.red, colour.green, colour.blue].map { Double($0) / 255 * alpha }
    return try applying(
      "linear", ["a": .numbers(light + [alpha]), "b": .numbers([0, 0, 0, 0])]
    ).applying("copy", ["interpretation": .choice("srgb")])
  }

  /// Lays this image over another one; both are premultiplied RGBA.
  func over(_ behind: Image) throws(VipsError) -> Image {
    let rest = try applying("extract_band", ["band": .integer(3)]).scaled(by: -1, plus: 1)
    return try behind.times(rest).plus(self)
  }

  /// The same image inside a larger image, with all other samples 0.
  func embedded(_ left: Int, _ top: Int, in frame: Size) throws(VipsError) -> Image {
    try applying(
      "embed",
      [
        "x": .integer(left), "y": .integer(top), "width": .integer(frame.width),
        "height": .integer(frame.height),
      ])
  }
}

extension Rectangle {
  /// Places a rectangle of `size` in a frame, `margin` pixels from the frame's edges if there is
  /// room.
  static func placed(_ size: Size, in frame: Size, _ gravity: Gravity, margin: Int) -> Rectangle {
    let inset = Size(
      max(size.width, frame.width - 2 * margin), max(size.height, frame.height - 2 * margin))
    let inner = Rectangle.placed(size, in: inset, gravity)
    return Rectangle(
      left: inner.left + (frame.width - inset.width) / 2,
      top: inner.top + (frame.height - inset.height) / 2, size: size)
  }
}
