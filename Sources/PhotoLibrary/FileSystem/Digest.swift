import Hashing
public import Notation
import PhotoRecipes

/// A SHA-256 of bytes, and the count of those bytes.
///
/// Its text is 64 lower-case hexadecimal digits, as `sha256sum` prints them.
public struct Digest: Sendable, Hashable {
  /// The hash, big-endian.
  ///
  /// It is stored inside the value, because a run may keep a million digests.
  private let words: (UInt64, UInt64, UInt64, UInt64)
  /// The number of bytes that were hashed.
  public let count: Int64

  /// Creates a digest from the 32 bytes of a hash.
  init(bytes: some Sequence<UInt8>, count: Int64) {
    var bytes = bytes.makeIterator()
    func word() -> UInt64 { (0..<8).reduce(0) { word, _ in word << 8 | UInt64(bytes.next() ?? 0) } }
    words = (word(), word(), word(), word())
    self.count = count
  }

  /// The first 16 bytes of the hash.
  var firstHalf: (UInt64, UInt64) { (words.0, words.1) }

  /// The 32 bytes of the hash.
  public var bytes: [UInt8] {
    [words.0, words.1, words.2, words.3].flatMap { word in
      (1...8).map { UInt8(truncatingIfNeeded: word >> UInt64(64 - 8 * $0)) }
    }
  }

  public static func == (a: Digest, b: Digest) -> Bool { a.words == b.words && a.count == b.count }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(count)
  }

  public init(of content: some Sequence<UInt8>) {
    let content = Array(content)
    self.init(bytes: Hash.of(content), count: Int64(content.count))
  }

  /// Hashes a file from its start to its end, 64 KiB at a time.
  ///
  /// malloc reuses buffers of this size. For larger buffers the kernel would provide new memory for
  /// each read, and fill it with zeros first.
  ///
  /// - Throws: `FileChangedError` if the file's identity changed during the reading.
  public init<Files: FileSystem>(of file: Files.File, in files: Files) throws {
    let before = try files.status(of: file).identity
    var hash = Hash(.sha256)
    var count: Int64 = 0
    while true {
      let chunk = try files.read(file, at: count, count: Self.chunk)
      hash.update(chunk)
      count += Int64(chunk.count)
      if chunk.count < Self.chunk { break }
    }
    let after = try files.status(of: file).identity
    guard before == after, after.size == count else { throw FileChangedError() }
    self.init(bytes: hash.finish(), count: count)
  }

  private static let chunk = 64 << 10
}

extension Digest: CustomStringConvertible {
  public var description: String {
    let bytes = bytes
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for byte in bytes {
      for digit in [byte >> 4, byte & 15] {
        text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// The error for a file that was written to while it was read.
public struct FileChangedError: UserError, Hashable {
  public init() {}
  public var message: String { "the file changed while it was read" }
  public var hint: String { "run again when the file is complete" }
}
