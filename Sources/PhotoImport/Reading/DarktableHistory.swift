import Notation

/// The active steps of darktable in an XMP file.
///
/// - Source: darktable 4.2, `src/common/exif.cc`, for the properties and the coding of parameters;
///   `src/develop/blend.h`, for the parameters of blending.
struct DarktableHistory: Sendable, Hashable {
  struct Step: Sendable, Hashable {
    /// The name of darktable's module.
    var operation: String
    /// The number of the instance of the module; 0 for the first.
    var instance: Int
    /// The version of the module's parameters.
    var version: Int
    var isEnabled: Bool
    /// The parameters as the module stores them in memory; nil if they cannot be decoded.
    var parameters: [UInt8]?
    /// The part of the module's effect that remains in the photo.
    var blending: Blending
  }

  /// The blending of a module's effect with the photo before the module.
  enum Blending: Sendable, Hashable {
    /// The whole effect.
    case whole
    /// The effect within a drawn, parametric or raster mask.
    case masked
    /// A uniform part of the effect, in percent.
    case mixed(opacity: Double)
    /// The effect by a blend mode other than normal; the opacity may be below 100 %, too.
    case blended(mode: String)
    case unreadable
  }

  /// The largest parameters of a module, in bytes.
  private static let mostBytes = 1 << 16

  /// The last active state of each instance of a module, in the order of the history.
  let steps: [Step]

  init(_ packet: XMPPacket) {
    let entries = packet[XMPNamespace.darktable, "history"]?.array ?? []
    let count = packet[XMPNamespace.darktable, "history_end"]?.text.flatMap { Int($0) }
    var steps: [Step] = []
    for (index, entry) in entries.enumerated() {
      guard case .structure(let fields) = entry else { continue }
      func text(_ name: String) -> String? {
        fields[MarkupName(XMPNamespace.darktable, name)]?.text
      }
      guard let operation = text("operation"), !operation.isEmpty,
        text("num").flatMap({ Int($0) }) ?? index < count ?? .max
      else { continue }
      func number(_ name: String) -> Int { text(name).flatMap { Int($0) } ?? 0 }
      let step = Step(
        operation: operation, instance: number("multi_priority"), version: number("modversion"),
        isEnabled: text("enabled") != "0", parameters: text("params").flatMap(Self.decoded),
        blending: text("blendop_params").map { text in
          Self.decoded(text).flatMap { Blending($0, version: number("blendop_version")) }
            ?? .unreadable
        } ?? .whole)
      let isSame = { (other: Step) in
        (other.operation, other.instance) == (step.operation, step.instance)
      }
      if let known = steps.firstIndex(where: isSame) {
        steps[known] = step
      } else {
        steps.append(step)
      }
    }
    self.steps = steps
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

extension DarktableHistory.Blending {
  private static let normal = "normal"
  /// The names of darktable's blend modes, in the order of their numbers.
  ///
  /// Several numbers mean normal: of earlier versions, unbounded and bounded.
  private static let modes = [
    normal, normal, "lighten", "darken", "multiply", "average", "addition", "subtract",
    "difference", "screen", "overlay", "softlight", "hardlight", "vividlight", "linearlight",
    "pinlight", "lightness", "chromaticity", "hue", "color", "inverse", normal, "coloradjustment",
    "difference", normal, normal, "Lab lightness", "Lab color", "HSV value", "HSV color",
    "Lab L-channel", "Lab a-channel", "Lab b-channel", "RGB red channel", "RGB green channel",
    "RGB blue channel", "multiply reverse", "subtract inverse", "divide", "divide inverse",
    "geometric mean", "harmonic mean",
  ]

  /// The name of the blend mode with a number, or the number itself if the mode is not known.
  private static func name(ofMode number: Int) -> String {
    // The low byte is the mode; the sign bit exchanges the photo before and after the module.
    let mode = number & 0xFF
    let name = mode < modes.count ? modes[mode] : "\(mode)"
    return number < 0 ? "\(name), reverse" : name
  }

  /// Reads the parameters of a version of darktable's blending; nil if they are too short, or
  /// switched on in a version before 5, which had other parameters.
  fileprivate init?(_ parameters: [UInt8], version: Int) {
    guard let masks = parameters.integer(at: 0) else { return nil }
    // The lowest bit switches blending on; each of the others is a kind of mask.
    if masks & 1 == 0, version >= 5 || masks == 0 {
      self = .whole
      return
    }
    // From version 10 on, the colour space precedes the mode, and a parameter follows it.
    let places = version >= 10 ? (mode: 8, opacity: 16) : (mode: 4, opacity: 8)
    guard version >= 5, let number = parameters.integer(at: places.mode),
      let opacity = parameters.number(at: places.opacity)
    else { return nil }
    let mode = Self.name(ofMode: number)
    if masks != 1 {
      self = .masked
    } else if mode != Self.normal {
      self = .blended(mode: mode)
    } else {
      self = opacity >= 100 ? .whole : .mixed(opacity: opacity)
    }
  }
}

extension DarktableHistory.Step {
  /// The name of the module, with the number of its instance unless it is the first.
  var name: String { instance == 0 ? operation : "\(operation) \(instance)" }

  /// The 32-bit integer at an offset of the parameters; nil if they are too short.
  func integer(at offset: Int) -> Int? { parameters?.integer(at: offset) }

  /// The float at an offset of the parameters; nil if they are too short, or if it is not finite.
  func number(at offset: Int) -> Double? { parameters?.number(at: offset) }
}

extension [UInt8] {
  fileprivate func integer(at offset: Int) -> Int? {
    guard offset >= 0, offset + 4 <= count else { return nil }
    let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(self[offset + $1]) << (8 * $1) }
    return Int(Int32(bitPattern: bits))
  }

  fileprivate func number(at offset: Int) -> Double? {
    guard let integer = integer(at: offset) else { return nil }
    let value = Double(Float(bitPattern: UInt32(bitPattern: Int32(integer))))
    return value.isFinite ? value : nil
  }
}
