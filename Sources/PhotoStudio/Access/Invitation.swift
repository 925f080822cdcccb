import FoundationEssentials
import Glibc
package import SystemPackage

/// A private file that redirects a browser to the page's address, which contains the secret.
///
/// Every user of the machine can read the browser's command line, so the command line contains the
/// path of this file instead of the address.
package struct Invitation: Sendable {
  package let path: FilePath

  package init(to address: String) throws {
    let folder = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? ""
    let place = folder.isEmpty ? "/tmp" : folder
    var template = Array("\(place)/phbatch-studio-XXXXXX.html".utf8CString)
    let descriptor = unsafe template.withUnsafeMutableBufferPointer { buffer -> Int32 in
      guard let start = buffer.baseAddress else { return -1 }
      return unsafe mkstemps(start, 5)
    }
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    path = FilePath(
      String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    let file = FileDescriptor(rawValue: descriptor)
    let text = """
      <!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0;url=\(address)"><title>phbatch studio</title>
      <p><a href="\(address)">phbatch studio</a></p>

      """
    try file.closeAfter { _ = try file.writeAll(Array(text.utf8)) }
  }

  /// Removes the file, after the browser has read it.
  package func remove() { _ = unsafe unlink(path.string) }
}
