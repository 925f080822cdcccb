/// A channel of a JPEG XL picture besides red, green and blue, or grey.
///
/// - Source: ISO/IEC 18181-1:2024, D.3.6.
public enum ExtraChannel: String, Sendable, Hashable {
  case alpha, depth
  case spotColour = "spot colour"
  case selection = "selection mask"
  case black
  case filterArray = "colour filter array"
  case thermal
  case other

  init(_ number: Int) {
    switch number {
    case 0: self = .alpha
    case 1: self = .depth
    case 2: self = .spotColour
    case 3: self = .selection
    case 4: self = .black
    case 5: self = .filterArray
    case 6: self = .thermal
    default: self = .other
    }
  }

  /// Those of a JPEG XL file, in its order; none of other formats.
  public static func all(in source: ByteSource) -> [ExtraChannel] {
    JXLFile(source)?.codestreamHead?.extraChannels ?? []
  }
}
