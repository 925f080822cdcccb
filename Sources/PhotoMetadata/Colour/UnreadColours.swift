/// Colours of JPEG 2000, HEIC and AVIF files that cannot be converted to RGB.
public enum UnreadColours: Error, Sendable, Hashable {
  /// A colour space, by its name or number.
  case space(String)
  /// The matrix of a HEIC or AVIF file, by its name.
  case matrix(String)
  /// More channels than colours and one alpha.
  case channels(Int)
}

extension UnreadColours: CustomStringConvertible {
  public var description: String {
    switch self {
    case .space(let name): "colours of the space \(name)"
    case .matrix(let name): "colours encoded as \(name)"
    case .channels(let count): "\(count) channels"
    }
  }
}
