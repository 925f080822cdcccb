import Glibc
import Notation
public import SystemPackage

/// The name of a file that is being written: `.phbatch-4711-9f3c51d2a08b7e46.tmp`.
///
/// The number is the ID of the process that made the file, as information for people. phbatch never
/// evaluates the number, because process IDs are reused and have no meaning in another container or
/// on another machine. Only the holder of the output root's `LibraryLock` uses files with such
/// names. All others are leftovers, unless a journal names them.
public struct TemporaryName: Sendable, Hashable {
  public let component: FilePath.Component

  public init() {
    component = FilePath.Component(stringLiteral: ".phbatch-\(getpid())-\(Self.number()).tmp")
  }

  /// True if a name is a temporary name of any version of phbatch.
  public static func describes(_ name: FileName) -> Bool {
    name.hasPrefix(".phbatch-") && name.hasSuffix(".tmp")
  }

  /// Sixteen random hexadecimal digits.
  static func number() -> String {
    UInt64.random(in: .min ... .max).digits(16, radix: 16)
  }
}
