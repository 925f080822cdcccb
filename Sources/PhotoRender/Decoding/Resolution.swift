import FileStructure
import PhotoMetadata
import Vips

/// The number of a photo's pixels in a length on paper.
struct Resolution: Sendable, Hashable {
  /// Pixels per millimetre.
  private let horizontal: Double
  private let vertical: Double
  /// The unit that a file states, as libvips names it: `in` or `cm`; nil for the usual unit of the
  /// file's format.
  private let unit: String?

  /// The range that libvips accepts.
  private static let range = 0.0...1_000_000

  /// Reads the resolution of an image.
  ///
  /// Values that libvips does not accept are replaced by 1, its value for a file that states none.
  /// Values without a unit state only the shape of a pixel, so they are replaced, too; libvips
  /// always names the unit in TIFF and JPEG files that state one. In a JPEG whose JFIF header has a
  /// unit and whose EXIF has none, it takes the unit from one and the values from the other. It
  /// ignores the unit of PNG files, so `file` is the image's file if that is PNG.
  init(of image: Image, in file: PNGFile? = nil) {
    let (across, down) = (image.horizontalResolution, image.verticalResolution)
    unit = image.text("resolution-unit")
    let loader = image.text("vips-loader") ?? ""
    let namesUnit = ["tiffload", "jpegload"].contains(where: loader.hasPrefix)
    let isBare = image.text("exif-ifd0-ResolutionUnit")?.hasPrefix("1 ") == true
    let statesShape = file?.statesOnlyPixelShape == true
    let isUsable = !isBare && !statesShape && (unit != nil || !namesUnit)
    horizontal = isUsable && Self.range.contains(across) ? across : 1
    vertical = isUsable && Self.range.contains(down) ? down : 1
  }

  /// True if the decoder has found a resolution in the file.
  var isStated: Bool { horizontal != 1 || vertical != 1 }

  /// The resolution in EXIF, which decoders of HEIC, WebP, JPEG XL and raw photos ignore; nil
  /// if there is none.
  init?(_ metadata: Metadata) {
    guard let density = metadata.exif?.density else { return nil }
    let factor = density.isPerCentimetre ? 10 : 25.4
    (horizontal, vertical) = (density.horizontal / factor, density.vertical / factor)
    unit = density.isPerCentimetre ? "cm" : "in"
    if !Self.range.contains(max(horizontal, vertical)) { return nil }
  }

  /// Creates a resolution in pixels per inch.
  init(dpi: Double) {
    (horizontal, vertical, unit) = (dpi / 25.4, dpi / 25.4, "in")
  }

  /// The image with this resolution in its header.
  func stated(in image: Image) throws(VipsError) -> Image {
    try image.applying("copy", ["xres": .number(horizontal), "yres": .number(vertical)])
      .setting(["resolution-unit": unit.map(Vips.Field.text)])
  }
}

extension PNGFile {
  /// True if the chunk `pHYs` has an unknown unit, so that it states only the shape of a pixel.
  ///
  /// - Source: PNG Specification, 3rd edition, 11.3.4.3.
  fileprivate var statesOnlyPixelShape: Bool {
    guard let chunk = chunks.first(where: { $0.name == "pHYs" && $0.length == 9 }) else {
      return false
    }
    return source.bytes(at: chunk.data + 8, 1) == [0]
  }
}
