import Glibc
public import SystemPackage

/// The name of a file that is being written: `.phbatch-4711-9f3c51d2a08b7e46.tmp`.
///
/// The number is the process that made it, for people. Nothing is concluded from it: process numbers
/// are used again, and mean nothing in another container or on another machine. Who holds the
/// `LibraryLock` of an output root is the only one that has such files there; those it did not make
/// and no journal names belong to nobody.
public struct TemporaryName: Sendable, Hashable {
  public let component: FilePath.Component

  public init() {
    component = FilePath.Component(stringLiteral: ".phbatch-\(getpid())-\(Self.number()).tmp")
  }

  /// True if a name is a temporary name of any version of phbatch.
  public static func describes(_ name: FileName) -> Bool {
    name.hasPrefix(".phbatch-") && name.hasSuffix(".tmp")
  }

  /// Sixteen hexadecimal digits that nobody has used.
  static func number() -> String {
    let number = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - number.count) + number
  }
}
