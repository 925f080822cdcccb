import Crypto
public import PhotoRecipes

/// A SHA-256 of bytes, and how many there were.
///
/// Its text is 64 lower-case hexadecimal digits, as `sha256sum` prints them.
public struct Digest: Sendable, Hashable {
  /// The 32 bytes of the hash.
  public let bytes: [UInt8]
  /// The bytes that were hashed.
  public let count: Int64

  init(bytes: [UInt8], count: Int64) {
    self.bytes = bytes
    self.count = count
  }

  public init(of content: some Sequence<UInt8>) {
    let content = Array(content)
    bytes = Array(SHA256.hash(data: content))
    count = Int64(content.count)
  }

  /// Reads a file from its start to its end, 256 KiB at a time.
  ///
  /// - Throws: `FileChangedError` if its identity afterwards is not what it was before.
  public init<Files: FileSystem>(of file: Files.File, in files: Files) throws {
    let before = try files.status(of: file).identity
    var hash = SHA256()
    var count: Int64 = 0
    while true {
      let chunk = try files.read(file, at: count, count: Self.chunk)
      hash.update(data: chunk)
      count += Int64(chunk.count)
      if chunk.count < Self.chunk { break }
    }
    let after = try files.status(of: file).identity
    guard before == after, after.size == count else { throw FileChangedError() }
    bytes = Array(hash.finalize())
    self.count = count
  }

  private static let chunk = 256 << 10
}

extension Digest: CustomStringConvertible {
  public var description: String {
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

/// A file that was written to while it was read.
public struct FileChangedError: UserError, Hashable {
  public init() {}
  public var message: String { "the file changed while it was read" }
  public var hint: String { "run again when it is complete" }
}
