import Glibc

/// An operation that computes each pixel from its neighbourhood, as plain data.
///
/// The frame keeps its size. Values are display-encoded; alpha is premultiplied for the kernel.
public struct AreaOperation: Sendable, Hashable {
  public enum Argument: Sendable, Hashable {
    /// A length in pixels of the operation's frame.
    case length(Double)
    /// A length in minutes of arc at a viewing distance of the frame's diagonal, with a minimum of
    /// `least` pixels. It becomes a length in pixels once the frame is known.
    case arc(minutes: Double, least: Double)
    /// A fraction of the frame's longer edge. It becomes a length in pixels, within the range, once
    /// the frame is known.
    case part(Double, within: ClosedRange<Double> = 0...(.infinity))
    /// The default strength of the limit of halos, derived from the operation's sigma: `h (2 − h)`
    /// with h = 1 − 1 / sigma, and no limit for a sigma of 1 or less. It becomes a number once the
    /// frame is known.
    case haloOfSigma
    case number(Double)
    case integer(Int)
    case numbers([Double])
    case flag(Bool)
    case choice(String)
    /// Spots; they become `numbers` once the frame is known.
    case spots(Spots)
  }

  public var kernel: AreaKernel
  public var arguments: [String: Argument]
  /// The distance in pixels up to which the operation reads neighbours, regardless of its
  /// arguments.
  var margin: Int
  /// True if the operation removes sensor noise, which a reduction of the photo averages in part.
  var isOfSensor = false

  public init(_ kernel: AreaKernel, _ arguments: [String: Argument], margin: Int = 0) {
    self.kernel = kernel
    self.arguments = arguments
    self.margin = margin
  }

  /// An upper bound in pixels of the distance up to which the operation reads neighbours: its
  /// margin, or four times the largest of its length and integer arguments, whichever is greater.
  var reach: Int {
    if let reach = kernel.reach(of: number) { return reach }
    let lengths = arguments.values.map { argument -> Double in
      switch argument {
      case .length(let length), .arc(_, let length): return length
      case .integer(let number): return Double(number)
      case .part, .haloOfSigma, .number, .numbers, .flag, .choice, .spots: return 0
      }
    }
    return max(margin, Int((4 * (lengths.max() ?? 0)).rounded(.up)))
  }

  /// An argument as a number; 0 if it has none.
  private func number(_ name: String) -> Double {
    switch arguments[name] {
    case .length(let number), .number(let number): number
    default: 0
    }
  }

  /// The standard deviation in pixels; 0 if the operation has none, or if the frame is not known.
  var sigma: Double {
    if case .length(let sigma) = arguments["sigma"] { sigma } else { 0 }
  }

  /// The upper limit, in pixels, of a length that is given as an arc.
  static let longestArc = 50.0

  /// The same operation for a frame of `size`, with arcs and fractions converted to pixels; nil if
  /// it has no effect there.
  func resolved(for size: Size) -> AreaOperation? {
    let diagonal = hypot(Double(size.width), Double(size.height))
    let minute = diagonal * tan(.pi / (180 * 60))
    var resolved = self
    resolved.arguments = arguments.mapValues { argument in
      switch argument {
      case .arc(let minutes, let least):
        .length(min(Self.longestArc, max(least, minutes * minute)))
      case .part(let part, let range):
        .length(min(range.upperBound, max(range.lowerBound, part * Double(size.longEdge))))
      case .spots(let spots): .numbers(spots.numbers(in: size))
      case .haloOfSigma, .length, .number, .integer, .numbers, .flag, .choice: argument
      }
    }
    if case .numbers(let spots) = resolved.arguments["spots"] {
      resolved.margin = SpotNumbers.reach(of: spots, in: size)
    }
    if let (name, least) = kernel.leastEffect, case .length(let length) = resolved.arguments[name],
      length < least
    {
      return nil
    }
    if resolved.arguments["halo"] == .haloOfSigma {
      let held = max(0, 1 - 1 / resolved.sigma)
      resolved.arguments["halo"] = held > 0 ? .number(held * (2 - held)) : nil
    }
    if resolved.arguments["halo"] == nil { resolved.arguments["smoothing"] = nil }
    if kernel.reduction == .sharpening, case .part = arguments["sigma"] {
      return resolved.sharpening(by: resolved.sigma)
    }
    return resolved
  }
}

extension AreaOperation: CustomStringConvertible {
  public var description: String {
    arguments.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: " ")
  }
}

extension Extent {
  /// Converts `factor` times the extent to an argument of an operation.
  ///
  /// A percentage becomes pixels once the frame is known, and is then clamped to `range`.
  func argument(times factor: Double = 1, in range: ClosedRange<Double>) -> AreaOperation.Argument {
    switch self {
    case .pixels(let pixels): .length(factor * pixels)
    case .percent(let percent): .part(factor * percent / 100, within: range)
    }
  }
}

extension AreaOperation.Argument: CustomStringConvertible {
  public var description: String {
    switch self {
    case .length(let number), .number(let number): number.short
    case .part(let part, _): "\(part.short) of the edge"
    case .haloOfSigma: "by sigma"
    case .arc(let minutes, let least): "\(minutes.short)′ (at least \(least.short))"
    case .integer(let number): "\(number)"
    case .numbers(let numbers): "[\(numbers.map(\.short).joined(separator: ", "))]"
    case .flag(let flag): "\(flag)"
    case .choice(let name): name
    case .spots(let spots): spots.spots.count == 1 ? "1 spot" : "\(spots.spots.count) spots"
    }
  }
}
