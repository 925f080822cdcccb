/// A kernel that computes each pixel from its neighbourhood.
///
/// The name of its libvips operation is `phbatch_` followed by the raw value.
public enum AreaKernel: String, Sendable, CaseIterable {
  case bloom, blur, censor, denoise, lens, median, motion, pixelate, soften, surface, tilt, unsharp
  case zoom

  /// The buffers that the kernel keeps for each thread, from which its memory is predicted.
  public enum Buffers: Sendable {
    /// A cache of neighbouring rows, and blocks of floats.
    case neighbours
    /// Like `neighbours`, for a kernel with wide margins, which it computes in large blocks.
    case windows
    /// A cache of neighbouring rows, and the rows of a series of blurs, each with half the sigma of
    /// the next. `bytesOfPixel` is nil for one float for each band of a pixel.
    case blurs(bytesOfPixel: Int?)
  }

  public var buffers: Buffers {
    switch self {
    case .bloom, .blur, .censor, .pixelate, .soften, .unsharp: .neighbours
    case .denoise, .median, .motion, .surface, .zoom: .windows
    // Each pixel of a blur has five floats: three of light, a weight, and the share of pixels
    // nearer than the focus.
    case .lens: .blurs(bytesOfPixel: 20)
    case .tilt: .blurs(bytesOfPixel: nil)
    }
  }

  /// True if the kernel can produce samples brighter than white or darker than black.
  public var overshoots: Bool { self == .unsharp }

  /// The change of the operation in a preview, after its lengths were reduced with the photo.
  enum Reduction {
    case none
    /// The operation is left out if its sigma is smaller than the kernel supports.
    case leftOutBelowSigma
    /// The sigma is at least what the kernel supports.
    case leastSigma
    /// The operation is left out if its radius is 0.
    case leftOutWithoutRadius
    /// The operation is left out if its squares are hardly larger than a pixel.
    case leftOutWithoutSquares
    /// The squares have at least one pixel.
    case leastSquare
    /// The strengths are reduced in proportion, because the reduction of the photo has already
    /// averaged a part of the noise.
    case weaker
    /// The amount is reduced where the sigma is smaller than the kernel supports.
    case sharpening
  }

  var reduction: Reduction {
    switch self {
    case .blur, .tilt, .lens: .leftOutBelowSigma
    case .bloom, .soften: .leastSigma
    case .median, .surface: .leftOutWithoutRadius
    case .pixelate: .leftOutWithoutSquares
    case .censor: .leastSquare
    case .denoise: .weaker
    case .unsharp: .sharpening
    case .motion, .zoom: .none
    }
  }
}
