import Notation

/// The description as XMP properties, in which gains and headrooms are logarithms to base 2.
///
/// - Source: Adobe, "Gain Map Specification" 1.0; Android, "Ultra HDR Image Format" 1.1.
extension GainMapDescription {
  static let version = name("Version")
  private static let baseIsHDR = name("BaseRenditionIsHDR")
  /// The default of both offsets if the properties state none.
  private static let usualOffset = 1.0 / 64

  private static func name(_ local: String) -> MarkupName {
    MarkupName(XMPPrefix.byPrefix["hdrgm"] ?? "", local)
  }

  /// Reads a description; nil if properties are missing or invalid, or if the base picture is for
  /// HDR displays.
  init?(_ xmp: XMP) {
    guard xmp.text(Self.version) != nil, xmp.text(Self.baseIsHDR)?.lowercased() != "true" else {
      return nil
    }
    func numbers(_ local: String, _ usual: Double?) -> [Double]? {
      let texts = xmp.texts(Self.name(local))
      if texts.isEmpty { return usual.map { [$0] } }
      let numbers = texts.compactMap { Double($0) }
      return numbers.count == texts.count && [1, 3].contains(numbers.count) ? numbers : nil
    }
    guard let minimum = numbers("GainMapMin", 0), let maximum = numbers("GainMapMax", nil),
      let gamma = numbers("Gamma", 1), let base = numbers("OffsetSDR", Self.usualOffset),
      let alternate = numbers("OffsetHDR", Self.usualOffset),
      let least = numbers("HDRCapacityMin", 0), let most = numbers("HDRCapacityMax", nil)
    else { return nil }
    let count = [minimum, maximum, gamma, base, alternate].map(\.count).max() ?? 1
    func value(_ numbers: [Double], _ index: Int) -> Double {
      numbers[min(index, numbers.count - 1)]
    }
    self.init(
      channels: (0..<count).map {
        Channel(
          minimum: value(minimum, $0), maximum: value(maximum, $0), gamma: value(gamma, $0),
          baseOffset: value(base, $0), alternateOffset: value(alternate, $0))
      }, baseHeadroom: least[0], alternateHeadroom: most[0])
    if !isValid { return nil }
  }

  var xmp: XMP {
    var xmp = XMP()
    xmp.set(Self.version, text: "1.0")
    func set(_ local: String, _ values: [Double]) {
      let texts = values.map { "\($0)" }
      if Set(texts).count == 1 {
        xmp.set(Self.name(local), text: texts[0])
      } else {
        xmp.set(Self.name(local), "Seq", texts)
      }
    }
    set("GainMapMin", channels.map(\.minimum))
    set("GainMapMax", channels.map(\.maximum))
    set("Gamma", channels.map(\.gamma))
    set("OffsetSDR", channels.map(\.baseOffset))
    set("OffsetHDR", channels.map(\.alternateOffset))
    set("HDRCapacityMin", [baseHeadroom])
    set("HDRCapacityMax", [alternateHeadroom])
    xmp.set(Self.baseIsHDR, text: "False")
    return xmp
  }
}
