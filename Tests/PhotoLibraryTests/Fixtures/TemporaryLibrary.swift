import Glibc
import PhotoLibrary
import SystemCalls
import SystemPackage
import Testing

/// A temporary folder that is removed, with its content, when the test ends.
final class TemporaryLibrary: Sendable {
  let path: FilePath
  let files: RealFileSystem

  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/phbatch-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
    path = FilePath(platformString: template)
    files = try RealFileSystem(root: path)
  }

  deinit {
    // The external program rm is used, because files may have any names, and paths that are too
    // long to open.
    var arguments = ["rm", "-rf", path.string].map { (word: String) in strdup(word) } + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] = [nil]
    var child: pid_t = 0
    if phbatch_spawn("/bin/rm", &arguments, &environment, 2, -1, &child) == 0 {
      waitpid(child, nil, 0)
    }
    for text in arguments { free(text) }
  }

  /// Writes a file, and creates the folders above it.
  func write(_ path: FilePath, _ text: String = "") throws {
    try files.createFolders(path.removingLastComponent())
    try files.replace(path, with: Array(text.utf8))
  }

  func text(_ path: FilePath) throws -> String {
    String(decoding: try files.read(path, limit: 1 << 20), as: UTF8.self)
  }

  func link(_ path: FilePath, to target: FilePath) throws {
    guard symlink(target.string, absolute(path).string) == 0 else { throw Errno(rawValue: errno) }
  }

  func makeFIFO(_ path: FilePath) throws {
    guard mkfifo(absolute(path).string, 0o600) == 0 else { throw Errno(rawValue: errno) }
  }

  func absolute(_ relative: FilePath) -> FilePath { path.appending(relative.components) }

  /// The names in a folder, sorted.
  func names(in folder: FilePath = "") throws -> [String] {
    try files.names(in: folder).map { String(decoding: $0.bytes, as: UTF8.self) }
  }
}

extension FilePath {
  /// Creates a path from one name with arbitrary bytes.
  init(name bytes: [UInt8]) { self.init(platformString: bytes.map(CChar.init(bitPattern:)) + [0]) }
}
