/// How one band of a pixel is stored.
///
/// - Source: `VipsBandFormat` in libvips's `image.h`; the raw values are the same.
public enum Format: Int32, CaseIterable, Sendable {
  case uchar, char, ushort, short, uint, int, float, complex, double, dpcomplex

  /// Bytes.
  public var size: Int {
    switch self {
    case .uchar, .char: 1
    case .ushort, .short: 2
    case .uint, .int, .float: 4
    case .complex, .double: 8
    case .dpcomplex: 16
    }
  }
}

/// A Swift type that is one band of a pixel.
public protocol Sample: BitwiseCopyable, Sendable {
  static var format: Format { get }
}

extension UInt8: Sample { public static var format: Format { .uchar } }
extension Int8: Sample { public static var format: Format { .char } }
extension UInt16: Sample { public static var format: Format { .ushort } }
extension Int16: Sample { public static var format: Format { .short } }
extension UInt32: Sample { public static var format: Format { .uint } }
extension Int32: Sample { public static var format: Format { .int } }
extension Float: Sample { public static var format: Format { .float } }
extension Double: Sample { public static var format: Format { .double } }
