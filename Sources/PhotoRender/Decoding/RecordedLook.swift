public import Notation
public import PhotoRecipes
import Synchronization

/// A look that was fitted to a photo, as a sidecar records it.
public struct RecordedLook: Sendable, Hashable {
  /// A digest of the values on which the fit depends: the embedded JPEG, and the development of the
  /// raw photo with the camera's white balance.
  public let key: String
  public let look: FittedLook

  public init(key: String, look: FittedLook) {
    self.key = key
    self.look = look
  }

  public init?(_ json: JSON) {
    guard let key = json["key"]?.string, let look = FittedLook(json) else { return nil }
    self.init(key: key, look: look)
  }

  public var json: JSON {
    var object = look.json.object ?? JSON.Object()
    object["key"] = .string(key)
    return .object(object)
  }
}

/// The look that a measurement fits to a photo.
final class LookFit: Sendable {
  private let fitted = Mutex<FittedLook?>(nil)

  var look: FittedLook? {
    get { fitted.withLock { $0 } }
    set { fitted.withLock { $0 = newValue } }
  }
}

extension RawDevelopment {
  /// The version of the development: it is incremented if the same settings give another picture.
  private static let revision = 3

  /// The key of the look; nil if the look is not fitted.
  ///
  /// The fit depends on whether the photo may be reduced before the look.
  func lookKey(_ rendering: RenderingMode) -> String? {
    guard case .camera(let tones) = look else { return nil }
    // The description of a private type has an address, which differs from process to process.
    let text =
      "\(Self.revision) \(tones) \(way) \(corrections) \(profile.text) \(mendsHotPixels)"
      + (rendering == .exact ? " exact" : "")
    // FNV-1a with 64 bits. The digest only distinguishes versions of one photo's settings.
    let digest = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
    }
    let digits = String(digest, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension Graph {
  /// The same graph with the look of a raw photo.
  ///
  /// The recorded look is used if its key equals `key`, the key of the photo with the camera's
  /// white balance. `isHDR` is true for the graph of the outputs for HDR displays.
  func developed(
    _ raw: RawDevelopment?, _ recorded: RecordedLook?, _ key: String?, isHDR: Bool
  ) -> Graph {
    let known = recorded.flatMap { $0.key == key ? RawLook.fitted($0.look) : nil }
    return developed(with: known ?? raw?.look, raw?.colourNoise, isHDR: isHDR)
  }
}
