public import PhotoRecipes

/// One picture of a held photo: its size, its quality and the part of the edit that it shows.
public struct LivePicture: Sendable, Hashable {
  /// The longer edge in pixels; a photo that is smaller is not enlarged.
  public var longEdge: Int
  /// The box, in pixels, into which the picture must also fit; nil if there is none.
  public var box: Size?
  /// The part of the rendition at full size that is shown, in the rendition's pixels; nil to show
  /// the whole rendition at a reduced size.
  ///
  /// At rest, the part has the pixels of the rendition before encoding.
  public var part: Rectangle?
  /// The name of the output that is shown; nil for the output that represents the photo, which is
  /// also shown if the recipe has no output of this name.
  public var output: String?
  /// True while a user moves a setting: the picture is then computed and encoded as fast as possible,
  /// without tables, without a larger size before the reduction, and with the colour noise of the
  /// sensor.
  public var isMoving = false
  /// True to show the photo with only the edit's changes of geometry.
  public var isUnedited = false

  public init(longEdge: Int) { self.longEdge = longEdge }

  /// The pictures that can use each other's kept images.
  struct Kind: Hashable {
    let longEdge: Int
    let (isUnedited, isMoving): (Bool, Bool)
    let raw: RawDevelopment?
  }

  /// The longer edge of a picture of an output with this size.
  func edge(of full: Size) -> Int {
    guard let box else { return longEdge }
    let scale = min(
      Double(box.width) / Double(full.width), Double(box.height) / Double(full.height), 1)
    return min(longEdge, full.scaled(by: scale).longEdge)
  }

  /// The name of the output that is shown, by the sizes of the recipe's outputs.
  func shownOutput(of recipe: Recipe, _ sizes: [String: Size]) -> String {
    recipe.outputs.first { $0.name == output }?.name ?? recipe.currentOutput(sizes)
  }

  /// The part of an image that is shown; nil for the whole.
  func part(of size: Size) -> Rectangle? {
    guard let part else { return nil }
    let (width, height) = (min(part.size.width, size.width), min(part.size.height, size.height))
    return Rectangle(
      left: min(max(part.left, 0), size.width - width),
      top: min(max(part.top, 0), size.height - height), size: Size(width, height))
  }
}

extension Output {
  /// The same output in the file format in which a page gets it: PNG, or JPEG while a setting moves.
  ///
  /// At rest, even JPEG of quality 99 would change the colours of noisy photos by a mean ΔE2000 of
  /// almost 1.
  func shown(isExact: Bool) -> Output {
    var output = self
    if isExact {
      var format = PNGFormat()
      format.compression = 1
      output.format = format
    } else {
      var format = JPEGFormat()
      format.quality = .level(Self.movingQuality)
      format.optimize = false
      output.format = format
    }
    (output.metadata, output.budget, output.dpi) = (.none, Budget(), nil)
    return output
  }

  static let movingQuality = 85
}

/// The result of rendering a live picture.
public struct ShownPicture: Sendable, Hashable {
  public var size: Size
  /// The size that the output has at full size.
  public var fullSize: Size
  /// The part of the output at full size that is shown; nil for the whole.
  public var part: Rectangle?
  /// The milliseconds for planning, and for rendering with encoding.
  public var planning: Double
  public var rendering: Double
  /// The map from positions in the upright photo to positions in the picture, both 0…1, as nine
  /// numbers by rows; nil if an external program made the picture.
  public var frame: [Double]?
  public var warnings: [String]

  public init(
    size: Size, fullSize: Size, planning: Double, rendering: Double, frame: [Double]?,
    warnings: [String]
  ) {
    (self.size, self.fullSize) = (size, fullSize)
    (self.planning, self.rendering) = (planning, rendering)
    (self.frame, self.warnings) = (frame, warnings)
  }
}
