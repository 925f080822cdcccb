internal import CCrypto

/// A hash function of libcrypto, which uses the processor's SHA instructions.
public enum HashFunction: Sendable {
  /// SHA-256, 32 bytes (FIPS 180-4).
  case sha256
  /// MD5, 16 bytes (RFC 1321). Only for formats that require it.
  case md5
  /// SHA-1, 20 bytes (FIPS 180-4). Only for protocols that require it.
  case sha1
}

/// A hash that is computed incrementally, one part of the data at a time.
@safe public struct Hash: ~Copyable {
  private let context: OpaquePointer

  public init(_ function: HashFunction) {
    Libcrypto.start
    guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
    unsafe self.context = unsafe context
    let result = unsafe EVP_DigestInit_ex(context, function.implementation, nil)
    precondition(result == 1, "libcrypto has no \(function)")
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    let result = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    precondition(result == 1, "libcrypto cannot hash")
  }

  public mutating func update(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe update($0) }
  }

  /// Returns the hash, big-endian, of all bytes so far.
  public consuming func finish() -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
      var length: UInt32 = 0
      let result = unsafe EVP_DigestFinal_ex(context, buffer.baseAddress, &length)
      precondition(result == 1, "libcrypto cannot hash")
      count = Int(length)
    }
  }

  /// Returns the hash of `bytes`.
  public static func of(_ bytes: [UInt8], _ function: HashFunction = .sha256) -> [UInt8] {
    var hash = Hash(function)
    hash.update(bytes)
    return hash.finish()
  }
}

/// Returns the HMAC-SHA256 of `bytes` under `key`, 32 bytes.
///
/// - Source: RFC 2104.
public func authenticationCode(for bytes: [UInt8], key: [UInt8]) -> [UInt8] {
  Libcrypto.start
  return unsafe [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
    var length: UInt32 = 0
    let result = unsafe HMAC(
      EVP_sha256(), key, Int32(key.count), bytes, bytes.count, buffer.baseAddress, &length)
    precondition(unsafe result != nil, "libcrypto cannot authenticate")
    count = Int(length)
  }
}

extension HashFunction {
  fileprivate var implementation: OpaquePointer? {
    switch self {
    case .sha256: unsafe EVP_sha256()
    case .md5: unsafe EVP_md5()
    case .sha1: unsafe EVP_sha1()
    }
  }
}

private enum Libcrypto {
  /// Initializes libcrypto without its configuration file.
  ///
  /// A sandboxed worker cannot read the file, and the file could disable hash functions.
  static let start: Void = {
    _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil)
  }()
}
