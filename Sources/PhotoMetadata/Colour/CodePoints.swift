/// Coding-independent code points: numbers that stand for a picture's colours.
///
/// - Source: ITU-T H.273, 2021, 8.1 to 8.3.
public struct CodePoints: Sendable, Hashable {
  /// 1: BT.709, 9: BT.2020, 12: P3 with a D65 white, 2: not said.
  public var primaries: Int
  /// 1: BT.709, 13: sRGB, 16: PQ, 18: HLG, 2: not said.
  public var transfer: Int
  /// 0: RGB, 1: BT.709, 6: BT.601, 9: BT.2020.
  public var matrix: Int
  public var isFullRange: Bool

  public init(primaries: Int, transfer: Int, matrix: Int = 0, isFullRange: Bool = true) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.isFullRange = isFullRange
  }
}

extension CodePoints: CustomStringConvertible {
  public var description: String { "\(primaries)/\(transfer)/\(matrix)" }
}
