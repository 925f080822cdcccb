/// An ICC profile that Little CMS brings colours to: one with tables to its device's values, such as
/// inks, or that of a space.
///
/// - Source: ICC.1:2022, 8.3 to 8.5, table 19.
public struct DeviceProfile: Sendable, Hashable {
  /// The device's colour model, by its signature in profiles.
  public enum Model: String, Sendable, Hashable {
    case rgb = "RGB "
    case cmyk = "CMYK"
    case grey = "GRAY"

    var bands: Int {
      switch self {
      case .rgb: 3
      case .cmyk: 4
      case .grey: 1
      }
    }
  }

  public let model: Model
  public let bytes: [UInt8]
}

extension DeviceProfile: CustomStringConvertible {
  public var description: String {
    "\(model)".uppercased() + " profile '\(ICCProfile.description(bytes))', \(bytes.count) bytes"
  }
}
