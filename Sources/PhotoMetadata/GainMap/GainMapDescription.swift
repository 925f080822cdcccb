import FileStructure
import Glibc

/// The meaning of a gain map's samples.
///
/// A sample r, 0…1, of a channel encodes the gain `2^(minimum + (maximum − minimum) × r^(1 ÷
/// gamma))`. In linear light, `HDR = (SDR + baseOffset) × gain − alternateOffset`.
/// - Source: ISO 21496-1:2025; Adobe, "Gain Map Specification" 1.0.
public struct GainMapDescription: Sendable, Hashable {
  public struct Channel: Sendable, Hashable {
    /// The logarithm to base 2 of the gain for a sample of 0.
    public var minimum: Double
    /// The logarithm to base 2 of the gain for a sample of 1.
    public var maximum: Double
    public var gamma: Double
    public var baseOffset: Double
    public var alternateOffset: Double

    public init(
      minimum: Double, maximum: Double, gamma: Double, baseOffset: Double, alternateOffset: Double
    ) {
      (self.minimum, self.maximum, self.gamma) = (minimum, maximum, gamma)
      (self.baseOffset, self.alternateOffset) = (baseOffset, alternateOffset)
    }
  }

  /// One channel for all colours, or the channels of red, green and blue.
  public var channels: [Channel]
  /// The headroom in stops above white from which the map has an effect.
  public var baseHeadroom: Double
  /// The headroom in stops above white at which the map has its full effect.
  public var alternateHeadroom: Double
  /// True if the gains apply to the colour space of the base picture.
  public var usesBaseColours = true

  public init(
    channels: [Channel], baseHeadroom: Double, alternateHeadroom: Double,
    usesBaseColours: Bool = true
  ) {
    self.channels = channels
    (self.baseHeadroom, self.alternateHeadroom) = (baseHeadroom, alternateHeadroom)
    self.usesBaseColours = usesBaseColours
  }

  /// True if every number is valid, and the base picture is for standard displays.
  var isValid: Bool {
    let numbers = channels.flatMap {
      [$0.minimum, $0.maximum, $0.gamma, $0.baseOffset, $0.alternateOffset]
    }
    return (channels.count == 1 || channels.count == 3)
      && (numbers + [baseHeadroom, alternateHeadroom]).allSatisfy { abs($0) < 1000 }
      && channels.allSatisfy { $0.gamma > 0 && $0.maximum >= $0.minimum }
      && baseHeadroom >= 0 && alternateHeadroom > baseHeadroom
  }

  /// The sample, 0…1, that encodes no gain in a channel; the nearest one if none does.
  public func neutral(_ channel: Int) -> Double {
    let channel = channels[min(channel, channels.count - 1)]
    guard channel.maximum > channel.minimum else { return 0 }
    let part = -channel.minimum / (channel.maximum - channel.minimum)
    return pow(min(1, max(0, part)), channel.gamma)
  }
}

/// The description as bytes.
///
/// - Source: ISO 21496-1:2025, annex C.
extension GainMapDescription {
  private enum Flag {
    static let threeChannels: UInt8 = 0x80
    static let baseColours: UInt8 = 0x40
    static let commonDenominator: UInt8 = 0x08
    static let backwards: UInt8 = 0x04
  }

  /// The bytes in the base picture, which contain only the versions of the standard.
  static let versions: [UInt8] = [0, 0, 0, 0]

  /// Reads a description; nil if it is invalid, of a later version, or of a base picture for HDR
  /// displays.
  init?(_ bytes: [UInt8]) {
    guard bytes.number(at: 0, 2, .big) == 0, bytes.count > 4, bytes[4] & Flag.backwards == 0
    else { return nil }
    let hasCommon = bytes[4] & Flag.commonDenominator != 0
    var place = 5
    func word() -> UInt32? {
      defer { place += 4 }
      return bytes.number(at: place, 4, .big).map { UInt32($0) }
    }
    let common = hasCommon ? word() : nil
    if hasCommon && common == nil { return nil }
    func number(isSigned: Bool = false) -> Double? {
      guard let top = word(), let bottom = common ?? word(), bottom != 0 else { return nil }
      return (isSigned ? Double(Int32(bitPattern: top)) : Double(top)) / Double(bottom)
    }
    guard let baseHeadroom = number(), let alternateHeadroom = number() else { return nil }
    var channels: [Channel] = []
    for _ in 0..<(bytes[4] & Flag.threeChannels != 0 ? 3 : 1) {
      guard let minimum = number(isSigned: true), let maximum = number(isSigned: true),
        let gamma = number(), let baseOffset = number(isSigned: true),
        let alternateOffset = number(isSigned: true)
      else { return nil }
      channels.append(
        Channel(
          minimum: minimum, maximum: maximum, gamma: gamma, baseOffset: baseOffset,
          alternateOffset: alternateOffset))
    }
    self.init(
      channels: channels, baseHeadroom: baseHeadroom, alternateHeadroom: alternateHeadroom,
      usesBaseColours: bytes[4] & Flag.baseColours != 0)
    if !isValid { return nil }
  }

  var bytes: [UInt8] {
    var flags = channels.count == 3 ? Flag.threeChannels : 0
    if usesBaseColours { flags |= Flag.baseColours }
    let numbers =
      [baseHeadroom, alternateHeadroom]
      + channels.flatMap {
        [$0.minimum, $0.maximum, $0.gamma, $0.baseOffset, $0.alternateOffset]
      }
    return Self.versions + [flags] + numbers.flatMap { Self.fraction($0) }
  }

  /// A number as a numerator and a denominator of 4 bytes each, computed by continued fractions, so
  /// that a number that was read from a fraction gives the same fraction again.
  private static func fraction(_ number: Double) -> [UInt8] {
    let most = Double(Int32.max)
    var (before, now) = ((top: 0.0, bottom: 1.0), (top: 1.0, bottom: 0.0))
    var rest = abs(number)
    while true {
      let whole = rest.rounded(.down)
      let next = (top: whole * now.top + before.top, bottom: whole * now.bottom + before.bottom)
      if next.top > most || next.bottom > most { break }
      (before, now) = (now, next)
      let error = abs(now.top / now.bottom - abs(number))
      if rest == whole || error <= abs(number) * 1e-12 { break }
      rest = 1 / (rest - whole)
    }
    let top = UInt32(bitPattern: Int32(number < 0 ? -now.top : now.top))
    return ByteOrder.big.bytes(Int(top), 4) + ByteOrder.big.bytes(Int(now.bottom), 4)
  }
}
