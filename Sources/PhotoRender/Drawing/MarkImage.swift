import PhotoRecipes
import Vips

/// An image that a step lays over photos, in the colours in which it is rendered as a photo.
struct MarkImage {
  /// The pixels as stored, display-encoded sRGB with alpha, 8 or 16 bits; they can be read once
  /// from top to bottom.
  let image: Image
  let orientation: Orientation

  init(_ bytes: [UInt8]) throws(VipsError) {
    let photo = PhotoFile.bytes(bytes)
    let header: PhotoHeader
    let input: DecoderInput
    do throws(RenderError) {
      header = try PhotoHeader(of: photo, InputSettings())
      input = try photo.input(for: header)
    } catch {
      throw .failed(operation: "load", detail: error.message)
    }
    orientation = header.orientation
    let decoded = try input.image(
      ifSupported: ["access": .choice("sequential"), "fail-on": .choice("truncated")]
    ).setting(["vips-sequential": nil])
    image = try decoded.encoded(SourceColour(header), .integer(depth: header.depth))
  }

  /// The size of the upright image.
  var size: Size {
    let stored = Size(image.width, image.height)
    return orientation.swapsEdges ? stored.turned : stored
  }

  /// The upright image as premultiplied floats, 0…1, resized and in memory.
  func premultiplied(_ size: Size) throws(VipsError) -> Image {
    let stored = orientation.swapsEdges ? size.turned : size
    var image = try image.applying(
      .resize,
      [
        "width": .integer(stored.width), "height": .integer(stored.height),
        "format": .choice("float"),
      ]
    ).applying("premultiply", ["max-alpha": .number(1)]).materialized()
    let (flip, quarters) = orientation.correction
    if flip { image = try image.applying("flip", ["direction": .choice("horizontal")]) }
    return try image.applying("rot", ["angle": .choice("d\(quarters * 90)")])
  }
}

extension Image {
  /// Converts decoded pixels to display-encoded sRGB with alpha.
  fileprivate func encoded(
    _ colour: SourceColour, _ format: SampleFormat
  ) throws(VipsError) -> Image {
    var image = self
    for step in colour.normalization {
      image =
        step.operation == .importByTables
        ? try image.importedByTables(step.arguments)
        : try image.applying(step.operation.name, step.arguments.mapValues(\.argument))
    }
    if !colour.toSRGB.isEmpty || colour.format != format {
      let program = ProgramEncoder.bytes(
        PointProgram(colour.toSRGB), input: colour.format, size: Size(width, height))
      image = try image.applying(
        .point, ["program": .blob(program), "format": .choice(format.rawValue)])
    }
    if image.bands > 3 { return image }
    return try image.applying("bandjoin_const", ["c": .numbers([format.maximum])])
  }
}
