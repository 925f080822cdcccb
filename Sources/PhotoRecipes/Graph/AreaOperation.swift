import Foundation

/// A kernel that computes each pixel from those around it; its libvips operation is `phbatch_` and
/// this name.
public enum AreaKernel: String, Sendable, CaseIterable {
  case bloom, blur, censor, denoise, lens, median, motion, pixelate, soften, surface, tilt, unsharp
  case zoom
}

/// A kernel that computes each pixel from those around it, as plain data.
///
/// The frame keeps its size. Values are display-encoded; alpha is premultiplied around the kernel.
public struct AreaOperation: Sendable, Hashable {
  public enum Argument: Sendable, Hashable {
    /// Pixels of the frame that the operation works on.
    case length(Double)
    /// Minutes of arc, seen from as far as the frame's diagonal, but no fewer pixels than `least`;
    /// pixels once the frame is known.
    case arc(minutes: Double, least: Double)
    /// Parts of the frame's longer edge; pixels once the frame is known.
    case part(Double)
    case number(Double)
    case integer(Int)
    case numbers([Double])
    case flag(Bool)
    case choice(String)
  }

  public var kernel: AreaKernel
  public var arguments: [String: Argument]
  /// Pixels that the operation looks in any direction whatever its arguments are.
  var margin: Int

  public init(_ kernel: AreaKernel, _ arguments: [String: Argument], margin: Int = 0) {
    self.kernel = kernel
    self.arguments = arguments
    self.margin = margin
  }

  /// At least as many pixels as the operation looks in any direction: its margin, or four times its
  /// longest length or whole number.
  var reach: Int {
    let lengths = arguments.values.map { argument -> Double in
      switch argument {
      case .length(let length), .arc(_, let length): return length
      case .integer(let number): return Double(number)
      case .part, .number, .numbers, .flag, .choice: return 0
      }
    }
    return max(margin, Int((4 * (lengths.max() ?? 0)).rounded(.up)))
  }

  /// The longest length that arcs become.
  static let longestArc = 50.0

  /// The same operation on a frame of `size`, with arcs and parts in its pixels.
  func resolved(for size: Size) -> AreaOperation {
    let diagonal = hypot(Double(size.width), Double(size.height))
    let minute = diagonal * tan(.pi / (180 * 60))
    var resolved = self
    resolved.arguments = arguments.mapValues { argument in
      switch argument {
      case .arc(let minutes, let least):
        .length(min(Self.longestArc, max(least, minutes * minute)))
      case .part(let part): .length(part * Double(size.longEdge))
      case .length, .number, .integer, .numbers, .flag, .choice: argument
      }
    }
    return resolved
  }
}

extension AreaOperation: CustomStringConvertible {
  public var description: String {
    arguments.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: " ")
  }
}

extension AreaOperation.Argument: CustomStringConvertible {
  public var description: String {
    switch self {
    case .length(let number), .number(let number): number.short
    case .part(let part): "\(part.short) of the edge"
    case .arc(let minutes, let least): "\(minutes.short)′ (at least \(least.short))"
    case .integer(let number): "\(number)"
    case .numbers(let numbers): "[\(numbers.map(\.short).joined(separator: ", "))]"
    case .flag(let flag): "\(flag)"
    case .choice(let name): name
    }
  }
}
