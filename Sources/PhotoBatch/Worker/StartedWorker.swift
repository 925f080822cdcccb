import Glibc
import SystemCalls
import SystemPackage

/// A worker process that has started and sent its first message.
struct StartedWorker {
  let process: pid_t
  let channel: Channel
  /// The version of libvips that the worker uses.
  let libvips: String
  let sandbox: Sandbox
  /// The worker's folder for temporary files, which is removed when its last reference is released.
  private let scratch: ScratchFolder

  /// Starts a process, or takes one that was forked before, and waits for its first message.
  init(
    _ executable: String, _ setup: WorkerSetup, _ scratch: ScratchFolder
  ) throws(WorkerProcess.Failure) {
    let (process, ours) =
      if executable == Worker.executable, let forked = ForkedWorkers.take() {
        forked
      } else if executable == Worker.executable, !Worker.canStartItself {
        throw .isNoWorker(executable)
      } else {
        try Self.spawn(executable)
      }
    do throws(Channel.Failure) {
      try ours.send(setup.json)
      let (message, _) = try ours.receive(until: .now + .seconds(60))
      guard case .hello(let libvips, let sandbox) = WorkerReply(message) else { throw .closed }
      (self.process, channel, self.scratch) = (process, ours, scratch)
      (self.libvips, self.sandbox) = (libvips, sandbox)
    } catch {
      ours.close()
      _ = Glibc.kill(process, SIGKILL)
      let end = Self.end(of: process)
      throw end.code == Worker.misuse ? .isNoWorker(executable) : .neverBegan("\(end)")
    }
  }

  private static func spawn(
    _ executable: String
  ) throws(WorkerProcess.Failure) -> (pid_t, Channel) {
    let ours: Channel
    let theirs: Channel
    do throws(Channel.Failure) { (ours, theirs) = try Channel.pair() } catch {
      throw .cannotStart(.tooManyOpenFiles)
    }
    defer { theirs.close() }
    let null = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(null) }
    var process: pid_t = 0
    let result = unsafe executable.withCString { path in
      unsafe "phbatch".withCString { name in
        unsafe Worker.verb.withCString { verb in
          let arguments: [UnsafeMutablePointer<CChar>?] = unsafe [
            UnsafeMutablePointer(mutating: name), UnsafeMutablePointer(mutating: verb), nil,
          ]
          return unsafe phbatch_spawn(path, arguments, environ, theirs.socket, null, &process)
        }
      }
    }
    if result != 0 {
      ours.close()
      throw .cannotStart(Errno(rawValue: -result))
    }
    return (process, ours)
  }

  func kill() { _ = Glibc.kill(process, SIGKILL) }

  /// Closes the worker's socket, which makes the worker end, and waits for its end.
  func end() -> ProcessEnd {
    channel.close()
    return Self.end(of: process)
  }

  /// Waits for a process that is ending and returns its exit status.
  private static func end(of process: pid_t) -> ProcessEnd {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return ProcessEnd(status)
  }
}
