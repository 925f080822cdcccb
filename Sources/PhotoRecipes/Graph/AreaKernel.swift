/// A kernel that computes each pixel from its neighbourhood.
///
/// The name of its libvips operation is `phbatch_` followed by the raw value.
public enum AreaKernel: String, Sendable, CaseIterable {
  case bloom, blur, censor, deconvolve, defringe, denoise, heal, lens, median, moire, motion
  case pixelate, soften, surface, tilt, unsharp, zoom

  /// The buffers that the kernel keeps for each thread, from which its memory is predicted.
  public enum Buffers: Sendable {
    /// A cache of neighbouring rows, and blocks of floats.
    case neighbours
    /// The same buffers as for `neighbours`, but in large blocks, for a kernel that reads distant
    /// pixels.
    case windows
    /// A cache of neighbouring rows, and the rows of a series of blurs; the sigma of each blur is
    /// half the sigma of the next blur. `bytesOfPixel` is the size of a blur's pixel; if it is nil,
    /// a pixel has one float for each band.
    case blurs(bytesOfPixel: Int?)
    /// A cache of the rows around spots, and the pixels of the spots.
    case spots
  }

  public var buffers: Buffers {
    switch self {
    case .bloom, .blur, .censor, .pixelate, .soften, .unsharp: .neighbours
    case .deconvolve, .defringe, .denoise, .median, .moire, .motion, .surface, .zoom: .windows
    case .heal: .spots
    // Each pixel of a blur has five floats: three of light, a weight, and the share of pixels
    // nearer than the focus.
    case .lens: .blurs(bytesOfPixel: 20)
    case .tilt: .blurs(bytesOfPixel: nil)
    }
  }

  /// The distance in pixels up to which the kernel reads neighbours, computed from its arguments;
  /// nil if four times its longest argument is an upper bound.
  public func reach(of argument: (String) -> Double) -> Int? {
    guard self == .deconvolve else { return nil }
    let radius = Int((3 * argument("sigma")).rounded(.up))
    return (2 * Int(argument("iterations")) + 1) * radius
  }

  /// The number of rows that the kernel computes together, so that it reads its input by as many rows
  /// in advance; 0 if it computes only the rows that are read.
  var rowsTogether: Int {
    switch self {
    case .deconvolve, .defringe, .denoise, .moire, .surface: 128
    // The kernels `motion` and `zoom` do so only with lengths that are read far in advance anyway.
    case .bloom, .blur, .censor, .heal, .lens, .median, .motion, .pixelate, .soften, .tilt,
      .unsharp, .zoom:
      0
    }
  }

  /// The argument in pixels, and the value below which the operation is left out; nil if the
  /// operation always has an effect.
  var leastEffect: (argument: String, pixels: Double)? {
    switch self {
    case .blur: ("sigma", 0.3)
    case .tilt: ("sigma", 1)
    case .motion, .zoom: ("length", 0.6)
    case .bloom, .censor, .deconvolve, .defringe, .denoise, .heal, .lens, .median, .moire,
      .pixelate, .soften, .surface, .unsharp:
      nil
    }
  }

  /// True if the kernel can produce samples brighter than white or darker than black.
  public var overshoots: Bool { self == .unsharp || self == .deconvolve }

  /// The way in which a preview adapts the operation after the operation's lengths were reduced
  /// along with the photo.
  enum Reduction {
    case none
    /// The operation is left out if its sigma is smaller than the kernel supports.
    case leftOutBelowSigma
    /// The sigma is raised to the least that the kernel supports.
    case leastSigma
    /// The operation is left out if its radius is 0.
    case leftOutWithoutRadius
    /// The operation is left out if the squares of its mosaic are hardly larger than a pixel.
    case leftOutWithoutSquares
    /// The squares are enlarged to at least one pixel.
    case leastSquare
    /// The strengths are reduced in proportion to the photo's size, because the reduction of the
    /// photo has already averaged a part of the noise.
    case weaker
    /// If the sigma is smaller than the kernel supports, the amount of sharpening is reduced and
    /// the sigma is raised.
    case sharpening
  }

  var reduction: Reduction {
    switch self {
    case .blur, .deconvolve, .tilt, .lens: .leftOutBelowSigma
    case .bloom, .soften: .leastSigma
    case .defringe, .median, .moire, .surface: .leftOutWithoutRadius
    case .pixelate: .leftOutWithoutSquares
    case .censor: .leastSquare
    case .denoise: .weaker
    case .unsharp: .sharpening
    case .heal, .motion, .zoom: .none
    }
  }
}
