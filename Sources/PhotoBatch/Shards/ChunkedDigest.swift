import PhotoLibrary

/// The SHA-256 of the SHA-256 of each MiB of some bytes, computed as the bytes are written or read.
struct ChunkedDigest {
  private static let size = 1 << 20

  private var chunk: [UInt8] = []
  private var digests: [UInt8] = []

  mutating func add(_ bytes: [UInt8]) {
    chunk += bytes
    while chunk.count >= Self.size {
      digests += Digest(of: chunk[..<Self.size]).bytes
      chunk.removeFirst(Self.size)
    }
  }

  /// The digest of all bytes so far, as hexadecimal digits.
  var text: String { "\(Digest(of: digests + Digest(of: chunk).bytes))" }
}
