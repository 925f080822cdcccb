/// An opcode list of a DNG file, made from its parameters.
///
/// - Source: Adobe Digital Negative Specification 1.7, 2023, chapter 7.
public struct OpcodeList {
  private var opcodes: [[UInt8]] = []

  public init() {}

  public var bytes: [UInt8] { Self.number(opcodes.count) + opcodes.flatMap(\.self) }

  /// Adds an opcode; `isOptional` sets the flag that allows readers to skip it.
  public mutating func add(_ number: Int, _ parameters: [UInt8], isOptional: Bool = false) {
    let head = [number, 0x0103_0000, isOptional ? 1 : 0, parameters.count]
    opcodes.append(head.flatMap(Self.number) + parameters)
  }

  /// The bytes of 32-bit integers.
  public static func numbers(_ values: Int...) -> [UInt8] { values.flatMap(number) }

  public static func number(_ value: Int) -> [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  public static func doubles(_ values: [Double]) -> [UInt8] {
    values.flatMap { value in
      (0..<8).reversed().map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) }
    }
  }

  public static func floats(_ values: [Double]) -> [UInt8] {
    values.flatMap { number(Int(Float($0).bitPattern)) }
  }
}
