import PhotoRecipes

/// Impossible statements of a DNG file.
///
/// - Source: Adobe Digital Negative Specification 1.7, 2023, chapter 4.
extension DNGFile {
  private enum Tag {
    static let width: UInt16 = 256
    static let height: UInt16 = 257
    static let white: UInt16 = 50_717
    static let scale: UInt16 = 50_718
    static let cropOrigin: UInt16 = 50_719
    static let cropSize: UInt16 = 50_720
    static let exposure: UInt16 = 50_730
    static let exposureOffset: UInt16 = 51_109
  }

  /// The edges of a frame, in pixels, and the ratios of a pixel's edges that LibRaw accepts.
  ///
  /// Measured with LibRaw 0.20.
  private static let edges = 22.0...64_000
  private static let aspects = 0.1...10

  /// The largest stated exposure, in stops, that is applied.
  static let mostStops = 20.0

  /// The default crop: the tags DefaultCropOrigin and DefaultCropSize; nil if the file has none, or
  /// a damaged one.
  var crop: Rectangle? {
    guard let origin = numbers(Tag.cropOrigin), let extent = numbers(Tag.cropSize),
      origin.count == 2, extent.count == 2, extent.allSatisfy({ $0 >= 1 && $0 < 1e6 }),
      origin.allSatisfy({ $0 >= 0 && $0 < 1e6 })
    else { return nil }
    return Rectangle(
      left: Int(origin[0].rounded()), top: Int(origin[1].rounded()),
      size: Size(Int(extent[0].rounded()), Int(extent[1].rounded())))
  }

  /// The exposure, in stops, that the colour profile adds to that of the file; 0 if it is damaged.
  var exposureOffset: Double {
    numbers(Tag.exposureOffset)?.first.flatMap { abs($0) < Self.mostStops ? $0 : nil } ?? 0
  }

  /// The error for a file that LibRaw refuses because of its size or the shape of its pixels; nil
  /// if it refuses the file for another reason.
  var refusedFrame: RenderError? {
    guard let width = numbers(Tag.width)?.first, let height = numbers(Tag.height)?.first,
      [width, height].allSatisfy({ $0 >= 0 && $0 < 1e15 })
    else { return .unreadable("its size is damaged") }
    let size = Size(Int(width), Int(height))
    if [width, height].contains(where: { $0 < Self.edges.lowerBound }) {
      return .unreadable("its size of \(size) pixels is damaged")
    }
    if [width, height].contains(where: { $0 > Self.edges.upperBound }) {
      return .tooLargeRaw(size, limit: Int(Self.edges.upperBound))
    }
    return pixelAspect.map(Self.aspects.contains) == false
      ? .unreadable("the shape of its pixels is damaged") : nil
  }

  /// The width of a pixel divided by its height; nil if the file does not state it, or both are 0.
  private var pixelAspect: Double? {
    guard let scale = numbers(Tag.scale), scale.count == 2, scale != [0, 0] else { return nil }
    return scale[0] / scale[1]
  }

  /// Warnings about damaged statements that the development leaves out.
  ///
  /// - Parameters:
  ///   - hasCrop: True if the default crop is applied.
  ///   - hasExposure: True if LibRaw returns a baseline exposure.
  /// - Returns: One sentence for each statement.
  func warnings(hasCrop: Bool, hasExposure: Bool) -> [String] {
    func isPositive(_ tag: UInt16) -> Bool {
      !states(tag) || numbers(tag)?.allSatisfy { $0 > 0 } == true
    }
    let offset = states(Tag.exposureOffset) ? numbers(Tag.exposureOffset)?.first : 0
    return [
      !hasCrop && (states(Tag.cropOrigin) || states(Tag.cropSize))
        ? "the default crop of the DNG file does not fit the picture, so it is not applied" : nil,
      states(Tag.exposure) && !hasExposure || offset != exposureOffset
        ? "the baseline exposure of the DNG file is damaged, so it is not applied" : nil,
      isPositive(Tag.scale) && pixelAspect.map(Self.aspects.contains) != false
        ? nil : "the pixel aspect of the DNG file is damaged, so its pixels are taken as square",
      isPositive(Tag.white)
        ? nil
        : "the white level of the DNG file is damaged, so the highest value of its samples is used",
    ].compactMap(\.self)
  }
}
