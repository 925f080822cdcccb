import Foundation
public import PhotoRecipes
import Vips

/// An operation of our own that libvips runs, as PixelKernels registers it.
public enum Kernel: Sendable, Hashable {
  case point
  case resize
  /// Makes RGB of the planes of a JPEG photo.
  case resizePlanes
  case warp
  case area(AreaKernel)

  /// The nickname that libvips has for it.
  var name: String {
    switch self {
    case .point: "phbatch_point"
    case .resize: "phbatch_resize"
    case .resizePlanes: "phbatch_resize_planes"
    case .warp: "phbatch_warp"
    case .area(let kernel): "phbatch_\(kernel.rawValue)"
    }
  }

  /// True if it computes pixels at other places than those that it reads.
  var resamples: Bool {
    switch self {
    case .resize, .resizePlanes, .warp: true
    case .point, .area: false
    }
  }

  /// True if it can run a point program on the samples that it makes.
  var takesProgram: Bool { self == .area(.unsharp) }

  var buffers: Buffers {
    switch self {
    case .point: .rows
    case .resize, .resizePlanes: .sums
    case .warp: .span
    case .area(let kernel): kernel.buffers
    }
  }
}

extension AreaKernel {
  /// True if it makes samples brighter than white or darker than black.
  var overshoots: Bool { self == .unsharp }

  var buffers: Kernel.Buffers {
    switch self {
    case .bloom, .blur, .censor, .pixelate, .soften, .unsharp: .neighbours
    case .denoise, .median, .motion, .surface, .zoom: .windows
    // A weight and the near pixels.
    case .lens: .blurs(bytesOfPixel: 20)
    case .tilt: .blurs(bytesOfPixel: nil)
    }
  }
}

extension Kernel {
  /// The rows that a kernel keeps for each thread.
  enum Buffers {
    /// The rows of a strip, read and made.
    case rows
    /// Sums of some rows in float, and rows of the input and the output that are asked for again.
    case sums
    /// The rows of the input that a row of the output is made of.
    case span
    /// A cache of the rows around, and blocks of floats.
    case neighbours
    /// As `neighbours`, for a kernel whose wide margins are computed in large blocks.
    case windows
    /// A cache of the rows around, and the rows of blurs, each of half the sigma of the next; nil:
    /// a float for each band of a pixel.
    case blurs(bytesOfPixel: Int?)
  }

  /// Rows that libvips computes at a time.
  static let strip = 16
  /// Rows that kernels with wide margins compute at a time.
  private static let windowRows = 128

  /// The bytes that a call keeps for each thread.
  ///
  /// - Parameters:
  ///   - arguments: The call's.
  ///   - source: The frame of the image that it reads.
  ///   - out: The frame of the image that it makes.
  ///   - isHeld: True if the image that it reads is in memory.
  /// - Returns: Bytes.
  func bytes(
    _ arguments: [String: Pipeline.Value], reading source: Pipeline.Frame,
    making out: Pipeline.Frame, isHeld: Bool
  ) -> Int {
    let rows = Self.strip * out.rowBytes
    switch buffers {
    case .rows: return 2 * rows
    case .sums:
      // Enlarging, it keeps the rows that others may come back to.
      let made = isHeld ? rows : 2 * VipsRuntime.bufferedRows * out.rowBytes
      return made + 16 * out.size.width * out.bands * 4 + 48 * source.rowBytes
    case .span:
      let span = isHeld ? 0 : Warp.rowSpan(arguments, in: out.size)
      return rows + (span + 256) * source.rowBytes
    case .neighbours:
      let (cache, _) = Self.around(arguments, source, isHeld)
      return rows + cache + 3 * Self.strip * source.size.width * source.bands * 4
    case .windows:
      let (cache, reach) = Self.around(arguments, source, isHeld)
      let floats = source.bands * 4
      return rows + cache + 4 * Self.windowRows * source.size.width * floats
        + 2 * (Self.windowRows + 2 * reach) * (512 + 2 * reach) * floats
    case .blurs(let bytesOfPixel):
      let (cache, _) = Self.around(arguments, source, isHeld)
      let bytes = bytesOfPixel ?? source.bands * 4
      let blurs = max(2, Int(log2(max(1, Self.longest(arguments) / 1.5)).rounded(.up)) + 1)
      // The rows that are asked for together, and some more.
      let kept = 5 * VipsRuntime.bufferedRows / 2 + 3 * Self.strip
      return rows + cache + min(blurs, 9) * kept * source.size.width * bytes
    }
  }

  /// The bytes of the rows that a kernel caches to read neighbours, and its reach in pixels.
  private static func around(
    _ arguments: [String: Pipeline.Value], _ source: Pipeline.Frame, _ isHeld: Bool
  ) -> (cache: Int, reach: Int) {
    let reach = min(4 * Int(longest(arguments).rounded(.up)) + 8, source.size.height)
    let rows = min(2 * reach + 3 * VipsRuntime.bufferedRows, source.size.height)
    return (isHeld ? 0 : rows * source.rowBytes, reach)
  }

  /// The largest number among a kernel's arguments: at least its longest length.
  private static func longest(_ arguments: [String: Pipeline.Value]) -> Double {
    let lengths = arguments.values.map { value -> Double in
      switch value {
      case .number(let number): number
      case .integer(let number): Double(number)
      default: 0
      }
    }
    return lengths.max() ?? 0
  }
}

extension Image {
  /// Runs a kernel on the image.
  func applying(
    _ kernel: Kernel, _ arguments: [String: Argument]
  ) throws(VipsError) -> Image {
    try applying(kernel.name, arguments)
  }
}

extension Warp {
  /// Rows of the input that a row of the output may be made of, by the map's corners.
  fileprivate static func rowSpan(_ arguments: [String: Pipeline.Value], in size: Size) -> Int {
    guard case .numbers(let matrix) = arguments["matrix"], matrix.count == 9 else {
      return size.height
    }
    func row(_ x: Double, _ y: Double) -> Double {
      let depth = matrix[6] * x + matrix[7] * y + matrix[8]
      return (matrix[3] * x + matrix[4] * y + matrix[5]) / depth
    }
    let width = Double(size.width)
    let spans = [0, Double(size.height)].map { abs(row(width, $0) - row(0, $0)) }
    let span = spans.max() ?? 0
    return span.isFinite ? min(2 * Int(span), 2 * size.height) : 2 * size.height
  }
}
