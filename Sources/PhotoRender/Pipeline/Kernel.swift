import Glibc
public import PhotoRecipes
import Vips

/// One of phbatch's own operations, which PixelKernels registers with libvips.
public enum Kernel: Sendable, Hashable {
  case point
  case resize
  /// Converts the planes of a JPEG photo to RGB.
  case resizePlanes
  case warp
  case area(AreaKernel)

  /// The libvips nickname of the operation.
  var name: String {
    switch self {
    case .point: "phbatch_point"
    case .resize: "phbatch_resize"
    case .resizePlanes: "phbatch_resize_planes"
    case .warp: "phbatch_warp"
    case .area(let kernel): "phbatch_\(kernel.rawValue)"
    }
  }

  /// True if the kernel reads pixels at other positions than it writes.
  var resamples: Bool {
    switch self {
    case .resize, .resizePlanes, .warp: true
    case .point, .area: false
    }
  }

  /// True if the kernel can run a point program on the samples that it produces.
  var takesProgram: Bool { self == .area(.unsharp) }

  var buffers: Buffers {
    switch self {
    case .point: .rows
    case .resize, .resizePlanes: .sums
    case .warp: .span
    case .area(let kernel): .area(kernel.buffers)
    }
  }
}

extension Kernel {
  /// The kind of buffers that a kernel keeps for each thread.
  enum Buffers {
    /// The input rows and the output rows of a strip.
    case rows
    /// Sums of some rows as floats, and the input and output rows that are read again.
    case sums
    /// The input rows from which one output row is computed.
    case span
    case area(AreaKernel.Buffers)
  }

  /// The number of rows that libvips computes at a time.
  static let strip = 16
  /// The number of rows that kernels with wide margins compute at a time.
  private static let windowRows = 128

  /// The memory in bytes that a call needs for each thread.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the call.
  ///   - source: The frame of the image that the kernel reads.
  ///   - out: The frame of the image that the kernel produces.
  ///   - isHeld: True if the image that the kernel reads is in memory.
  /// - Returns: The number of bytes.
  func bytes(
    _ arguments: [String: Pipeline.Value], reading source: Pipeline.Frame,
    making out: Pipeline.Frame, isHeld: Bool
  ) -> Int {
    let rows = Self.strip * out.rowBytes
    switch buffers {
    case .rows: return 2 * rows
    case .sums:
      // When the kernel enlarges a streamed image, it keeps the output rows that its readers may
      // read again.
      let made = isHeld ? rows : 2 * VipsRuntime.bufferedRows * out.rowBytes
      return made + 16 * out.size.width * out.bands * 4 + 48 * source.rowBytes
    case .span:
      let span = isHeld ? 0 : Warp.rowSpan(arguments, in: out.size)
      return rows + (span + 256) * source.rowBytes
    case .area(.neighbours):
      let (cache, reach) = around(arguments, source, isHeld)
      // With alpha, sharpening filters five values of each pixel: the luma, its square, alpha, and
      // the minimum and the maximum of the surrounding pixels. Smoothed luma has two values more,
      // and two planes of the rows in reach, each with and without the vertical pass.
      let isSmoothed = arguments["smoothing"] != nil
      let values = source.bands == 4 ? isSmoothed ? 7 : 5 : source.bands
      let smooth = isSmoothed ? (Self.strip + 2 * reach) * (source.bands == 4 ? 4 : 2) : 0
      return rows + cache + (3 * Self.strip * values + smooth) * source.size.width * 4
    case .area(.windows):
      let (cache, reach) = around(arguments, source, isHeld)
      let floats = source.bands * 4
      return rows + cache + 4 * Self.windowRows * source.size.width * floats
        + 2 * (Self.windowRows + 2 * reach) * (512 + 2 * reach) * floats
    case .area(.spots):
      let (cache, _) = around(arguments, source, isHeld)
      guard case .numbers(let spots) = arguments["spots"] else { return rows + cache }
      return rows + cache + SpotNumbers.bytes(of: spots, in: source.size)
    case .area(.blurs(let bytesOfPixel)):
      let (cache, _) = around(arguments, source, isHeld)
      let bytes = bytesOfPixel ?? source.bands * 4
      let blurs = max(2, Int(log2(max(1, Self.longest(arguments) / 1.5)).rounded(.up)) + 1)
      // The rows that each blur keeps: those that are requested together, and a margin.
      let kept = 5 * VipsRuntime.bufferedRows / 2 + 3 * Self.strip
      return rows + cache + min(blurs, 9) * kept * source.size.width * bytes
    }
  }

  /// The memory in bytes of the rows that a kernel caches to read neighbours, and the kernel's
  /// reach in pixels.
  private func around(
    _ arguments: [String: Pipeline.Value], _ source: Pipeline.Frame, _ isHeld: Bool
  ) -> (cache: Int, reach: Int) {
    let reach = min(reach(arguments, source), source.size.height)
    let rows = min(2 * reach + 3 * VipsRuntime.bufferedRows, source.size.height)
    return (isHeld ? 0 : rows * source.rowBytes, reach)
  }

  /// An upper bound in pixels of the distance up to which the kernel reads neighbours.
  private func reach(_ arguments: [String: Pipeline.Value], _ source: Pipeline.Frame) -> Int {
    if case .area(let kernel) = self {
      if case .numbers(let spots) = arguments["spots"] {
        return SpotNumbers.reach(of: spots, in: source.size)
      }
      let reach = kernel.reach { name in
        if case .number(let number) = arguments[name] { number } else { 0 }
      }
      if let reach { return reach + 8 }
    }
    return 4 * Int(Self.longest(arguments).rounded(.up)) + 8
  }

  /// The largest number among a kernel's arguments; used as an upper bound of its lengths in
  /// pixels.
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
  /// The number of input rows that one output row may need.
  fileprivate static func rowSpan(_ arguments: [String: Pipeline.Value], in size: Size) -> Int {
    guard case .numbers(let m) = arguments["matrix"], m.count == 9 else { return size.height }
    var lens: LensMap?
    if case .numbers(let numbers) = arguments["lens"] { lens = LensMap(numbers) }
    let span = rowSpan(
      of: Homography([m[0], m[1], m[2]], [m[3], m[4], m[5]], [m[6], m[7], m[8]]), lens, to: size)
    return span < Double(size.height) ? 2 * Int(span) : 2 * size.height
  }
}
