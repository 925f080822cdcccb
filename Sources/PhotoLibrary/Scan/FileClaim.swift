public import PhotoRecipes

/// The format that a file's extension states.
public enum FileClaim: Sendable, Hashable {
  case photo(InputFormat)
  case unsupported(InputFormat)
  /// The extension states no picture format; the bytes may still be a picture.
  case none

  /// True if a recipe with these inputs reads files whose extension makes this claim.
  public func isRead(with inputs: InputSettings) -> Bool {
    switch self {
    case .photo(let format), .unsupported(let format): inputs.allows(format)
    case .none: false
    }
  }

  public init(_ name: FileName) {
    self = Self.table[Self.key(name.extension)] ?? .none
  }

  public var family: InputFormat.Family? {
    switch self {
    case .photo(let format), .unsupported(let format): format.family
    case .none: nil
    }
  }

  /// The extension as an integer: up to eight bytes, with ASCII letters in lower case; 0 for longer
  /// extensions.
  private static func key(_ extension: some Collection<UInt8>) -> UInt64 {
    guard `extension`.count <= 8 else { return 0 }
    return `extension`.reduce(0) { key, byte in
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      return key << 8 | UInt64(isUpper ? byte | 0x20 : byte)
    }
  }

  private static let table: [UInt64: FileClaim] = {
    var table: [UInt64: FileClaim] = [:]
    for format in InputCatalog.formats {
      for name in format.extensions {
        table[key(name.utf8)] = format.isPhoto ? .photo(format) : .unsupported(format)
      }
    }
    return table
  }()
}
