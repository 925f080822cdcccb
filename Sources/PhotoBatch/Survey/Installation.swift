import FoundationEssentials
import Glibc
import PhotoLibrary

/// The programs and libraries that render photos, as far as a command can tell without starting
/// them.
///
/// A photo that could not be read is tried again if they change, because a new library may read it.
enum Installation {
  /// Files that change when a package is installed, upgraded or removed: the cache of the dynamic
  /// linker, and the databases of package managers.
  private static let records = [
    "/etc/ld.so.cache", "/var/lib/dpkg/status", "/var/lib/rpm/rpmdb.sqlite",
    "/usr/lib/sysimage/rpm/rpmdb.sqlite", "/lib/apk/db/installed", "/var/lib/pacman/local",
  ]

  /// Variables with folders of libraries and of their plugins.
  private static let variables = ["LD_LIBRARY_PATH", "LIBHEIF_PLUGIN_PATH", "VIPSHOME"]

  /// A digest of the sizes and times of programs and of the files above, 16 hexadecimal digits.
  static func digest(programs: [String]) -> String {
    let environment = ProcessInfo.processInfo.environment
    let folders = variables.compactMap { environment[$0] }.flatMap { $0.split(separator: ":") }
    let facts = (programs + records + folders.map(String.init)).map(fact)
    return String("\(Digest(of: facts.joined(separator: "\n").utf8))".prefix(16))
  }

  private static func fact(_ path: String) -> String {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return path }
    return "\(path) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }
}
