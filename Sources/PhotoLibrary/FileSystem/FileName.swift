import Glibc
public import SystemPackage

/// The name of a file in its folder, as bytes: it may be invalid UTF-8 or contain newlines.
///
/// All names of a folder share one block of memory, so that a folder of thousands costs one
/// allocation; keeping one name keeps the whole block alive. Names compare by their bytes.
public struct FileName: Sendable {
  public let bytes: ArraySlice<UInt8>

  /// Creates a name from 1 to 255 bytes without `/` and NUL.
  public init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  public init(_ name: String) { self.init(bytes: Array(name.utf8)[...]) }

  public init(_ component: FilePath.Component) { self.init(bytes: component.bytes[...]) }

  /// The name as a path component; nil if it cannot be one (`.`, `..` or empty).
  public var component: FilePath.Component? {
    guard
      let component = unsafe FilePath.Component(
        platformString: bytes.map(CChar.init(bitPattern:)) + [0]),
      component.kind == .regular
    else { return nil }
    return component
  }

  /// The bytes before the last dot; the whole name if there is no dot, or if the last dot is the
  /// first byte.
  public var stem: ArraySlice<UInt8> {
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > bytes.startIndex else {
      return bytes
    }
    return bytes[..<dot]
  }

  /// The bytes after the last dot; empty if `stem` is the whole name.
  public var `extension`: ArraySlice<UInt8> { bytes[stem.endIndex...].dropFirst() }

  public var isHidden: Bool { bytes.first == UInt8(ascii: ".") }

  func hasPrefix(_ prefix: StaticString) -> Bool {
    bytes.count >= prefix.utf8CodeUnitCount
      && prefix.withUTF8Buffer { unsafe bytes.starts(with: $0) }
  }

  func hasSuffix(_ suffix: StaticString) -> Bool {
    bytes.count >= suffix.utf8CodeUnitCount
      && suffix.withUTF8Buffer { unsafe bytes.suffix(suffix.utf8CodeUnitCount).elementsEqual($0) }
  }

  /// The first 16 bytes as an integer that sorts like the name.
  ///
  /// Most names can be compared by this integer alone.
  var sortingPrefix: UInt128 {
    var prefix: UInt128 = 0
    for byte in bytes.prefix(16) { prefix = prefix << 8 | UInt128(byte) }
    return prefix << UInt128(8 * (16 - Swift.min(bytes.count, 16)))
  }
}

extension FileName: Hashable {
  public static func == (left: FileName, right: FileName) -> Bool {
    left.bytes.count == right.bytes.count && left.compare(right) == 0
  }

  public func hash(into hasher: inout Hasher) {
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }
}

extension FileName: Comparable {
  public static func < (left: FileName, right: FileName) -> Bool {
    let order = left.compare(right)
    return order == 0 ? left.bytes.count < right.bytes.count : order < 0
  }

  /// Compares the names up to the length of the shorter one.
  private func compare(_ other: FileName) -> Int32 {
    unsafe bytes.withUnsafeBytes { mine in
      unsafe other.bytes.withUnsafeBytes { theirs in
        guard let left = mine.baseAddress, let right = theirs.baseAddress else { return 0 }
        return unsafe memcmp(left, right, Swift.min(mine.count, theirs.count))
      }
    }
  }
}

extension FileName: CustomStringConvertible {
  public var description: String { String(displaying: bytes) }
}
