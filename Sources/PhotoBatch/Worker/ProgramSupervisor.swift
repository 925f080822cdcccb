import Glibc
import PhotoRecipes
import SystemCalls
import SystemPackage

/// A process between the coordinator and a program of a recipe.
///
/// The supervisor ends the program if the coordinator ends, even by a crash.
///
/// The supervisor leads the program's process group, and owns one end of a socket pair; only the
/// coordinator has the other end. When the coordinator closes that end, the supervisor kills the
/// group, including itself. A signal at the end of the parent (`PR_SET_PDEATHSIG`) does not
/// suffice: the kernel sends it when the thread that started the child ends, and does not send it
/// to grandchildren.
enum ProgramSupervisor {
  static let verb = "__keep"
  /// The descriptor of the socket that is connected with the coordinator.
  private static let socket: Int32 = 3

  /// Runs a program and does not return, if this process was started as a supervisor.
  ///
  /// The arguments after the verb are the program and its arguments.
  static func runIfAsked() {
    let arguments = CommandLine.arguments
    if arguments.count > 2, arguments[1] == verb { keep(Array(arguments.dropFirst(2))) }
  }

  /// The error because of which a supervisor, which has ended, could not start its program; nil if
  /// the program was started.
  static func failure(from ourEnd: Channel) -> Errno? {
    var number: Int32 = 0
    let size = MemoryLayout<Int32>.size
    let count = unsafe recv(ourEnd.socket, &number, size, Int32(MSG_DONTWAIT))
    return count == size ? Errno(rawValue: number) : nil
  }

  private static func keep(_ command: [String]) -> Never {
    let (process, failure) = start(command)
    if failure != 0 {
      var number = -failure
      _ = unsafe phbatch_send(socket, &number, MemoryLayout<Int32>.size, nil, 0)
      exit(127)
    }
    let watch = phbatch_watch_process(process)
    while phbatch_has_ended(process) != 1 {
      var entries = [
        pollfd(fd: watch, events: Int16(POLLIN), revents: 0),
        pollfd(fd: socket, events: 0, revents: 0),
      ]
      _ = unsafe poll(&entries, nfds_t(entries.count), -1)
      if entries[1].revents != 0 { _ = kill(0, SIGKILL) }
    }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7F
    if signal == 0 { _exit(status >> 8 & 0xFF) }
    // If a signal ended the program, the supervisor ends itself by the same signal, but without a
    // core dump.
    _ = phbatch_lower_limit(phbatch_limit_core_bytes, 0)
    Glibc.signal(signal, SIG_DFL)
    _ = kill(getpid(), signal)
    _exit(128 + signal)
  }

  private static func start(_ command: [String]) -> (process: pid_t, failure: Int32) {
    var process: pid_t = 0
    var words: [UnsafeMutablePointer<CChar>?] = unsafe command.map { unsafe strdup($0) }
    unsafe words.append(nil)
    defer { for index in command.indices { unsafe free(words[index]) } }
    let failure = unsafe phbatch_spawn_program(words[0], words, environ, [0, 1, 2], 3, 0, &process)
    return (process, failure)
  }
}
