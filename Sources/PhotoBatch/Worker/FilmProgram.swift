import FoundationEssentials
import Glibc
import PhotoRecipes

/// The program `phbatch-video`, whose workers render films.
///
/// Films have a separate program because Debian's libraries for films are under the GPL.
enum FilmProgram {
  static let name = "phbatch-video"
  static let hint = "install the package phbatch-video, or put the program into a folder of PATH"

  /// The path of the program: beside another program, or in a folder of `PATH`; nil if it is not
  /// installed.
  static func path(besides program: String) -> String? {
    let resolved =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: program)) ?? program
    var folders = [resolved.split(separator: "/").dropLast().joined(separator: "/")].map {
      "/\($0)"
    }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/bin:/usr/bin"
    folders += path.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    return folders.lazy.map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
  }
}
