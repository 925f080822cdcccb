import Foundation
import Glibc
import PhotoBatch
import SystemCalls
import Vips

/// Tries calls from inside a worker's sandbox, most of which the sandbox must refuse; writes a line
/// `name: done` or `name: refused` for each.
enum Probe {
  static func run(scratch: String) {
    let original = open("/etc/hostname", O_RDONLY)
    let parent = getppid()
    let setup = WorkerSetup(scratch: scratch, needsFonts: true)
    let sandbox = try? Sandbox.enter(setup) { () throws(VipsError) in try VipsRuntime.start() }
    say("whole", sandbox?.isWhole == true ? 0 : -1)
    // The sandbox must also apply to threads that start later.
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      attempts(original, parent, scratch)
      done.signal()
    }
    done.wait()
  }

  private static func attempts(_ original: Int32, _ parent: pid_t, _ scratch: String) {
    say("read a file of the system", open("/etc/passwd", O_RDONLY))
    say("read the fonts' configuration", open("/etc/fonts/fonts.conf", O_RDONLY))
    say("list a folder", open("/etc", O_RDONLY | O_DIRECTORY))
    let outside = "/tmp/phbatch-probe-\(getpid())"
    say("make a file", creat(outside, 0o600))
    unlink(outside)
    say("make a scratch file", creat("\(scratch)/probe", 0o600))
    say("remove a scratch file", unlink("\(scratch)/probe"))
    say("make a folder", mkdir("\(scratch)/folder", 0o700))
    say("make a link", symlink("/etc/passwd", "\(scratch)/link"))
    say("open the original for writing", open("/proc/self/fd/\(original)", O_RDWR))
    say("read the original", lseek(original, 0, SEEK_SET) == 0 ? 0 : -1)
    say("change the original's mode", fchmod(original, 0o600))
    say("change its times", futimens(original, nil))
    say("make a socket", socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    var pair: [Int32] = [0, 0]
    say("make a socket pair", socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair))
    say("signal another process", kill(parent, 0))
    say("signal a group", kill(0, 0))
    say("signal itself", kill(getpid(), 0))
    say("watch another process", phbatch_watch_process(parent))
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
    say("run a program", execv("/bin/true", &words))
    var child: pid_t = 0
    say("start a program", -posix_spawn(&child, "/bin/true", nil, nil, &words, nil))
    say("change the user", setuid(65_534))
    say("change the root", chroot(scratch))
  }

  private static func say(_ name: String, _ result: Int32) {
    print("\(name): \(result >= 0 ? "done" : "refused")")
  }
}
