/// Colours of JPEG 2000, HEIC and AVIF files that cannot be converted to RGB.
public enum UnreadColours: Error, Sendable, Hashable {
  /// A colour space, by its name or number.
  case space(String)
  /// The matrix of a HEIC or AVIF file, by its name.
  case matrix(String)
  /// The number of channels, if there are more than the colours and one alpha channel.
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
