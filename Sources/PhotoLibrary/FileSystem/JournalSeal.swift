import Hashing
import PhotoRecipes

/// The seal that tells this machine's journals from those of a copied or unpacked folder.
///
/// A journal says what to overwrite and what to remove. Whoever can put files into a library, in an
/// archive say, must not be able to say it: the mark is an HMAC-SHA256 (RFC 2104) of the text under a
/// key that such a person does not know.
struct JournalSeal: Sendable {
  private let key: [UInt8]

  init(key: [UInt8]) { self.key = key }

  /// The key is the machine's identifier (machine-id(5)); where there is none, as in many containers,
  /// the inode and the time of birth of the folder of journals, which nobody can choose.
  init(folder: FileStatus) {
    let key = Machine.identifier ?? "\(folder.identity.inode) \(folder.born)"
    self.init(key: Array("phbatch journal \(key)".utf8))
  }

  func mark(of text: String) -> String {
    let code = authenticationCode(for: Array(text.utf8), key: key)
    return "\(Digest(bytes: code, count: 0))"
  }
}
