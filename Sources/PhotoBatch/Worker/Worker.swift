import Glibc
import Notation
import PhotoLibrary
import PhotoMetadata
import PhotoRecipes
public import PhotoRender
import Synchronization
import SystemCalls
import SystemPackage
import Vips

/// The program of a worker process, which reads headers and renders photos, one at a time, until
/// the coordinator closes the socket.
///
/// A program that embeds phbatch calls `Worker.runIfAsked()` first in its `main`, because phbatch
/// starts that program's own executable again for the workers.
public enum Worker {
  static let verb = "__worker"
  /// The path of the program that runs in this process.
  public static let executable = "/proc/self/exe"
  /// The descriptor of the socket that is connected with the coordinator.
  private static let socket: Int32 = 3

  /// The exit code of a process that was started as a worker, but whose program does not call
  /// `runIfAsked`.
  static let misuse = ExitCode.usage.rawValue

  /// Decodes and encodes films; nil in a program without films.
  private static let films = Mutex<(any FilmCodec)?>(nil)
  private static let isCalled = Atomic(false)

  /// True if this process may start its own executable as a worker: it has called `runIfAsked`.
  static var canStartItself: Bool { isCalled.load(ordering: .relaxed) }

  /// Ends this process if it was started as a worker.
  ///
  /// A worker starts no workers. A process that was started as one and gets here has not called
  /// `runIfAsked`; it would start itself again and again.
  static func endIfMisused() {
    guard CommandLine.arguments.dropFirst().first == verb else { return }
    let text = "Error: this program cannot be a worker\n  hint: \(missingCall)\n"
    _ = try? FileDescriptor.standardError.writeAll(Array(text.utf8))
    exit(misuse)
  }

  /// The hint for a program that cannot be a worker.
  static let missingCall =
    "call Worker.runIfAsked() first in its main function, or set BatchOptions.workerExecutable"

  /// Runs as a worker, or as the supervisor of a program, and does not return, if this process was
  /// started as one of them.
  ///
  /// - Parameter films: The codec of a program that renders films.
  public static func runIfAsked(films: (any FilmCodec)? = nil) {
    ProgramSupervisor.runIfAsked()
    isCalled.store(true, ordering: .relaxed)
    Self.films.withLock { $0 = films }
    if CommandLine.arguments.dropFirst().first == verb { run(startsAtOnce: false) }
  }

  /// Forks workers for the first photos; must be called after `runIfAsked`, before anything else.
  ///
  /// The workers end with this process. Has no effect in a process with several threads.
  public static func makeReady(_ count: Int) {
    ForkedWorkers.fork(count) { index in Worker.run(startsAtOnce: index == 0) }
  }

  /// - Parameter startsAtOnce: True if libvips starts before the coordinator sends a photo, at the
  ///   same time as the coordinator reads the recipe and the library.
  private static func run(startsAtOnce: Bool) -> Never {
    // The process uses one heap, so that the memory of a photo is reused for the next photo. With
    // several heaps, allocation from the kernel took a sixth of the time of small renditions.
    _ = phbatch_limit_arenas(1)
    _ = phbatch_map_blocks_from(8 << 20)
    _ = phbatch_keep_freed(32 << 20)
    let channel = Channel(socket: socket)
    do {
      if startsAtOnce { try startLibvips() }
      let (first, _) = try channel.receive()
      guard let setup = WorkerSetup(first) else { exit(70) }
      crashAtOnce()
      leaveToCoordinator()
      let sandbox = try Sandbox.enter(setup) { () throws(VipsError) in
        try startLibvips()
        // The formats that need fonts include PDF.
        if setup.needsFonts { VipsModule.poppler.load() }
        allowLoaders()
      }
      endWithCoordinator()
      try channel.send(WorkerReply.hello(libvips: VipsRuntime.version, sandbox).json)
      var recipes = RecipeReader()
      var held = HeldPhotos()
      while true {
        let (message, descriptors) = try channel.receive()
        // Discards what a failed request left.
        _ = VipsRuntime.takeWarnings()
        let reply = answer(message, descriptors, channel, &recipes, &held)
        for descriptor in descriptors { close(descriptor) }
        try channel.send(reply.json)
      }
    } catch Channel.Failure.closed {
      // The exit handlers of libraries are skipped, because nothing is left to be written.
      _exit(0)
    } catch {
      exit(70)
    }
  }

