import Glibc
import PhotoRecipes
import PhotoRender
import Synchronization
import SystemPackage

/// The coordinator's side of a worker process.
///
/// The first request starts the process. The process is killed if it exceeds its time or memory
/// limit. A new process replaces it after that, and after a number of requests.
///
/// An instance handles one request at a time, from one thread; any thread may call `stop`.
final class WorkerProcess: Sendable {
  /// The reason why a request failed.
  enum Failure: Error {
    /// The worker reported an error.
    case refused(Reason, message: String, hint: String)
    /// The worker could not write a rendition.
    case unwritable(Errno)
    /// The worker ended by a signal, or with an exit code.
    case crashed(String)
    /// The worker exceeded its granted memory, or the system had no memory left; with details.
    case outOfMemory(String)
    case timedOut(Duration)
    case stopped
    case cannotStart(Errno)
    /// The folder for the worker's temporary files could not be created.
    case noScratch(Errno)
    /// The worker ended before it received a photo; with its exit status.
    case neverBegan(String)
    /// The program at this path does not call `Worker.runIfAsked`.
    case isNoWorker(String)
  }

  private struct State {
    var running: StartedWorker?
    var isStopped = false
    /// The number of requests that the running process has answered.
    var answered = 0
    /// True if a recipe needs fonts: new workers may then read the fonts of the system.
    var needsFonts: Bool
    /// The deadline of the running request; nil if none is running.
    var deadline: ContinuousClock.Instant?
  }

  /// The limits after which an idle worker is replaced.
  struct Service: Sendable {
    /// The maximum number of answers before the worker is replaced, so that memory leaks in codecs
    /// stay small.
    var answers = 1000
    /// The maximum memory in bytes of an idle worker before it is replaced.
    var bytes = 4 * MemoryNeeds.idle
    /// The number of answers between checks of the worker's memory.
    var interval = 16
    /// The interval between checks of a worker's memory while its photo runs alone; it is short,
    /// because such a photo may need more memory than there is.
    var watch = Duration.milliseconds(25)
  }

  /// The interval between checks of a worker's memory, while other photos may be rendered.
  private static let watchInterval = Duration.milliseconds(250)

  /// The worker that renders films, in another program; nil if that program is not installed.
  let films: WorkerProcess?
  private let rendersFilms: Bool
  private let executable: String
  private let admission: Admission?
  private let service: Service
  private let lenses: any LensFinder
  private let state: Mutex<State>

  /// - Parameters:
  ///   - executable: A program that calls `Worker.runIfAsked()`.
  ///   - needsFonts: True if the worker may read the fonts of the system from the start.
  ///   - admission: Grants memory to photos; nil if memory is not watched.
  ///   - service: The limits after which a process is replaced.
  ///   - lenses: Finds the lenses of photos.
  ///   - filmProgram: The program for films; nil if there is none.
  ///   - rendersFilms: True if `executable` is the program for films.
  init(
    executable: String, needsFonts: Bool = false, admission: Admission? = nil,
    service: Service = Service(), lenses: any LensFinder = LensDatabase.shared,
    filmProgram: String? = nil, rendersFilms: Bool = false
  ) {
    Worker.endIfMisused()
    films = filmProgram.map { program in
      WorkerProcess(
        executable: program, needsFonts: needsFonts, admission: admission, service: service,
        lenses: lenses, rendersFilms: true)
    }
    self.rendersFilms = rendersFilms
    self.executable = executable
    self.service = service
    self.lenses = lenses
    state = Mutex(State(needsFonts: needsFonts))
    self.admission = admission
  }

  deinit { end() }

  /// The deadline of the running request; nil if none is running.
  var deadline: ContinuousClock.Instant? { state.withLock { $0.deadline } ?? films?.deadline }

  /// The worker's version of libvips; starts the worker if needed.
  func libvips() throws(Failure) -> String { try started().libvips }

  /// The worker's sandbox; starts the worker if needed.
  func sandbox() throws(Failure) -> Sandbox { try started().sandbox }

