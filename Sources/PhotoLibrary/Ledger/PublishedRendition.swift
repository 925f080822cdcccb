/// A rendition that was published below an output root, as the ledger records it.
public struct PublishedRendition: Sendable, Hashable {
  /// The size of a record in bytes.
  static let size = 40

  /// The number of the rendition's bytes.
  public let count: Int64
  public let digest: DigestPrefix
  /// The digest of the photo from which the rendition was rendered; zero if it is not known.
  public let original: DigestPrefix

  public init(_ rendition: Digest, original: Digest?) {
    count = rendition.count
    digest = DigestPrefix(rendition)
    self.original = original.map { DigestPrefix($0) } ?? .zero
  }

  /// Reads a record; nil for a record of zeros, which a power failure may leave.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.size else { return nil }
    count = unsafe Int64(bitPattern: DigestPrefix.word(bytes, at: 0))
    digest = unsafe DigestPrefix(bytes, at: 8)
    original = unsafe DigestPrefix(bytes, at: 24)
    if count <= 0 { return nil }
  }

  /// A hash of both digests, for tables of many records.
  ///
  /// Among 4 million records, two have the same hash with a probability below 1 in a million.
  var fingerprint: UInt64 { digest.first ^ (original.first &* 0x9E37_79B9_7F4A_7C15) }

  var bytes: [UInt8] {
    DigestPrefix.bytes(UInt64(bitPattern: count)) + digest.bytes + original.bytes
  }
}

/// The first half of a SHA-256, which is enough to recognize a file.
public struct DigestPrefix: Sendable, Hashable {
  static let zero = DigestPrefix((0, 0))

  private let words: (UInt64, UInt64)
  /// The first 8 bytes.
  var first: UInt64 { words.0 }

  public init(_ digest: Digest) { words = digest.firstHalf }

  /// Reads 64 hexadecimal digits; nil for any other text.
  public init?(hexadecimal text: String) {
    guard let digest = Digest(hexadecimal: text, count: 0) else { return nil }
    self.init(digest)
  }

  private init(_ words: (UInt64, UInt64)) { self.words = words }

  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    words = unsafe (Self.word(bytes, at: offset), Self.word(bytes, at: offset + 8))
  }

  var bytes: [UInt8] { Self.bytes(words.0) + Self.bytes(words.1) }

  /// The 8 bytes at an offset, the highest first.
  static func word(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  static func bytes(_ word: UInt64) -> [UInt8] {
    unsafe withUnsafeBytes(of: word.bigEndian) { unsafe Array($0) }
  }

  public static func == (a: DigestPrefix, b: DigestPrefix) -> Bool { a.words == b.words }

  public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
