import Glibc
import PhotoRecipes
import PhotoRender
import Synchronization
import SystemCalls
import SystemPackage

/// A worker, seen from the coordinator: started when first asked, killed when it takes too long or
/// too much memory, and started again after that, or when it has done its share.
///
/// One request at a time, from one thread; `stop` may come from any.
final class WorkerProcess: Sendable {
  /// Why a request came to nothing.
  enum Failure: Error {
    /// The worker says why.
    case refused(Reason, message: String, hint: String)
    /// It ended by a signal, or with a code.
    case crashed(String)
    /// It took more memory than was granted, or the system had none; how that showed.
    case outOfMemory(String)
    case timedOut(Duration)
    case stopped
    case cannotStart(Errno)
    /// There is no folder for its temporary files.
    case noScratch(Errno)
    /// It ended before any photo was in its hands; how.
    case neverBegan(String)
  }

  private struct Running {
    let process: pid_t
    let channel: Channel
    let libvips: String
    let sandbox: Sandbox
    let scratch: ScratchFolder
  }

  private struct State {
    var running: Running?
    var isStopped = false
    /// Requests that the running process has answered.
    var answered = 0
    /// Whether a recipe draws a text: workers from then on may read the fonts of the system.
    var needsFonts: Bool
    /// By when the request that is under way is answered, or the worker ended.
    var deadline: ContinuousClock.Instant?
  }

  /// When a worker that is idle makes room for a new one.
  struct Service: Sendable {
    /// After so many answers: leaks of codecs stay small.
    var answers = 1000
    /// When it holds more bytes than this.
    var bytes = 4 * MemoryNeeds.idle
    /// After how many answers that is looked at.
    var interval = 16
  }

  /// How often the memory of a worker is looked at; and that of one whose photo is alone, which may
  /// need more than there is.
  private static let watchInterval = Duration.milliseconds(250)
  private static let closeInterval = Duration.milliseconds(25)

  private let executable: String
  private let admission: Admission?
  private let service: Service
  private let state: Mutex<State>

  /// - Parameters:
  ///   - executable: A program that calls `Worker.runIfAsked()`.
  ///   - needsFonts: Whether it may read the fonts of the system from the start.
  ///   - admission: What grants memory to photos; nil: nothing is watched.
  ///   - service: How long a process serves.
  init(
    executable: String, needsFonts: Bool = false, admission: Admission? = nil,
    service: Service = Service()
  ) {
    self.executable = executable
    self.service = service
    state = Mutex(State(needsFonts: needsFonts))
    self.admission = admission
  }

  deinit { end() }

  /// By when the request that is under way comes to an end, whatever becomes of it; nil: none is.
  var deadline: ContinuousClock.Instant? { state.withLock { $0.deadline } }

  /// The worker's version of libvips, starting it if need be.
  func libvips() throws(Failure) -> String { try started().libvips }

  /// What shuts the worker in, starting it if need be.
  func sandbox() throws(Failure) -> Sandbox { try started().sandbox }

  /// Asks and waits for the answer.
  ///
  /// The descriptors stay open until this returns, and are the caller's. The time is that of a photo
  /// whose `RenderingTime` asks for no more. A photo that ends the worker, or takes
  /// more memory than it had said, is tried once more while nothing else runs.
  func ask(
    _ request: WorkerRequest, descriptors: [Int32], time: Duration
  ) throws(Failure) -> WorkerReply {
    do throws(Failure) { return try ask(request, descriptors, time, request.attempt) } catch {
      let again: Admission.Attempt
      switch error {
      case .crashed: again = .alone
      case .outOfMemory: again = .spilled
      case .refused, .timedOut, .stopped, .cannotStart, .noScratch, .neverBegan: throw error
      }
      if let order = request.rendered {
        for target in descriptors.suffix(order.targets.count) {
          _ = ftruncate(target, 0)
          lseek(target, 0, SEEK_SET)
        }
      }
      return try ask(request, descriptors, time, again)
    }
  }