  /// Sends a request and waits for the answer.
  ///
  /// The descriptors belong to the caller and must stay open until this function returns. `time` is
  /// the time limit of a photo without additional `RenderingTime`. A photo that crashes the worker,
  /// or exceeds its predicted memory, is tried once more while no other photo is rendered.
  /// `progress` gets the frames of a film that are done, and the number of all frames.
  func ask(
    _ request: WorkerRequest, descriptors: [Int32], time: Duration,
    progress: (_ frames: Int, _ all: Int) -> Void = { _, _ in }
  ) throws(Failure) -> WorkerReply {
    if request.isOfFilm && !rendersFilms {
      guard let films else {
        throw .refused(
          .unsupportedFormat, message: "films are rendered by another program",
          hint: FilmProgram.hint)
      }
      return try films.ask(request, descriptors: descriptors, time: time, progress: progress)
    }
    let reply = try askTwice(request, descriptors, time, progress)
    if case .hasFilm = reply, let films {
      return try films.ask(request, descriptors: descriptors, time: time, progress: progress)
    }
    return reply
  }

  private func askTwice(
    _ request: WorkerRequest, _ descriptors: [Int32], _ time: Duration,
    _ progress: (Int, Int) -> Void
  ) throws(Failure) -> WorkerReply {
    do throws(Failure) {
      return try ask(request, descriptors, time, request.attempt, progress)
    } catch {
      let again: Admission.Attempt
      switch error {
      case .crashed: again = .alone
      case .outOfMemory: again = .spilled
      default: throw error
      }
      for target in request.targets(among: descriptors) {
        _ = ftruncate(target, 0)
        lseek(target, 0, SEEK_SET)
      }
      return try ask(request, descriptors, time, again, progress)
    }
  }

  /// One attempt at a photo.
  private struct Trial {
    let attempt: Admission.Attempt
    /// The time limit of every photo.
    let time: Duration
    /// The time limit of this photo, including the time that it waits for memory and external
    /// programs.
    var allowed: Duration
    /// The time limit of this photo, without the time that it waits for memory and external
    /// programs.
    var own: Duration
    var needs: MemoryNeeds?
    var grant: Admission.Grant?
    /// True if the worker was ended because it exceeded its granted memory.
    var isTooLarge = false
  }

  private func ask(
    _ request: WorkerRequest, _ descriptors: [Int32], _ time: Duration,
    _ attempt: Admission.Attempt, _ progress: (Int, Int) -> Void
  ) throws(Failure) -> WorkerReply {
    if request.needsFonts { giveFonts() }
    let running = try started()
    var trial = Trial(attempt: attempt, time: time, allowed: time, own: time)
    // Deferred, so that memory is given back only after a failed worker has ended.
    defer {
      state.withLock { $0.deadline = nil }
      if let grant = trial.grant { admission?.giveBack(grant) }
    }
    let reply: WorkerReply
    do throws(Channel.Failure) {
      reply = try exchange(request, descriptors, running, &trial, progress)
    } catch {
      throw failure(after: error, trial)
    }
    retireIfDue(running)
    if case .failed(let reason, let message, let hint) = reply {
      throw .refused(reason, message: message, hint: hint)
    }
    if case .unwritable(let errno) = reply { throw .unwritable(errno) }
    return reply
  }

  /// The memory of reading a header.
  private static let needsOfHeader = MemoryNeeds(
    usual: MemoryNeeds.idle, spilled: MemoryNeeds.idle)

