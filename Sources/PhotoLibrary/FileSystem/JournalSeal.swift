import Hashing
import PhotoRecipes

/// The seal that distinguishes this machine's journals from journals in a copied or unpacked
/// folder.
///
/// A journal lists files to overwrite and files to remove. An attacker who can put files into a
/// library, for example in an archive, must not be able to forge a journal. The seal is therefore
/// an HMAC-SHA256 (RFC 2104) of the text under a key that the attacker does not know.
struct JournalSeal: Sendable {
  private let key: [UInt8]

  init(key: [UInt8]) { self.key = key }

  /// Derives the key from the machine's identifier (machine-id(5)).
  ///
  /// Without an identifier, as in many containers, the key is the inode and the creation time of
  /// the folder of journals, which no program can choose. If the folder is missing, as in a backup
  /// without empty folders, the key is random, so that no journal has the seal.
  init(folder: FileStatus?, machine: String? = Machine.identifier) {
    let key =
      machine ?? folder.map { "\($0.identity.inode) \($0.born)" }
      ?? "\(UInt64.random(in: 0 ... .max)) \(UInt64.random(in: 0 ... .max))"
    self.init(key: Array("phbatch journal \(key)".utf8))
  }

  func mark(of text: String) -> String {
    let code = authenticationCode(for: Array(text.utf8), key: key)
    return "\(Digest(bytes: code, count: 0))"
  }
}
