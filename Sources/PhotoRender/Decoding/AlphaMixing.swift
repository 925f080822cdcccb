import FileStructure
import PhotoMetadata
import PhotoRecipes
import Vips

/// The relation of a file's colours to its alpha, as libvips 8.14 reads them.
enum AlphaMixing: Sendable, Hashable {
  /// Colours are independent of alpha.
  case straight
  /// Colours are multiplied by alpha, as JPEG XL may store them.
  case multiplied
  /// Colours of 0…1 are multiplied by an alpha of 0…255: OpenEXR.
  case multipliedOf255
  /// Floats of a TIFF file that stores them multiplied: divided as if alpha went to 255.
  case dividedOf255

  /// The mixing in a file with alpha whose samples are of `format`.
  init(_ fileFormat: InputFormat, _ format: Format, _ source: ByteSource) {
    self =
      switch fileFormat {
      case .exr: .multipliedOf255
      case .jxl where AlphaTags.isPremultiplied(source): .multiplied
      case .tiff where format == .float && AlphaTags.wasMultiplied(source): .dividedOf255
      default: .straight
      }
  }

  /// The operations that make colours independent of alpha, and alpha of floats 0…1, in the same
  /// format.
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
