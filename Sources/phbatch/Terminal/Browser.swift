import FoundationEssentials
import Glibc
import SystemPackage

/// The user's web browser.
enum Browser {
  /// Opens a file in the browser; false if there is no desktop, or no program that knows it.
  static func open(_ path: FilePath) -> Bool {
    let environment = ProcessInfo.processInfo.environment
    if environment["DISPLAY"] == nil && environment["WAYLAND_DISPLAY"] == nil { return false }
    var process: pid_t = 0
    let words = unsafe [strdup("xdg-open"), strdup(path.string), nil]
    defer {
      unsafe free(words[0])
      unsafe free(words[1])
    }
    guard unsafe posix_spawnp(&process, "xdg-open", nil, nil, words, environ) == 0 else {
      return false
    }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return status == 0
  }
}