  private func exchange(
    _ request: WorkerRequest, _ descriptors: [Int32], _ running: StartedWorker,
    _ trial: inout Trial, _ progress: (Int, Int) -> Void
  ) throws(Channel.Failure) -> WorkerReply {
    // Reading a header needs no admission; only a second attempt waits until no other photo is
    // rendered.
    if case .probe = request, trial.attempt != .first {
      trial.grant = try admit(Self.needsOfHeader, megapixels: 0, trial.attempt)
    }
    let start = ContinuousClock.now
    let channel = running.channel
    try channel.send(request.json, descriptors: descriptors)
    while true {
      // A photo that runs alone may use all memory of the run, but not more. Other photos may
      // exceed their grants by an eighth.
      let isAlone = trial.grant?.isAlone ?? false
      let limit = trial.grant.map { $0.isAlone ? $0.bytes : $0.bytes + $0.bytes / 8 }
      let end = start + trial.allowed
      state.withLock { $0.deadline = end }
      let (message, descriptors) = try channel.receive(
        until: end, every: isAlone ? service.watch : Self.watchInterval
      ) { () throws(Channel.Failure) in
        guard let limit, ProcessMemory.unreclaimableSize(of: running.process, isAbove: limit) else {
          return
        }
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
      case .progress(let frames, let all): progress(frames, all)
      case .external(let step):
        let program = ExternalProgram(
          step: step, executable: executable, photoTime: trial.own)
        state.withLock { $0.deadline = end + program.time }
        try channel.send(run(program, for: request, descriptors).json)
        trial.allowed += ContinuousClock.now - pause
      case .lens(let facts):
        guard let order = request.planned else { throw .closed }
        try channel.send(order.answer(to: facts, from: lenses))
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

  /// Runs a program that the recipe names, if the order allows programs.
  ///
  /// A worker that a hostile photo controls thus cannot run any other program.
  private func run(
    _ program: ExternalProgram, for request: WorkerRequest, _ descriptors: [Int32]
  ) throws(Channel.Failure) -> Result<Void, ExternalFailure> {
    let step = program.step
    guard let order = request.rendered, order.allowsExternal, descriptors.count == 2,
      order.recipe.externalSteps.contains(where: { $0.step == step })
    else {
      return .failure(
        ExternalFailure("the step may not run '\(step.program)'", hint: "use --allow-external"))
    }
    let result = program.run(input: descriptors[0], output: descriptors[1]) {
      state.withLock { $0.isStopped }
    }
    guard let result else { throw .closed }
    return result
  }

  /// Kills the worker process, and prevents that another one is started.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.running?.kill()
    }
    films?.stop()
  }

  /// The running process; a new process if no process is running.
  ///
  /// If a new process ends before it is ready, the start is tried once more.
  private func started() throws(Failure) -> StartedWorker {
    do throws(Failure) { return try start() } catch {
      guard case .neverBegan = error else { throw error }
      return try start()
    }
  }

  private func start() throws(Failure) -> StartedWorker {
    if let running = state.withLock({ $0.running }) { return running }
    if state.withLock({ $0.isStopped }) { throw .stopped }
    let scratch: ScratchFolder
    do throws(Errno) { scratch = try ScratchFolder() } catch { throw .noScratch(error) }
    var setup = WorkerSetup(
      scratch: scratch.path, needsFonts: state.withLock { $0.needsFonts })
    setup.addressSpace += admission?.budget ?? 0
    let running = try StartedWorker(executable, setup, scratch)
    state.withLock { state in
      state.running = running
      state.answered = 0
      // If `stop` was called before this process existed, it could not kill the process.
      if state.isStopped { running.kill() }
    }
    return running
  }

  /// Lets workers read the system's fonts, and ends a running worker that was started without them.
  private func giveFonts() {
    let hadThem = state.withLock { state in
      defer { state.needsFonts = true }
      return state.needsFonts
    }
    if !hadThem { end() }
  }

  /// Ends a worker that has answered its maximum number of requests, or keeps too much memory.
  private func retireIfDue(_ running: StartedWorker) {
    let answered = state.withLock { state in
      state.answered += 1
      return state.answered
    }
    let isLarge =
      answered.isMultiple(of: service.interval)
      && ProcessMemory.proportionalSize(of: running.process, isAbove: service.bytes)
    if isLarge || answered >= service.answers { end() }
  }

  /// Ends the worker and returns why it failed.
  private func failure(after failure: Channel.Failure, _ trial: Trial) -> Failure {
    let (running, wasStopped) = state.withLock { state in
      defer { state.running = nil }
      return (state.running, state.isStopped)
    }
    guard let running else { return .stopped }
    var isLate = false
    if case .timedOut = failure { isLate = true }
    if isLate { running.kill() }
    let end = running.end()
    if wasStopped { return .stopped }
    if trial.isTooLarge, let grant = trial.grant {
      return .outOfMemory(grant.excess(of: trial.needs ?? Self.needsOfHeader))
    }
    if !isLate && end.isLackOfMemory {
      return .outOfMemory("the system may be out of memory: \(end)")
    }
    return isLate ? .timedOut(trial.allowed) : .crashed("\(end)")
  }

  /// Ends an idle worker; the next request starts another.
  func rest() {
    end()
    films?.rest()
  }

  /// Closes the worker's socket, which makes the worker end, and waits for its end.
  private func end() {
    let running = state.withLock { state in
      defer { state.running = nil }
      return state.running
    }
    _ = running?.end()
  }
}

extension WorkerRequest {
  /// The way in which the request is tried first.
  ///
  /// The check of a recipe runs alone: it comes before any photo, and may use all memory of the
  /// run.
  fileprivate var attempt: Admission.Attempt { if case .check = self { .alone } else { .first } }
}

extension Recipe {
  /// True if fonts are needed, for drawn texts or for texts in SVG and PDF files.
  var needsFonts: Bool {
    if ["svg", "pdf"].contains(where: inputs.formats.contains) { return true }
    return graph.nodes.contains { node in
      if case .drawn(.text) = node.operation { true } else { false }
    }
  }
}
