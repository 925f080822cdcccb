/// The new size for `resize`, and the sampling method.
public struct Resize: Sendable, Hashable, CustomStringConvertible {
  public enum Target: Sendable, Hashable {
    /// The largest size with the photo's aspect ratio inside a box; a missing edge sets no limit.
    case inside(width: Length?, height: Length?)
    /// The smallest size with the photo's aspect ratio that covers the box.
    case outside(width: Length?, height: Length?)
    /// These edges, regardless of the photo's aspect ratio.
    case exact(width: Length?, height: Length?)
    case longEdge(Length)
    case shortEdge(Length)
    case megapixels(Double)
    /// The scale of the edges, in percent.
    case percent(Double)
    case pixels(Size)
  }

  public enum Kernel: String, Choice {
    case nearest, linear, cubic, mitchell, lanczos2, lanczos3
  }

  /// A part of a frame, in fractions of its edges.
  ///
  /// It can exceed the frame by up to half a pixel of the result; the pixels at the frame's edge are
  /// repeated there.
  public struct Part: Sendable, Hashable {
    /// The position of the upper left corner.
    public var start: SIMD2<Double>
    public var length: SIMD2<Double>

    public static let whole = Part(start: [0, 0], length: [1, 1])

    /// Maps positions in the part to positions in the frame, both 0…1.
    var map: Homography {
      Homography.translation(start).after(.scale(length.x, length.y))
    }

    /// This part of a frame that is itself the part `outer` of another frame, as a part of the
    /// latter.
    func inside(_ outer: Part) -> Part {
      Part(start: outer.start + outer.length * start, length: outer.length * length)
    }
  }

  public var target: Target
  /// The part of the frame that is resized.
  public var part = Part.whole
  /// True if a photo smaller than the target is enlarged.
  public var enlarge = false
  public var kernel = Kernel.lanczos3
  /// True to average linear light instead of display-encoded values.
  public var linear = false
  /// True to round and clip the samples to 8 bits first, as a viewer does that reduces a written
  /// file.
  public var clips = false
  public var dpi = 300.0

  public init(_ target: Target) { self.target = target }

  /// The new size of a frame of `size`.
  public func size(from size: Size) -> Size {
    switch target {
    case .pixels(let size): return size
    case .inside(let width, let height):
      return scaled(size, by: factors(width, height, size).min() ?? 1)
    case .outside(let width, let height):
      return scaled(size, by: factors(width, height, size).max() ?? 1)
    case .exact(let width, let height):
      let wanted = Size(
        max(1, width?.pixels(of: size.width, dpi: dpi) ?? size.width),
        max(1, height?.pixels(of: size.height, dpi: dpi) ?? size.height))
      if enlarge { return wanted }
      return Size(min(wanted.width, size.width), min(wanted.height, size.height))
    case .longEdge(let length):
      return scaled(size, by: factor(length, size.longEdge))
    case .shortEdge(let length):
      return scaled(size, by: factor(length, size.shortEdge))
    case .megapixels(let millions):
      return scaled(size, by: (millions * 1e6 / Double(size.pixels)).squareRoot())
    case .percent(let percent): return scaled(size, by: percent / 100)
    }
  }

  private func factor(_ length: Length, _ edge: Int) -> Double {
    Double(length.pixels(of: edge, dpi: dpi)) / Double(edge)
  }

  private func factors(_ width: Length?, _ height: Length?, _ size: Size) -> [Double] {
    [width.map { factor($0, size.width) }, height.map { factor($0, size.height) }]
      .compactMap { $0 }
  }

  private func scaled(_ size: Size, by factor: Double) -> Size {
    factor >= 1 && !enlarge ? size : size.scaled(by: factor)
  }

  public var description: String {
    func text(_ width: Length?, _ height: Length?) -> String {
      [width, height].map { $0?.description ?? "–" }
        .joined(separator: "×")
    }
    let target =
      switch target {
      case .inside(let width, let height): "inside \(text(width, height))"
      case .outside(let width, let height): "outside \(text(width, height))"
      case .exact(let width, let height): "exactly \(text(width, height))"
      case .longEdge(let length): "long edge \(length)"
      case .shortEdge(let length): "short edge \(length)"
      case .megapixels(let millions): "\(millions.short) megapixels"
      case .percent(let percent): "\(percent.short)%"
      case .pixels(let size): "to \(size)"
      }
    let part =
      self.part == .whole
      ? []
      : [
        "of \(self.part.length.x.short)×\(self.part.length.y.short)"
          + "+\(self.part.start.x.short)+\(self.part.start.y.short)"
      ]
    return
      ([target, kernel.rawValue] + part + (enlarge ? ["enlarge"] : [])
      + (linear ? ["linear"] : []) + (clips ? ["of 8 bits"] : []))
      .joined(separator: " ")
  }
}
