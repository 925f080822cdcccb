import Foundation
import Glibc

/// Runs the command as a user without rights, also where the tests run as root.
enum Unprivileged {
  private static let setpriv = "/usr/bin/setpriv"

  static var isPossible: Bool {
    if geteuid() != 0 { return true }
    if FileManager.default.isExecutableFile(atPath: setpriv) { return true }
    print("SKIPPED: tests of permissions need setpriv, or a user who is not root")
    return false
  }

  static var prefix: [String] {
    geteuid() != 0 ? [] : [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"]
  }

  /// Makes that user the owner of all files of a test.
  static func open(_ place: Workplace) throws {
    guard geteuid() == 0 else { return }
    let names = try place.folder.files().map { place.path($0) }
    let folders = Set(names.map { URL(filePath: $0).deletingLastPathComponent().path })
    for path in names + folders + [place.path("")] { chown(path, 65_534, 65_534) }
  }
}
