import Glibc
import PhotoRecipes
import PhotoRender
import Synchronization
import SystemCalls
import SystemPackage

/// A worker, seen from the coordinator: started when first asked, killed when it takes too long,
/// and started again after that.
///
/// One request at a time, from one thread; `stop` may come from any.
public final class WorkerProcess: Sendable {
  /// Why a request came to nothing.
  enum Failure: Error {
    /// The worker says why.
    case refused(Reason, message: String, hint: String)
    /// It ended by a signal, or with a code.
    case crashed(String)
    case timedOut(Duration)
    case stopped
    case cannotStart(Errno)
  }

  private struct Running {
    let process: pid_t
    let channel: Channel
    let libvips: String
  }

  private struct State {
    var running: Running?
    var isStopped = false
  }

  private let executable: String
  private let state = Mutex(State())

  /// - Parameter executable: A program that calls `Worker.runIfAsked()`.
  public init(executable: String = "/proc/self/exe") { self.executable = executable }

  deinit { end() }

  /// The worker's version of libvips, starting it if need be.
  func libvips() throws(Failure) -> String { try started().libvips }

  /// Asks and waits for the answer.
  ///
  /// The descriptors stay open until this returns, and are the caller's. The time is for a photo of
  /// up to 100 megapixels; each further one adds a second.
  func ask(
    _ request: WorkerRequest, descriptors: [Int32], time: Duration
  ) throws(Failure) -> WorkerReply {
    let running = try started()
    let reply: WorkerReply
    var allowed = time
    do throws(Channel.Failure) {
      reply = try exchange(request, descriptors, running.channel, &allowed)
    } catch {
      throw fate(after: error, allowed)
    }
    if case .failed(let reason, let message, let hint) = reply {
      throw .refused(reason, message: message, hint: hint)
    }
    return reply
  }

  private func exchange(
    _ request: WorkerRequest, _ descriptors: [Int32], _ channel: Channel, _ allowed: inout Duration
  ) throws(Channel.Failure) -> WorkerReply {
    let start = ContinuousClock.now
    try channel.send(request.json, descriptors: descriptors)
    while true {
      let (message, descriptors) = try channel.receive(until: start + allowed)
      defer { for descriptor in descriptors { close(descriptor) } }
      switch WorkerReply(message) {
      case nil: throw .closed
      case .begun(let megapixels): allowed += .seconds(max(0, megapixels - 100))
      case .external(let step):
        let pause = ContinuousClock.now
        try channel.send(run(step, for: request, descriptors).json)
        allowed += ContinuousClock.now - pause
      case let reply?: return reply
      }
    }
  }

  /// Runs a program that the recipe names, where the order allows it: a worker that a hostile photo
  /// has taken over gets no other.
  private func run(
    _ step: External, for request: WorkerRequest, _ descriptors: [Int32]
  ) throws(Channel.Failure) -> Result<Void, ExternalFailure> {
    guard case .render(let order) = request, order.allowsExternal, descriptors.count == 2,
      order.recipe.externalSteps.contains(where: { $0.step == step })
    else {
      return .failure(
        ExternalFailure("'\(step.program)' may not be run", hint: "say --allow-external"))
    }
    let result = ExternalProgram(step: step).run(input: descriptors[0], output: descriptors[1]) {
      state.withLock { $0.isStopped }
    }
    guard let result else { throw .closed }
    return result
  }

  /// Ends the worker now, whatever it does, and for good.
  public func stop() {
    state.withLock { state in
      state.isStopped = true
      if let running = state.running { _ = kill(running.process, SIGKILL) }
    }
  }

  private func started() throws(Failure) -> Running {
    if let running = state.withLock({ $0.running }) { return running }
    if state.withLock({ $0.isStopped }) { throw .stopped }
    let ours: Channel
    let theirs: Channel
    do throws(Channel.Failure) { (ours, theirs) = try Channel.pair() } catch {
      throw .cannotStart(.tooManyOpenFiles)
    }
    defer { theirs.close() }
    let process = try spawn(theirs.socket)
    do throws(Channel.Failure) {
      let (message, _) = try ours.receive(until: .now + .seconds(60))
      guard case .hello(let libvips) = WorkerReply(message) else { throw .closed }
      let running = Running(process: process, channel: ours, libvips: libvips)
      state.withLock { state in
        state.running = running
        // `stop` came while there was nothing to stop yet.
        if state.isStopped { _ = kill(process, SIGKILL) }
      }
      return running
    } catch {
      ours.close()
      _ = kill(process, SIGKILL)
      throw .crashed("a worker did not start: \(Self.end(of: process))")
    }
  }

  private func spawn(_ socket: Int32) throws(Failure) -> pid_t {
    let null = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(null) }
    var process: pid_t = 0
    let result = unsafe executable.withCString { path in
      unsafe "phbatch".withCString { name in
        unsafe Worker.verb.withCString { verb in
          let arguments: [UnsafeMutablePointer<CChar>?] = unsafe [
            UnsafeMutablePointer(mutating: name), UnsafeMutablePointer(mutating: verb), nil,
          ]
          return unsafe phbatch_spawn(path, arguments, environ, socket, null, &process)
        }
      }
    }
    if result != 0 { throw .cannotStart(Errno(rawValue: -result)) }
    return process
  }

  /// Ends the worker and says what had become of it.
  private func fate(after failure: Channel.Failure, _ allowed: Duration) -> Failure {
    let (running, wasStopped) = state.withLock { state in
      defer { state.running = nil }
      return (state.running, state.isStopped)
    }
    guard let running else { return .stopped }
    running.channel.close()
    var isLate = false
    if case .timedOut = failure { isLate = true }
    if isLate { _ = kill(running.process, SIGKILL) }
    let end = Self.end(of: running.process)
    if wasStopped { return .stopped }
    return isLate ? .timedOut(allowed) : .crashed(end)
  }

  /// Closes the worker's socket, which it takes as the end, and waits for it.
  private func end() {
    let running = state.withLock { state in
      defer { state.running = nil }
      return state.running
    }
    guard let running else { return }
    running.channel.close()
    _ = Self.end(of: running.process)
  }

  /// Waits for a process that is ending and says how it ended.
  private static func end(of process: pid_t) -> String {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7F
    if signal == 0 { return "it ended with code \(status >> 8 & 0xFF)" }
    let name = unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? ""
    return "it was ended by signal \(signal) (\(name))"
  }
}
