import Glibc
import PhotoRecipes
import Vips

/// A photo with its shadow, as RGBA in a frame that is large enough for both.
struct ShadowImage {
  private let shadow: Shadow
  private let format: SampleFormat

  init(_ arguments: [String: Pipeline.Value]) throws(VipsError) {
    guard case .shadow(let shadow, let format) = arguments["shadow"] else {
      throw .missingArgument("shadow", operation: Pipeline.Operation.shadow.name)
    }
    self.shadow = shadow
    self.format = format
  }

  /// The memory in bytes that a shadow needs for a photo of `size`.
  static func bytes(_ shadow: Shadow, in size: Size) -> Int {
    let reach = Int((8 * shadow.lengths(for: size).sigma).rounded(.up))
    return 8 * 16 * size.width * 16 + (reach + 512) * size.width * 4
  }

  func thrown(by photo: Image) throws(VipsError) -> Image {
    let size = Size(photo.width, photo.height)
    let (frame, place) = shadow.placement(of: size)
    var source = photo
    let cover: Image
    if photo.hasAlpha {
      source = try photo.keepingRows(reach(for: size))
      cover = try blurredAlpha(of: source.converted(to: .float), frame, place)
    } else {
      cover = try blurredRectangle(of: size, frame, place)
    }
    let dark = try cover.scaled(by: shadow.strength).painted(shadow.colour)
    var top = try source.converted(to: .float)
    if !photo.hasAlpha { top = try top.applying("bandjoin_const", ["c": .numbers([1])]) }
    top = try top.applying("premultiply", ["max-alpha": .number(1)])
      .embedded(place.left, place.top, in: frame)
    return try top.over(dark).applying("unpremultiply", ["max-alpha": .number(1)])
      .applying("copy", ["interpretation": .choice("srgb")]).converted(to: format)
  }

  /// The number of rows between a row of the photo and the row of its shadow that is computed at
  /// the same time.
  private func reach(for size: Size) -> Int {
    let (sigma, _, y) = shadow.lengths(for: size)
    return abs(y) + 2 * Int((3 * sigma).rounded(.up))
  }

  private func blurredAlpha(
    of photo: Image, _ frame: Size, _ place: Rectangle
  ) throws(VipsError) -> Image {
    let (sigma, x, y) = shadow.lengths(for: place.size)
    let alpha = try photo.applying("extract_band", ["band": .integer(3)])
      .embedded(place.left + x, place.top + y, in: frame)
    if sigma < 0.3 { return alpha }
    return try alpha.applying(
      .area(.blur), ["sigma": .number(min(sigma, 250)), "format": .choice("float")])
  }

  /// A blurred rectangle, computed as the product of a blurred row and a blurred column.
  private func blurredRectangle(
    of size: Size, _ frame: Size, _ place: Rectangle
  ) throws(VipsError) -> Image {
    let (sigma, x, y) = shadow.lengths(for: size)
    let across = Self.edges(place.left + x, size.width, frame.width, sigma)
    let down = Self.edges(place.top + y, size.height, frame.height, sigma)
    let row = try Image(samples: across, width: frame.width, height: 1, bands: 1)
      .applying("replicate", ["across": .integer(1), "down": .integer(frame.height)])
    let column = try Image(samples: down, width: 1, height: frame.height, bands: 1)
      .applying("replicate", ["across": .integer(frame.width), "down": .integer(1)])
    return try row.times(column)
  }

  /// A box of `length` samples from `start` on, blurred by a Gaussian; each value is the mean over
  /// the width of one pixel.
  private static func edges(_ start: Int, _ length: Int, _ count: Int, _ sigma: Double) -> [Float] {
    /// The integral of the Gaussian's cumulative distribution function.
    func integral(_ x: Double) -> Double {
      if sigma == 0 { return max(x, 0) }
      let t = x / sigma
      return x / 2 * (1 + erf(t / 2.0.squareRoot()))
        + sigma * exp(-t * t / 2) / (2 * Double.pi).squareRoot()
    }
    return (0..<count).map { i in
      let (a, b) = (Double(i - start), Double(i - start - length))
      return Float(integral(a + 1) - integral(a) - integral(b + 1) + integral(b))
    }
  }
}

extension Image {
  /// The same image with a cache of rows, so that two readers at different heights can read it
  /// while it streams.
  fileprivate func keepingRows(_ count: Int) throws(VipsError) -> Image {
    let rows = 16
    return try applying(
      "tilecache",
      [
        "tile-width": .integer(width), "tile-height": .integer(rows),
        "max-tiles": .integer(count / rows + 40), "access": .choice("sequential"),
        "threaded": .flag(true),
      ])
  }
}
