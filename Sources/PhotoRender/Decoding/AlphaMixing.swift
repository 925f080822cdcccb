import FileStructure
import PhotoMetadata
import PhotoRecipes
import Vips

/// The relation between colours and alpha in a file, as libvips reads the file.
enum AlphaMixing: Sendable, Hashable {
  /// Colours are independent of alpha.
  case straight
  /// Colours are multiplied by alpha, as in some JPEG XL and JPEG 2000 files.
  case multiplied
  /// Colours of 0…1 are multiplied by an alpha of 0…255, as in OpenEXR files before libvips 8.15.
  case multipliedOf255
  /// Float samples of a TIFF file with premultiplied colours.
  ///
  /// When libvips before 8.15 reads the file, it divides the colours as if alpha went up to 255.
  case dividedOf255

  /// The relation in a file that has alpha and whose samples have the format `format`; `jp2`
  /// contains the channels of a JPEG 2000 file.
  init(_ fileFormat: InputFormat, _ format: Format, _ source: ByteSource, _ jp2: JP2Channels?) {
    let isOf255 = VipsRuntime.opaqueAlphaOfLight == 255
    self =
      switch fileFormat {
      case .exr: isOf255 ? .multipliedOf255 : .multiplied
      case .jxl where AlphaTags.isPremultiplied(source), .jp2 where jp2?.isPremultiplied ?? false:
        .multiplied
      case .tiff where isOf255 && format == .float && AlphaTags.wasMultiplied(source):
        .dividedOf255
      default: .straight
      }
  }

  /// The operations that make colours independent of alpha, and scale the alpha of floats to 0…1,
  /// without changing the sample format.
  func steps(_ format: Format, bands: Int) -> [Pipeline.Call.Step] {
    func linear(_ colours: Double, alpha: Double) -> Pipeline.Call.Step {
      let factors = Array(repeating: colours, count: bands - 1) + [alpha]
      return .init(
        .vips(.linear), ["a": .numbers(factors), "b": .numbers(factors.map { _ in 0 })])
    }
    func unpremultiply(_ most: Double) -> Pipeline.Call.Step {
      .init(.vips(.unpremultiply), ["max-alpha": .number(most)])
    }
    switch self {
    case .straight: return []
    case .multiplied:
      if format == .float { return [unpremultiply(1)] }
      return [
        unpremultiply(format == .ushort ? 65_535 : 255),
        .init(.vips(.round), ["round": .choice("rint")]),
        .init(.vips(.cast), ["format": .choice(format == .ushort ? "ushort" : "uchar")]),
      ]
    case .multipliedOf255: return [unpremultiply(255), linear(1, alpha: 1 / 255)]
    case .dividedOf255: return [linear(1 / 255, alpha: 1)]
    }
  }
}
