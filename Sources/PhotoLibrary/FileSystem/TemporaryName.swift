import Glibc
import Notation
public import SystemPackage

/// The name of a file that is being written: `.phbatch-4711-9f3c51d2a08b7e46.tmp`.
///
/// The number is the ID of the process that made the file, as information for users. phbatch never
/// evaluates the number, because process IDs are reused and have no meaning in another container or
/// on another machine. Only the holder of the output root's `LibraryLock` uses files with such
/// names; shards, which share the lock, use names with a mark. All other files with such names are
/// leftovers of ended processes, unless a journal names them.
public struct TemporaryName: Sendable, Hashable {
  public let component: FilePath.Component

  public init() { self.init(mark: nil) }

  /// Creates a new name; `mark` distinguishes the files of a shard, which has a name such as
  /// `.phbatch-8f2c1a.3-4711-9f3c51d2a08b7e46.tmp`.
  init(mark: String?) {
    let mark = mark.map { "\($0)-" } ?? ""
    component = FilePath.Component(
      stringLiteral: ".phbatch-\(mark)\(getpid())-\(Self.number()).tmp")
  }

  /// True if a name is a temporary name of any version of phbatch.
  public static func describes(_ name: FileName) -> Bool {
    name.hasPrefix(".phbatch-") && name.hasSuffix(".tmp")
  }

  /// True if a name is a temporary name with this mark; with any mark or none if `mark` is nil.
  static func describes(_ name: FileName, mark: String?) -> Bool {
    guard describes(name) else { return false }
    return mark.map { name.bytes.starts(with: ".phbatch-\($0)-".utf8) } ?? true
  }

  /// Sixteen random hexadecimal digits.
  static func number() -> String {
    UInt64.random(in: .min ... .max).digits(16, radix: 16)
  }
}