  /// One attempt at a photo.
  private struct Trial {
    let attempt: Admission.Attempt
    /// That of every photo.
    let time: Duration
    /// This one's, with its waits.
    var allowed: Duration
    /// This one's without.
    var own: Duration
    var needs: MemoryNeeds?
    var grant: Admission.Grant?
    /// Whether it was ended for taking more than it was granted.
    var isTooLarge = false
  }

  private func ask(
    _ request: WorkerRequest, _ descriptors: [Int32], _ time: Duration,
    _ attempt: Admission.Attempt
  ) throws(Failure) -> WorkerReply {
    if request.needsFonts { giveFonts() }
    let running = try started()
    var trial = Trial(attempt: attempt, time: time, allowed: time, own: time)
    // After the end of a worker that failed.
    defer {
      state.withLock { $0.deadline = nil }
      if let grant = trial.grant { admission?.giveBack(grant) }
    }
    let reply: WorkerReply
    do throws(Channel.Failure) {
      reply = try exchange(request, descriptors, running, &trial)
    } catch {
      throw fate(after: error, trial)
    }
    retireIfDue(running)
    if case .failed(let reason, let message, let hint) = reply {
      throw .refused(reason, message: message, hint: hint)
    }
    return reply
  }

  private func exchange(
    _ request: WorkerRequest, _ descriptors: [Int32], _ running: Running, _ trial: inout Trial
  ) throws(Channel.Failure) -> WorkerReply {
    // A header is read without asking; a second attempt waits until nothing else runs.
    if case .probe = request, trial.attempt != .first {
      trial.grant = try admit(
        MemoryNeeds(usual: MemoryNeeds.idle, spilled: MemoryNeeds.idle), megapixels: 0,
        trial.attempt)
    }
    let start = ContinuousClock.now
    let channel = running.channel
    try channel.send(request.json, descriptors: descriptors)
    while true {
      // Others wait for a photo that is alone: it may have all, and no more.
      let isAlone = trial.grant?.isAlone ?? false
      let limit = trial.grant.map { $0.isAlone ? $0.bytes : $0.bytes + $0.bytes / 8 }
      let end = start + trial.allowed
      state.withLock { $0.deadline = end }
      let (message, descriptors) = try channel.receive(
        until: end, every: isAlone ? Self.closeInterval : Self.watchInterval
      ) { () throws(Channel.Failure) in
        guard let limit, let size = ProcessMemory.heldSize(of: running.process), size > limit
        else { return }
        trial.isTooLarge = true
        throw .timedOut
      }
      defer { for descriptor in descriptors { close(descriptor) } }
      let pause = ContinuousClock.now
      switch WorkerReply(message) {
      case nil: throw .closed
      case .begun(let megapixels, let encodingSeconds, let needs):
        trial.needs = needs
        trial.grant = try admit(needs, megapixels: megapixels, trial.attempt)
        try channel.send((trial.grant?.allowance ?? Allowance()).json)
        let more = RenderingTime.more(
          megapixels: megapixels, encodingSeconds: encodingSeconds, besides: trial.time)
        trial.own += more
        trial.allowed += more + (ContinuousClock.now - pause)
      case .external(let step):
        let program = ExternalProgram(
          step: step, executable: executable, photoTime: trial.own)
        state.withLock { $0.deadline = end + program.time }
        try channel.send(run(program, for: request, descriptors).json)
        trial.allowed += ContinuousClock.now - pause
      case let reply?: return reply
      }
    }
  }

  private func admit(
    _ needs: MemoryNeeds, megapixels: Double, _ attempt: Admission.Attempt
  ) throws(Channel.Failure) -> Admission.Grant? {
    guard let admission else { return nil }
    guard let grant = admission.admit(needs, megapixels: megapixels, attempt) else {
      throw .closed
    }
    return grant
  }

