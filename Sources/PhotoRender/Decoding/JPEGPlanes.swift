import FileStructure
import PhotoMetadata
import PhotoRecipes

/// The layout of a YCbCr JPEG photo that can be read as separate planes.
///
/// The colour difference planes are read in their stored resolution, but at most in the resolution
/// of the brightness plane.
///
/// If planes are read, the colour differences are not enlarged and not every pixel is converted to
/// RGB, and reducing the picture takes half the work.
struct JPEGPlanes: Sendable, Hashable {
  /// The sampling factors of brightness, and of both colour differences.
  private let brightness: JPEGFile.Frame.Sampling
  private let difference: JPEGFile.Frame.Sampling

  private static let blockEdge = 8
  /// The first bytes of the segments that state the colour encoding of a JPEG file.
  private static let adobe = Array("Adobe".utf8)
  private static let jfif = Array("JFIF\0".utf8)

  /// Reads the layout; nil if the photo cannot be read as planes.
  ///
  /// - Source: ITU-T T.872, 6.5.3 (Adobe's marker).
  init?(_ photo: PhotoFile) {
    let jpeg = JPEGFile(photo.byteSource)
    let frames = jpeg.frames
    guard let frame = frames.first, frames.count == 1, frame.isSequential, frame.precision == 8,
      frame.components.count == 3
    else { return nil }
    let samplings = frame.components.map(\.sampling)
    guard samplings[1] == samplings[2],
      Self.isYCbCr(jpeg, components: frame.components.map(\.number))
    else { return nil }
    (brightness, difference) = (samplings[0], samplings[1])
    guard (1...4).contains(difference.across), (1...2).contains(difference.down),
      difference.across <= brightness.across, brightness.across <= 4,
      difference.down <= brightness.down, brightness.down <= 2
    else { return nil }
  }

  private static func isYCbCr(_ jpeg: JPEGFile, components: [Int]) -> Bool {
    func payloads(_ marker: Int, _ start: [UInt8]) -> [[UInt8]] {
      jpeg.segments.filter { $0.marker == marker }.map { jpeg.payload(of: $0) }
        .filter { $0.starts(with: start) }
    }
    let announced = payloads(JPEGFile.Marker.app14, adobe)
    // Adobe's segment contains a version, two words of flags, and the transform; transform 1 is
    // YCbCr.
    if let bytes = announced.last { return bytes.count >= 12 && bytes[11] == 1 }
    return !payloads(JPEGFile.Marker.app0, jfif).isEmpty || components == [1, 2, 3]
  }

  /// The layout of the one-band image in which the loader returns the planes of a photo.
  ///
  /// `stored` is the size of the photo. It is reduced by the factor `shrink`: 1, 2, 4 or 8.
  ///
  /// - Source: `jdmaster.c` of libjpeg-turbo 2.1: components that are coarser than the picture are
  ///   reduced less than the picture.
  func frame(of stored: Size, shrink: Int) -> Pipeline.Frame {
    let edge = Self.blockEdge / shrink
    var fine = edge
    func isWhole(_ most: Int, _ own: Int) -> Bool { (most * edge).isMultiple(of: own * fine * 2) }
    while fine < Self.blockEdge, isWhole(brightness.across, difference.across),
      isWhole(brightness.down, difference.down)
    {
      fine *= 2
    }
    func width(_ sampling: JPEGFile.Frame.Sampling, _ samples: Int) -> Int {
      let whole = brightness.across * Self.blockEdge
      let blocks = (stored.width * sampling.across + whole - 1) / whole
      return blocks * samples
    }
    let rows = brightness.down * edge / (difference.down * fine)
    let height =
      (stored.height * difference.down * fine + brightness.down * Self.blockEdge - 1)
      / (brightness.down * Self.blockEdge)
    return Pipeline.Frame(
      size: Size(rows * width(brightness, edge) + 2 * width(difference, fine), height), bands: 1,
      sampleBytes: 1)
  }
}
