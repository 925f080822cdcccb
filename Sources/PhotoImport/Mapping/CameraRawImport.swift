import Notation
import PhotoRecipes

/// Converts Camera Raw's settings into a recipe.
///
/// Camera Raw's formulas are not published. The scale factors are chosen so that the ends of each
/// slider's range look similar in both programs. The steps are in Camera Raw's own order: geometry,
/// light, colour, detail, effects.
/// - Source: Adobe, XMP Specification Part 2, "Camera Raw namespace", and the settings that Camera
///   Raw 17 writes.
struct CameraRawImport {
  var settings: ForeignSettings
  let lists: [String: XMPPacket.Value]
  let packet: XMPPacket
  /// True if the settings belong to a raw photo.
  let isOfRawPhoto: Bool
  /// The photo beside the settings.
  let photo: SettingsPhoto
  var draft = RecipeDraft()

  /// Converts the settings in a packet.
  ///
  /// - Parameters:
  ///   - packet: The packet.
  ///   - isOfRawPhoto: True if the packet is in a raw photo or beside one. A name of the photo in
  ///     the packet takes precedence.
  ///   - photo: The photo to which the settings belong, as far as it is known.
  /// - Returns: The recipe.
  /// - Throws: `ForeignFileError.noSettings` if the packet has no settings of Camera Raw.
  static func draft(
    of packet: XMPPacket, isOfRawPhoto: Bool = false, photo: SettingsPhoto = SettingsPhoto()
  ) throws(ForeignFileError) -> RecipeDraft {
    guard packet.hasCameraRawSettings || packet.hasSettingsOf2012 else { throw .noSettings }
    var reader = CameraRawImport(packet, isOfRawPhoto: isOfRawPhoto, photo)
    if reader.isOfRawPhoto { reader.draft.selectRaw() }
    reader.lensProfile()
    reader.turn()
    reader.geometry()
    reader.whiteBalance()
    reader.tone()
    // White balance and exposure count in the sensor's light only if no vignette precedes them.
    reader.lens()
    reader.curves()
    reader.colour()
    reader.grading()
    reader.detail()
    reader.effects()
    reader.leftovers()
    return reader.draft
  }

  private init(_ packet: XMPPacket, isOfRawPhoto: Bool, _ photo: SettingsPhoto) {
    (self.packet, self.photo) = (packet, photo)
    let names = [
      packet[XMPNamespace.cameraRaw, "RawFileName"]?.text,
      packet.sidecarExtension.map { ".\($0)" },
    ]
    let stated = names.compactMap { $0.flatMap(RawFileName.isRaw) }
    self.isOfRawPhoto = stated.isEmpty ? isOfRawPhoto : stated.contains(true)
    let own = packet.properties.filter { $0.key.isCameraRaw }
    let values = own.map { ($0.key.local, $0.value) }
    lists = Dictionary(values.filter { $0.1.text == nil }) { first, _ in first }
    settings = ForeignSettings(
      Dictionary(values.compactMap { pair in pair.1.text.map { (pair.0, $0) } }) { first, _ in
        first
      })
  }

  static let alike = "the formula of Camera Raw is unknown"

  /// True if Camera Raw renders the photo by a process version before 2012.
  var isOfEarlierProcess: Bool {
    Double(packet.cameraRawVersion).map { $0 < 6.7 } ?? !packet.hasSettingsOf2012
  }

  mutating func scale<F: Filter>(
    _ name: String, by factor: SliderScale, from standard: Double = 0, _ type: F.Type,
    _ path: WritableKeyPath<F, Double>, _ reason: String = alike
  ) {
    settings.scale(name, by: factor, from: standard, type, path, into: &draft, reason)
  }
}

extension XMPPacket {
  /// True if the packet contains settings of the process version 2012 or a later one.
  fileprivate var hasSettingsOf2012: Bool {
    properties.keys.contains { $0.isCameraRaw && $0.local.hasSuffix("2012") }
  }
}

extension MarkupName {
  fileprivate var isCameraRaw: Bool { namespace == XMPNamespace.cameraRaw }
}
