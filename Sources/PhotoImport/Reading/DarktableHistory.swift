import Notation

/// The active steps of darktable in an XMP file.
///
/// - Source: darktable 4.2, `src/common/exif.cc`, for the properties and the coding of parameters.
struct DarktableHistory: Sendable, Hashable {
  struct Step: Sendable, Hashable {
    /// The name of darktable's module.
    var operation: String
    /// The version of the module's parameters.
    var version: Int
    var isEnabled: Bool
    /// The parameters as the module stores them in memory; nil if they cannot be decoded.
    var parameters: [UInt8]?
  }

  /// The largest parameters of a module, in bytes.
  private static let mostBytes = 1 << 16

  /// The last active state of each instance of a module, in the order of the history.
  let steps: [Step]

  init(_ packet: XMPPacket) {
    let entries = packet[XMPNamespace.darktable, "history"]?.array ?? []
    let count = packet[XMPNamespace.darktable, "history_end"]?.text.flatMap { Int($0) }
    var steps: [(key: String, step: Step)] = []
    for (index, entry) in entries.enumerated() {
      guard case .structure(let fields) = entry else { continue }
      func text(_ name: String) -> String? {
        fields[MarkupName(XMPNamespace.darktable, name)]?.text
      }
      guard let operation = text("operation"), !operation.isEmpty,
        text("num").flatMap({ Int($0) }) ?? index < count ?? .max
      else { continue }
      let step = Step(
        operation: operation, version: text("modversion").flatMap { Int($0) } ?? 0,
        isEnabled: text("enabled") != "0", parameters: text("params").flatMap(Self.decoded))
      let key = "\(operation) \(text("multi_priority") ?? "0")"
      if let known = steps.firstIndex(where: { $0.key == key }) {
        steps[known].step = step
      } else {
        steps.append((key, step))
      }
    }
    self.steps = steps.map(\.step)
  }

  /// The bytes of parameters: hexadecimal digits, or `gz`, a factor of two digits, and a zlib
  /// stream in Base64; nil for other texts.
  private static func decoded(_ text: String) -> [UInt8]? {
    if text.hasPrefix("gz") {
      guard let packed = [UInt8](base64: String(text.dropFirst(4))), packed.count > 2 else {
        return nil
      }
      return try? Array(packed.dropFirst(2)).inflated(limit: mostBytes)
    }
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == text.count, digits.count.isMultiple(of: 2),
      digits.count <= 2 * mostBytes
    else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}

extension DarktableHistory.Step {
  /// The 32-bit integer at an offset of the parameters; nil if they are too short.
  func integer(at offset: Int) -> Int? {
    guard let parameters, offset >= 0, offset + 4 <= parameters.count else { return nil }
    let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(parameters[offset + $1]) << (8 * $1) }
    return Int(Int32(bitPattern: bits))
  }

  /// The float at an offset of the parameters; nil if they are too short, or if it is not finite.
  func number(at offset: Int) -> Double? {
    guard let integer = integer(at: offset) else { return nil }
    let value = Double(Float(bitPattern: UInt32(bitPattern: Int32(integer))))
    return value.isFinite ? value : nil
  }
}
