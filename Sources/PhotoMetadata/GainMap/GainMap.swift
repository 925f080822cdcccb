import FileStructure
import Glibc
import Notation

/// A gain map: a picture whose samples are gains; a photo for standard displays, multiplied by
/// these gains, becomes a photo for HDR displays.
public struct GainMap: Sendable, Hashable {
  /// The coding of gains as samples of the picture.
  public enum Coding: Sendable, Hashable {
    /// The coding that the map's `description` states.
    case described
    /// Apple's coding: the gain is `1 + (headroom − 1) × light`, where `light` is the sample
    /// decoded by the curve of BT.709.
    case apple
  }

  /// The picture as a separate JPEG, HEIC or AVIF file or a JPEG XL codestream, in the orientation
  /// of the photo's stored pixels.
  public var picture: [UInt8]
  /// The meaning of the samples; if they have Apple's coding, the meaning of the samples that
  /// `described` returns.
  public var description: GainMapDescription
  public var coding = Coding.described
  /// The headroom, as a factor, for programs that support only Apple's coding; nil if the photo
  /// states no headroom.
  ///
  /// Photos of iOS 18 have one picture with two descriptions; Apple's is the older description.
  public var appleHeadroom: Double?

  public init(picture: [UInt8], description: GainMapDescription) {
    self.picture = picture
    self.description = description
  }

  /// A map in Apple's coding with this headroom, a factor; nil if the map has no effect.
  init?(picture: [UInt8], appleHeadroom headroom: Double) {
    guard headroom > 1.001, headroom < 1000 else { return nil }
    let stops = log2(headroom)
    let channel = GainMapDescription.Channel(
      minimum: 0, maximum: stops, gamma: 1, baseOffset: 0, alternateOffset: 0)
    self.init(
      picture: picture,
      description: GainMapDescription(
        channels: [channel], baseHeadroom: 0, alternateHeadroom: stops))
    coding = .apple
  }

  /// The maximum size in bytes of a gain map's picture.
  static let mostBytes = 64 << 20

  /// Converts a sample of the picture to the sample, 0…1, that has the same gain in the coding of
  /// `description`.
  ///
  /// - Source: Apple, "Applying Apple HDR effect to your photos"; ITU-R BT.709-6, 1.2.
  public func described(_ sample: Double) -> Double {
    guard coding == .apple, let stops = description.channels.first?.maximum else { return sample }
    let light = sample < 0.081 ? sample / 4.5 : pow((sample + 0.099) / 1.099, 1 / 0.45)
    return log2(1 + (exp2(stops) - 1) * light) / stops
  }
}

extension GainMap {
  /// The XMP properties of a map's picture for programs that support only Apple's coding; nil if
  /// the photo states no headroom for these programs.
  var appleXMP: XMP? {
    guard let appleHeadroom else { return nil }
    var xmp = XMP()
    // From this version on, the headroom is stated in the XMP, and not in the camera's MakerNote.
    xmp.set(Self.appleName("HDRGainMapVersion"), text: "131072")
    xmp.set(Self.appleName("HDRGainMapHeadroom"), text: "\(appleHeadroom)")
    return xmp
  }

  /// The headroom, as a factor, that the XMP of a map's picture states for Apple's coding; nil if
  /// the XMP states none.
  static func appleHeadroom(in xmp: XMP) -> Double? {
    xmp.text(appleName("HDRGainMapHeadroom")).flatMap { Double($0) }
  }

  /// True if the XMP of a picture states that the picture is a gain map in Apple's coding.
  static func isApple(_ xmp: XMP) -> Bool { xmp.text(appleName("HDRGainMapVersion")) != nil }

  private static func appleName(_ local: String) -> MarkupName {
    MarkupName(XMPPrefix.byPrefix["HDRGainMap"] ?? "", local)
  }
}
