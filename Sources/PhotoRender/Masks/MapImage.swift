import PhotoRecipes
import Vips

/// A map from a file or from values, as an image of floats in memory.
struct MapImage {
  private static let longestEdge = NamedImage.longestMapEdge

  private let source: MapSource
  private let files: [String: [UInt8]]

  init(_ source: MapSource, _ files: [String: [UInt8]]) {
    self.source = source
    self.files = files
  }

  func image() throws(VipsError) -> Image {
    switch source {
    case .values(let map):
      return try Image(
        samples: map.values, width: map.size.width, height: map.size.height, bands: map.bands)
    case .file(let file, let feather):
      guard let bytes = files[file.path] else {
        throw .missingArgument(file.path, operation: Pipeline.Operation.map.name)
      }
      return try Self.luminance(bytes, feather: feather)
    case .auxiliary, .coverage, .faces:
      throw .missingArgument("\(source)", operation: Pipeline.Operation.map.name)
    }
  }

  /// The brightness of an image; transparent parts are black.
  ///
  /// Floating-point samples are used directly as coverages, 0…1.
  private static func luminance(
    _ bytes: [UInt8], feather: Double
  ) throws(VipsError) -> Image {
    var image = try opened(bytes)
    let isFloat = image.format == .float || image.format == .double
    if image.hasAlpha {
      image = try image.applying("flatten", isFloat ? ["max-alpha": .number(1)] : [:])
    }
    if isFloat {
      if image.bands > 2 {
        let weights = try Image(samples: [0.2126, 0.7152, 0.0722], width: 3, height: 1, bands: 1)
        image = try image.applying("recomb", ["m": .image(weights)])
      }
      return try finished(image, feather)
    }
    let isDeep = image.format == .ushort
    image = try image.applying("colourspace", ["space": .choice(isDeep ? "grey16" : "b-w")])
    image = try image.applying(
      "linear", ["a": .numbers([1 / (isDeep ? 65_535.0 : 255)]), "b": .numbers([0])])
    return try finished(image, feather)
  }

  /// Returns the map in memory, where it can be read in any order.
  private static func finished(_ image: Image, _ feather: Double) throws(VipsError) -> Image {
    try image.feathered(feather, longestEdge: longestEdge)
      .setting(["vips-sequential": nil]).materialized()
  }

  /// Opens the image upright.
  ///
  /// The image is streamed row by row if it will be reduced and need not be turned.
  private static func opened(_ bytes: [UInt8]) throws(VipsError) -> Image {
    let image = try Image.streamed(bytes)
    let isTurned = if case .integer(2...8) = image.field("orientation") { true } else { false }
    if !isTurned && Double(max(image.width, image.height)) > longestEdge { return image }
    return try Image.recognised(
      bytes, ifSupported: ["fail-on": .choice("truncated")]
    ).applying("autorot")
  }
}

extension Image {
  /// The maximum sigma of the Gaussian in pixels; for a larger sigma the map is reduced first.
  private static let widestBlur = 12.0

  /// Blurs a map of floats by a Gaussian of sigma `feather`, a fraction of the shorter edge.
  ///
  /// The map is reduced if it is longer than `longestEdge`, or so blurred that fewer pixels can
  /// represent it.
  func feathered(_ feather: Double, longestEdge: Double) throws(VipsError) -> Image {
    var image = self
    var sigma = feather * Double(min(width, height))
    // A blurred picture needs few pixels, and a wide blur is faster after the picture is reduced.
    let scale = min(1, longestEdge / Double(max(width, height)), Self.widestBlur / sigma)
    if scale < 1 {
      image = try image.applying(
        "resize", ["scale": .number(scale), "kernel": .choice("linear")])
      sigma *= scale
    }
    if sigma < 0.3 { return image }
    return try image.applying(
      "gaussblur",
      ["sigma": .number(sigma), "min-ampl": .number(0.01), "precision": .choice("float")])
  }
}