  /// Runs a program that the recipe names, where the order allows it: a worker that a hostile photo
  /// has taken over gets no other.
  private func run(
    _ program: ExternalProgram, for request: WorkerRequest, _ descriptors: [Int32]
  ) throws(Channel.Failure) -> Result<Void, ExternalFailure> {
    let step = program.step
    guard let order = request.rendered, order.allowsExternal, descriptors.count == 2,
      order.recipe.externalSteps.contains(where: { $0.step == step })
    else {
      return .failure(
        ExternalFailure("'\(step.program)' may not be run", hint: "say --allow-external"))
    }
    let result = program.run(input: descriptors[0], output: descriptors[1]) {
      state.withLock { $0.isStopped }
    }
    guard let result else { throw .closed }
    return result
  }

  /// Ends the worker now, whatever it does, and for good.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      if let running = state.running { _ = kill(running.process, SIGKILL) }
    }
  }

  /// The process that runs, or a new one; a start that fails is tried once more.
  private func started() throws(Failure) -> Running {
    do throws(Failure) { return try start() } catch {
      guard case .neverBegan = error else { throw error }
      return try start()
    }
  }

  private func start() throws(Failure) -> Running {
    if let running = state.withLock({ $0.running }) { return running }
    if state.withLock({ $0.isStopped }) { throw .stopped }
    let scratch: ScratchFolder
    do throws(Errno) { scratch = try ScratchFolder() } catch { throw .noScratch(error) }
    var setup = WorkerSetup(
      scratch: scratch.path, needsFonts: state.withLock { $0.needsFonts })
    setup.addressSpace += admission?.budget ?? 0
    let (process, ours) =
      if executable == Worker.executable, let forked = ForkedWorkers.take() {
        forked
      } else {
        try spawn()
      }
    do throws(Channel.Failure) {
      try ours.send(setup.json)
      let (message, _) = try ours.receive(until: .now + .seconds(60))
      guard case .hello(let libvips, let sandbox) = WorkerReply(message) else { throw .closed }
      let running = Running(
        process: process, channel: ours, libvips: libvips, sandbox: sandbox, scratch: scratch)
      state.withLock { state in
        state.running = running
        state.answered = 0
        // `stop` came while there was nothing to stop yet.
        if state.isStopped { _ = kill(process, SIGKILL) }
      }
      return running
    } catch {
      ours.close()
      _ = kill(process, SIGKILL)
      throw .neverBegan("\(Self.end(of: process))")
    }
  }

  private func spawn() throws(Failure) -> (pid_t, Channel) {
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

  /// Ends a worker that was started without the fonts of the system.
  private func giveFonts() {
    let hadThem = state.withLock { state in
      defer { state.needsFonts = true }
      return state.needsFonts
    }
    if !hadThem { end() }
  }

  /// Ends a worker that has done its share, or that keeps too much.
  private func retireIfDue(_ running: Running) {
    let answered = state.withLock { state in
      state.answered += 1
      return state.answered
    }
    let isLarge =
      answered.isMultiple(of: service.interval)
      && ProcessMemory.proportionalSize(of: running.process) ?? 0 > service.bytes
    if isLarge || answered >= service.answers { end() }
  }

  /// Ends the worker and says what had become of it.
  private func fate(after failure: Channel.Failure, _ trial: Trial) -> Failure {
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
    if trial.isTooLarge, let grant = trial.grant, let needs = trial.needs {
      return .outOfMemory(grant.excess(of: needs))
    }
    if !isLate && end.isLackOfMemory {
      return .outOfMemory("memory seems to have run out: \(end)")
    }
    return isLate ? .timedOut(trial.allowed) : .crashed("\(end)")
  }

  /// Ends an idle worker; the next request starts another.
  func rest() { end() }

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
  private static func end(of process: pid_t) -> ProcessEnd {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return ProcessEnd(status)
  }
}

extension WorkerRequest {
  /// How it is tried first: a recipe is looked at before any photo, and may have all the memory that
  /// there is for them.
  fileprivate var attempt: Admission.Attempt { if case .check = self { .alone } else { .first } }
}

extension Recipe {
  /// Whether fonts are needed: for texts that are drawn, or are in drawings and pages.
  var needsFonts: Bool {
    if ["svg", "pdf"].contains(where: inputs.formats.contains) { return true }
    return graph.nodes.contains { node in
      if case .drawn(.text) = node.operation { true } else { false }
    }
  }
}
