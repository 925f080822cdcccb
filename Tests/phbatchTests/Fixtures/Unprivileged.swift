import Foundation
import Glibc
import TestSupport

/// Runs the command as a user without privileges, even if the tests run as root.
enum Unprivileged {
  private static let setpriv = "/usr/bin/setpriv"

  static let isPossible: Bool = {
    if geteuid() != 0 { return true }
    if FileManager.default.isExecutableFile(atPath: setpriv) { return true }
    print("SKIPPED: tests of permissions need setpriv, or a user who is not root")
    return false
  }()

  /// The words in front of a command that start it as that user; empty if the tests already run
  /// without privileges.
  static var prefix: [String] {
    let user = [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"]
    return geteuid() != 0 ? [] : user + ["/usr/bin/env", "TMPDIR=/tmp"]
  }

  /// Makes the unprivileged user the owner of all files of a test.
  static func open(_ place: Workplace) throws {
    guard geteuid() == 0 else { return }
    let names = try place.folder.files().map { place.path($0) }
    let folders = Set(names.map { URL(filePath: $0).deletingLastPathComponent().path })
    for path in names + folders + [place.path("")] { chown(path, 65_534, 65_534) }
  }
}

/// Mounts file systems; root may do that, except in some containers.
enum Mounting {
  static let isPossible: Bool = {
    guard geteuid() == 0, let folder = try? TemporaryFolder(),
      (try? Shell.run("mount -t tmpfs tmpfs '\(folder.path)' && umount '\(folder.path)'")) != nil
    else {
      print("SKIPPED: tests of full and read-only disks need a user who may mount")
      return false
    }
    return true
  }()
}

/// Follows the system calls of a command with strace, and makes them fail.
enum Tracer {
  static let isPossible: Bool = {
    if (try? Shell.run("strace -f -o /dev/null true")) != nil { return true }
    print("SKIPPED: tests of system calls need strace, and a system that lets it trace")
    return false
  }()

  /// The words in front of a command that make strace write its system calls to a file.
  static func prefix(_ calls: String, to file: String, _ options: String...) -> [String] {
    ["strace", "-f", "-o", file, "-e", "trace=\(calls)"] + options
  }

  /// The words in front of a command that inject a fault: one of the command's system calls fails,
  /// or a signal ends the command at that call.
  ///
  /// `injection` is in the syntax of strace.
  static func prefix(_ calls: String, injecting injection: String) -> [String] {
    prefix(calls, to: "/dev/null", "-e", "inject=\(calls):\(injection)")
  }
}
