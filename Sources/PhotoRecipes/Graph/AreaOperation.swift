/// A kernel that computes each pixel from those around it, as plain data.
///
/// The frame keeps its size. Values are display-encoded; alpha is premultiplied around the kernel.
public struct AreaOperation: Sendable, Hashable {
  public enum Argument: Sendable, Hashable {
    /// Pixels of the frame that the operation works on.
    case length(Double)
    case number(Double)
    case integer(Int)
    case numbers([Double])
    case flag(Bool)
    case choice(String)
  }

  /// The libvips operation is `phbatch_` and this name.
  public var kernel: String
  public var arguments: [String: Argument]

  public init(_ kernel: String, _ arguments: [String: Argument]) {
    self.kernel = kernel
    self.arguments = arguments
  }

  /// At least as many pixels as the operation looks in any direction: four times its longest length
  /// or whole number.
  var reach: Int {
    let lengths = arguments.values.map { argument -> Double in
      switch argument {
      case .length(let length): return length
      case .integer(let number): return Double(number)
      case .number, .numbers, .flag, .choice: return 0
      }
    }
    return Int((4 * (lengths.max() ?? 0)).rounded(.up))
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
    case .integer(let number): "\(number)"
    case .numbers(let numbers): "[\(numbers.map(\.short).joined(separator: ", "))]"
    case .flag(let flag): "\(flag)"
    case .choice(let name): name
    }
  }
}