  /// Starts libvips; without effect if it is started.
  private static func startLibvips() throws(VipsError) {
    VipsRuntime.captureWarnings()
    try VipsRuntime.startWithFewModules()
    VipsRuntime.setConcurrency(1)
  }

  /// Restores the kernel's handling of crash signals, because Swift's crash handlers would start a
  /// program that analyses the crash.
  private static func crashAtOnce() {
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGQUIT] {
      signal(number, SIG_DFL)
    }
  }

  /// Ignores signals that a terminal sends to all processes of a command: the coordinator handles
  /// them and ends this worker.
  private static func leaveToCoordinator() {
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
  }

  /// Ends this process when the coordinator ends, even while a photo is rendered.
  private static func endWithCoordinator() {
    BlockingThread.start {
      var entry = pollfd(fd: socket, events: 0, revents: 0)
      while unsafe poll(&entry, 1, -1) < 0 {}
      _exit(0)
    }
  }

  /// Blocks all decoders except the decoders that photos need, until a recipe allows more.
  ///
  /// libvips blocks some encoders together with their decoders. Such an encoder is allowed again,
  /// because it reads no untrusted file.
  private static func allowLoaders() {
    VipsRuntime.blockUntrusted()
    for loader in ["VipsForeignLoadJxl", "VipsForeignLoadJp2k", "VipsForeignSaveJxl"] {
      VipsRuntime.block(loader, false)
    }
  }

  /// Allows the decoders of the optional formats that a recipe names, and blocks the decoders of
  /// all other optional formats.
  private static func allow(_ inputs: InputSettings) {
    for format in InputCatalog.formats where format.request != nil {
      guard let loader = format.loader else { continue }
      VipsRuntime.block(operation: loader.operation, !inputs.allows(format))
    }
  }

  private static func answer(
    _ message: JSON, _ descriptors: [Int32], _ channel: Channel, _ recipes: inout RecipeReader,
    _ held: inout HeldPhotos
  ) -> WorkerReply {
    let request = WorkerRequest(message, &recipes)
    if case .check(let order, let number) = request {
      let parts = recipes.parts()
      if parts.indices.contains(number) {
        return check(parts[number], of: order, descriptors, channel)
      }
    }
    if case .drop(let photo) = request {
      held.remove(photo)
      return .dropped
    }
    if case .lacks(let photo, let faces) = request {
      guard let known = held.use(photo) else { return .notHeld }
      do throws(RenderError) {
        return .lacking(try known.lacks(searchesFaces: faces))
      } catch {
        return .failed(error.reason, message: error.message, hint: error.hint)
      }
    }
    guard let request, let photo = descriptors.first else {
      return .failed(.unreadable, message: "the worker cannot read the request", hint: "")
    }
    do throws(RenderError) {
      if let codec = films.withLock({ $0 }), Film.isFilm(photo) {
        return try Film(codec, photo).answer(request, descriptors, channel, &held)
      }
      let file = PhotoFile.descriptor(photo)
      if case .sheet(let entries) = request, let target = descriptors.dropFirst().first {
        return .probed(PhotoSummary(size: try sheet(entries, file, target)))
      }
      let inputs = request.inputs
      allow(inputs)
      if case .hold(let order, let name) = request {
        return try hold(photo, named: name, for: order, descriptors, &held)
      }
      if case .show(let order, let show) = request {
        guard let known = held.use(show.photo), known.isOpened(with: inputs) else {
          return .notHeld
        }
        return try RenderError.writing([photo]) { () throws(RenderError) in
          try self.show(known, order, show, into: photo, channel)
        }
      }
      if case .describe = request { return .described(Renderer.description(of: file, inputs)) }
      let header = try Renderer.header(of: file, inputs)
      if films.withLock({ $0 }) == nil, request.keepsFilm(of: file, descriptors) { return .hasFilm }
      switch request {
      case .probe, .describe, .sheet, .check, .hold, .show, .lacks, .drop:
        var summary = PhotoSummary(header)
        summary.details = header.details
        return .probed(summary)
      case .explain(let order):
        var renderer = try renderer(order, descriptors, channel)
        let hasFilm = try addFilm(of: file, order.film(among: descriptors), to: &renderer)
        let plan = try renderer.plan(file, header)
        var summary = PhotoSummary(header)
        (summary.lenses, summary.planWarnings) = (plan.lenses, plan.warnings)
        return .explained(
          summary,
          graph: (try renderer.facts(of: plan) + (hasFilm ? renderer.filmLines(of: plan) : [])
            + ["\(plan.graph)"]).joined(separator: "\n"),
          pipeline: "\(plan.pipeline.withTables())", plan.memory)
      case .weigh(let order):
        let plan = try renderer(order, descriptors, channel).plan(file, header)
        return .weighed(seconds: plan.predictedSeconds, plan.memory)
      case .render(let order):
        var renderer = try renderer(order, descriptors, channel)
        try addFilm(of: file, order.film(among: descriptors), to: &renderer)
        let plan = try renderer.plan(file, header)
        let (memory, seconds) = try renderer.needs(of: plan, in: order.targets)
        let allowance = admission(header, seconds, memory, channel)
        let hasFilm = renderer.film != nil
        if hasFilm { Film.reuseBuffers(true) }
        defer { if hasFilm { Film.reuseBuffers(false) } }
        return try rendered(&renderer, order, descriptors, header, memory, allowance) {
          renderer, targets throws(RenderError) in try renderer.render(plan, into: targets)
        }
      case .preview(let order):
        var renderer = try renderer(order, descriptors, channel)
        let plan = try renderer.previewPlan(file, header, PreviewSize(longEdge: order.displayEdge))
        let allowance = admission(header, 0, plan.memory, channel)
        return try rendered(&renderer, order, descriptors, header, plan.memory, allowance) {
          renderer, targets throws(RenderError) in try renderer.preview(plan, into: targets)
        }
      }
    } catch .unwritable(let error) {
      return .unwritable(Errno(rawValue: error))
    } catch {
      return .failed(error.reason, message: error.message, hint: error.hint)
    }
  }

  /// Passes the film in a photo, or the film beside it, to the renderer, which copies or edits it.
  ///
  /// Returns false if there is none; throws `unwritable` if the film cannot be copied.
  @discardableResult
  private static func addFilm(
    of photo: PhotoFile, _ beside: Int32?, to renderer: inout Renderer
  ) throws(RenderError) -> Bool {
    let search = photo.filmSearch
    let embedded: EmbeddedFilm? = if case .film(let film) = search { film } else { nil }
    let beside = embedded == nil ? beside.flatMap { photo.isPair(with: $0) ? $0 : nil } : nil
    renderer.hasFilmBeside = beside != nil
    guard embedded != nil || beside != nil else {
      if search == .damaged { renderer.filmObstacle = "it is cut off or damaged" }
      return search == .damaged
    }
    guard renderer.recipe.outputs.contains(where: renderer.recipe.keepsFilm) else { return true }
    guard let codec = films.withLock({ $0 }) else {
      renderer.filmObstacle = "films are rendered by another program; \(FilmProgram.hint)"
      return true
    }
    do throws(RenderError) {
      if let embedded { renderer.film = try PhotoFilm(embedded, in: photo, codec) }
      if let beside { renderer.film = try PhotoFilm(beside: photo, beside, codec) }
    } catch {
      if case .unwritable = error { throw error }
      renderer.filmObstacle = error.message
    }
    return true
  }

  /// Renders a planned photo within the limits that the coordinator allows.
  private static func rendered(
    _ renderer: inout Renderer, _ order: WorkOrder, _ descriptors: [Int32],
    _ header: PhotoHeader, _ needs: MemoryNeeds, _ allowance: Allowance,
    _ render: (Renderer, _ targets: [String: Int32]) throws(RenderError) -> Rendering
  ) throws(RenderError) -> WorkerReply {
    if let refusal = allowance.refusal(
      of: needs, remedy: "make the photo smaller early in the recipe")
    {
      return refusal
    }
    releaseMemory(for: needs)
    renderer.threads = allowance.threads
    renderer.spills = allowance.spills
    VipsRuntime.setConcurrency(allowance.threads)
    defer { VipsRuntime.setConcurrency(1) }
    try header.setStripRows()
    let targets = Dictionary(
      zip(order.targets, descriptors.dropFirst(order.firstTarget))
    ) { first, _ in first }
    let rendering = try render(renderer, targets)
    var summary = PhotoSummary(rendering.header, texts: renderer.texts(of: rendering.header))
    summary.lenses = rendering.lenses
    return .rendered(
      summary, rendering.renditions,
      warnings: distinct(rendering.warnings + rendering.libraryWarnings), look: rendering.look)
  }

  /// The lines of the warnings without repetitions, and at most `limit` of them, because a damaged
  /// file causes hundreds of warnings.
  static func distinct(_ warnings: [String], atMost limit: Int = 4) -> [String] {
    var lines: [String] = []
    for line in warnings.flatMap({ $0.split(whereSeparator: \.isNewline) }).map(String.init)
    where !lines.contains(line) {
      lines.append(line)
    }
    if lines.count <= limit { return lines }
    return lines.prefix(limit) + ["and \((lines.count - limit).counting("more warning"))"]
  }

  private static func sheet(
    _ entries: [SheetEntry], _ pictures: PhotoFile, _ target: Int32
  ) throws(RenderError) -> Size {
    var bytes = try pictures.contents(named: "pictures")[...]
    func next(_ count: Int) -> [UInt8] {
      defer { bytes = bytes.dropFirst(count) }
      return Array(bytes.prefix(count))
    }
    let pairs = entries.map { entry in
      let (before, after) = (next(entry.before), next(entry.after))
      return ContactSheet.Pair(entry.title, before.isEmpty ? nil : (before, after))
    }
    return try RenderError.writing([target]) { () throws(RenderError) in
      try ContactSheet(pairs).write(to: target, mark: SheetEntry.mark)
    }
  }

  /// Checks a part of a recipe without a photo.
  private static func check(
    _ part: RecipePart, of order: WorkOrder, _ descriptors: [Int32], _ channel: Channel
  ) -> WorkerReply {
    let sources = Dictionary(
      zip(order.files, descriptors.map { PhotoFile.descriptor($0) })
    ) { first, _ in first }
    do throws(RenderError) {
      let check = try PartCheck(
        part, of: order.recipe, sources, RenderLimits(order.limits))
      let needs = check.needs
      let allowance = admission(megapixels: check.megapixels, 0, needs, channel)
      if let missing = allowance.refusal(of: needs, remedy: part.relief) { return missing }
      releaseMemory(for: needs)
      try check.run()
      return .checked(nil)
    } catch {
      return .checked(RecipeFlaw(error))
    }
  }

  /// Reads the files that a recipe names from their descriptors; the result has their paths as
  /// keys.
  static func files(
    _ order: WorkOrder, _ descriptors: ArraySlice<Int32>
  ) throws(RenderError) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for (path, descriptor) in zip(order.files, descriptors) {
      files[path] = try PhotoFile.descriptor(descriptor).contents(named: path)
    }
    return files
  }

  static func renderer(
    _ order: WorkOrder, _ descriptors: [Int32], _ channel: Channel
  ) throws(RenderError) -> Renderer {
    var renderer = Renderer(
      order.recipe, files: try files(order, descriptors.dropFirst()), values: order.values,
      focal: order.focalPlace, limits: RenderLimits(order.limits),
      runner: CoordinatorRunner(channel: channel))
    renderer.origin = order.origin(among: descriptors)
    renderer.lenses = CoordinatorLenses(channel: channel)
    renderer.copiesOriginals = order.copiesOriginals
    renderer.description = order.description
    renderer.originalDigest = order.originalDigest
    renderer.filmDigest = order.filmDigest
    renderer.recordedLook = order.look
    let last = Mutex(ContinuousClock.now)
    renderer.progress = { frames, all in
      let isDue = last.withLock { last in
        if last.duration(to: .now) < .seconds(1) { return false }
        last = .now
        return true
      }
      // If the coordinator has ended, this process ends, too.
      if isDue { try? channel.send(WorkerReply.progress(frames: frames, of: all).json) }
    }
    return renderer
  }
}
