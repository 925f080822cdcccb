import FileStructure
import PhotoRecipes
import Vips

/// The crop, rotation and resize that turn a picture of a photo's file, such as a gain map, into a
/// picture of a rendition's file.
struct MapGeometry {
  /// The longest edge in pixels of the picture that is read and of the picture that is written;
  /// larger pictures are reduced.
  static let longestEdge = 2048.0
  /// The shortest edge in pixels of a picture that keeps the rendition's aspect ratio, unless the
  /// rendition is smaller.
  private static let leastEdge = 64.0
  /// The longest edge in pixels of a map that is decoded as a whole.
  private static let mostEdge = 16_384

  /// The part of the photo that is visible in the rendition.
  let visible: VisiblePart
  /// The size of the photo as stored.
  let photo: Size
  /// The size of the rendition.
  let rendition: Size
  let coding: MapCoding
  /// True if the picture gets the rendition's aspect ratio as exactly as its resolution allows.
  ///
  /// Programs that read mattes and depth maps compare the aspect ratios.
  var keepsShape = false

  private var place: Homography { visible.place }

  /// The part of a decoded picture that the rendition shows.
  struct Part {
    let picture: Image
    /// The size of the picture for the rendition.
    let size: Size
    /// The map from positions in the rendition to positions in `picture`, both 0…1.
    let place: Homography

    /// The values of the rendition's picture; beyond the photo, the value at its edge continues.
    ///
    /// `level` returns the value of a pixel of `picture`, by its index.
    func values(_ level: @escaping (Int) -> Float) -> [Float] {
      Plane(size: Size(picture.width, picture.height), level: level)
        .seen(at: size, through: place)
    }
  }

  /// Decodes the part of a picture that the rendition shows; `bytes` is the picture's file.
  ///
  /// The resolution equals the resolution of the photo's map, but is at most the rendition's, or
  /// half of it if the map has at most 0.6 times the photo's resolution.
  func part(of bytes: [UInt8]) throws(VipsError) -> Part {
    let (whole, most) = try decoded(bytes)
    let (picture, place) = try cut(whole, most)
    let size = frame(of: Size(picture.width, picture.height), place, most)
    return Part(picture: picture, size: size, place: place)
  }

  /// The decoded picture, and the maximum size of the rendition's picture; a JPEG file is reduced
  /// while it is decoded.
  private func decoded(_ bytes: [UInt8]) throws(VipsError) -> (picture: Image, most: Size) {
    let isJPEG = JPEGFile.hasSignature(.bytes(bytes))
    let source: [String: Argument] = ["source": .source(Source(bytes: bytes))]
    let header =
      try isJPEG
      ? Image.calling("jpegload_source", source).image("out") : Image.recognised(bytes)
    let longest = Double(max(header.width, header.height))
    let limit = isJPEG ? Self.longestEdge * 8 : Double(Self.mostEdge)
    guard (1...4).contains(header.bands), header.interpretation != "cmyk", longest <= limit,
      header.format == .uchar || header.format == .ushort
    else {
      throw .failed(
        operation: "load",
        detail: "the map has \(header.width)×\(header.height) pixels of \(header.bands) channels")
    }
    let size = Size(header.width, header.height)
    let isFine = 5 * size.longEdge > 3 * photo.longEdge
    let part = isFine ? 1 : 2
    let most = Size(max(1, rendition.width / part), max(1, rendition.height / part))
    guard isJPEG else { return (header, most) }
    let factor = excess(of: size, place, most)
    let shrink = [8, 4, 2].first { $0 <= factor } ?? 1
    let again: [String: Argument] = [
      "source": .source(Source(bytes: bytes)), "shrink": .integer(shrink),
      "access": .choice("sequential"),
    ]
    return try (Image.calling("jpegload_source", again).image("out"), most)
  }

  /// The size of the rendition's map that is computed from a decoded picture.
  private func frame(of picture: Size, _ place: Homography, _ most: Size) -> Size {
    let whole = Plane.size(of: place, in: picture, longestEdge: Self.longestEdge)
    if !keepsShape {
      return coding.size(
        for: Size(min(whole.width, most.width), min(whole.height, most.height)))
    }
    let (width, height) = (Double(rendition.width), Double(rendition.height))
    let wanted = min(
      max(Double(whole.width) / width, Double(whole.height) / height),
      Double(most.width) / width)
    let least = min(1, Self.leastEdge / min(width, height))
    let scale = min(max(wanted, least), Self.longestEdge / max(width, height))
    func pixels(_ length: Double) -> Int { max(1, Int((length * scale).rounded())) }
    return coding.size(for: Size(pixels(width), pixels(height)))
  }

  /// The whole factor by which the resolution of a decoded picture exceeds that of the rendition's
  /// map.
  private func excess(of picture: Size, _ place: Homography, _ most: Size) -> Int {
    let whole = Plane.size(of: place, in: picture, longestEdge: .infinity)
    let frame = frame(of: picture, place, most)
    return max(1, min(whole.width / frame.width, whole.height / frame.height))
  }

  /// The part of a decoded picture that the rendition shows, and the map from positions in the
  /// rendition to positions in this part.
  ///
  /// The part is reduced by a whole factor, so that it has less than twice the resolution of the
  /// rendition's map.
  private func cut(
    _ picture: Image, _ most: Size
  ) throws(VipsError) -> (Image, Homography) {
    let size = Size(picture.width, picture.height)
    let factor = excess(of: size, place, most)
    let part = shown(of: size, margin: 4 * factor)
    let seen = try picture.applying(
      "extract_area",
      [
        "left": .integer(part.left), "top": .integer(part.top),
        "width": .integer(part.size.width), "height": .integer(part.size.height),
      ])
    // The mean of whole squares keeps more of the map's edges than an interpolation.
    let reduced =
      factor < 2
      ? seen
      : try seen.applying(
        "shrink",
        [
          "hshrink": .number(Double(factor)), "vshrink": .number(Double(factor)),
          "ceil": .flag(true),
        ])
    let (width, height) = (Double(reduced.width * factor), Double(reduced.height * factor))
    let toPart = Homography.scale(1 / width, 1 / height)
      .after(.translation(.init(-Double(part.left), -Double(part.top))))
      .after(.scale(Double(size.width), Double(size.height))).after(place)
    return (reduced, toPart)
  }

  /// The smallest rectangle of a picture that contains everything that the rendition shows, with
  /// some pixels around it.
  private func shown(of size: Size, margin: Int) -> Rectangle {
    let corners = [(0.0, 0.0), (1, 0), (1, 1), (0, 1)].map { place(.init($0, $1)) }
    func range(_ values: [Double], _ length: Int) -> Range<Int> {
      let pixels = values.map { $0.isFinite ? min(max($0, -1), 2) * Double(length) : 0 }
      let low = Int((pixels.min() ?? 0).rounded(.down)) - margin
      let high = Int((pixels.max() ?? 0).rounded(.up)) + margin
      let first = min(max(0, low), length - 1)
      return first..<max(first + 1, min(length, high))
    }
    let (across, down) = (range(corners.map(\.x), size.width), range(corners.map(\.y), size.height))
    return Rectangle(
      left: across.lowerBound, top: down.lowerBound, size: Size(across.count, down.count))
  }
}
