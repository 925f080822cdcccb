import Glibc
import Notation
import PhotoRecipes
import PhotoRender
import SystemCalls
import SystemPackage

/// A program of a recipe; the coordinator runs it, because workers cannot start programs.
///
/// The program has its own process group, led by a `ProgramSupervisor`. The coordinator kills the
/// group if the program takes too long or writes too much, or if the run is stopped. Processes of
/// the group that are still running when the program ends are killed, too.
struct ExternalProgram {
  let step: External
  /// The executable that becomes the supervisor; it calls `Worker.runIfAsked()`.
  let executable: String
  /// The time limit of a photo in this run; no program may take longer.
  var photoTime = Duration.seconds(86_400)
  /// The maximum number of bytes that the program may write.
  var outputLimit = 4 << 30

  /// The interval between checks in milliseconds.
  private static let interval: Int32 = 50
  /// The number of bytes at the end of the program's stderr that are kept.
  private static let tailLength = 2048

  private enum End {
    case code(Int32)
    case signal(Int32)
    case late
    case tooMuch
  }

  /// True if the time limit of a photo is shorter than the time limit of the step.
  private var isBoundByPhoto: Bool { photoTime < .seconds(step.timeout) }

  /// The time limit of the program.
  var time: Duration { min(photoTime, .seconds(step.timeout)) }

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - input: The program's stdin, a file that is read from its start.
  ///   - output: The program's stdout, an empty file.
  ///   - isStopped: Called repeatedly; the program is killed if the result is true.
  /// - Returns: The result; nil if `isStopped` ended the program.
  func run(
    input: Int32, output: Int32, isStopped: () -> Bool
  ) -> Result<Void, ExternalFailure>? {
    lseek(input, 0, SEEK_SET)
    var pipe: [Int32] = [-1, -1]
    guard unsafe Glibc.pipe(&pipe) == 0 else {
      return .failure(cannotStart(Errno(rawValue: errno)))
    }
    let (reader, writer) = (pipe[0], pipe[1])
    for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(reader, F_SETFL, O_NONBLOCK)
    defer { close(reader) }
    let (ourEnd, theirEnd): (Channel, Channel)
    do throws(Channel.Failure) { (ourEnd, theirEnd) = try Channel.pair() } catch {
      return .failure(cannotStart(.tooManyOpenFiles))
    }
    defer { ourEnd.close() }
    let (process, failure) = spawn([input, output, writer, theirEnd.socket])
    close(writer)
    theirEnd.close()
    if failure != 0 { return .failure(cannotStart(Errno(rawValue: -failure))) }
    var words = Tail(limit: Self.tailLength)
    let end = wait(for: process, reader, output, &words, isStopped)
    if let failure = ProgramSupervisor.failure(from: ourEnd) {
      return .failure(cannotStart(failure))
    }
    return end.map { result($0, words) }
  }

  private func spawn(_ descriptors: [Int32]) -> (process: pid_t, failure: Int32) {
    var process: pid_t = 0
    let command = ["phbatch", ProgramSupervisor.verb] + step.command
    var words: [UnsafeMutablePointer<CChar>?] = unsafe command.map { unsafe strdup($0) }
    unsafe words.append(nil)
    defer { for index in command.indices { unsafe free(words[index]) } }
    let failure = unsafe phbatch_spawn_program(
      executable, words, environ, descriptors, Int32(descriptors.count), 1, &process)
    return (process, failure)
  }

  /// Waits until the program ends, and kills it if it exceeds a limit; nil if the run was stopped.
  private func wait(
    for process: pid_t, _ reader: Int32, _ output: Int32, _ words: inout Tail,
    _ isStopped: () -> Bool
  ) -> End? {
    let watch = phbatch_watch_process(process)
    defer { if watch >= 0 { close(watch) } }
    let deadline = ContinuousClock.now + time
    var forced: End?
    var wasStopped = false
    while true {
      var entries = [
        pollfd(fd: watch, events: Int16(POLLIN), revents: 0),
        pollfd(fd: words.isOpen ? reader : -1, events: Int16(POLLIN), revents: 0),
      ]
      _ = unsafe poll(&entries, nfds_t(entries.count), Self.interval)
      words.read(reader)
      if phbatch_has_ended(process) == 1 { break }
      wasStopped = isStopped()
      forced = ContinuousClock.now > deadline ? .late : size(output) > outputLimit ? .tooMuch : nil
      if wasStopped || forced != nil { break }
    }
    // The process is not reaped yet, so its identifier cannot belong to another process.
    _ = kill(-process, SIGKILL)
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
    words.read(reader)
    if wasStopped { return nil }
    if size(output) > outputLimit { return .tooMuch }
    let signal = status & 0x7F
    return forced ?? (signal == 0 ? .code(status >> 8 & 0xFF) : .signal(signal))
  }

  private func size(_ file: Int32) -> Int {
    var status = stat()
    return unsafe fstat(file, &status) == 0 ? Int(status.st_size) : 0
  }

  private func result(_ end: End, _ words: Tail) -> Result<Void, ExternalFailure> {
    let name = "'\(step.program)'"
    let output = words.text.isEmpty ? "" : ": \(words.text)"
    switch end {
    case .code(0): return .success(())
    case .code(let code):
      return .failure(
        ExternalFailure(
          "\(name) ended with code \(code)\(output)", hint: "run it by hand to see why"))
    case .signal(let signal):
      let meaning = unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? ""
      return .failure(
        ExternalFailure(
          "\(name) was ended by signal \(signal) (\(meaning))\(output)",
          hint: "run it by hand to see why"))
    case .late:
      return .failure(
        ExternalFailure(
          "\(name) ran for more than \(time.components.seconds.counting("second"))\(output)",
          hint: isBoundByPhoto
            ? "give each photo more time with --timeout" : "give the step a longer 'timeout'"))
    case .tooMuch:
      return .failure(
        ExternalFailure(
          "\(name) wrote more than \(outputLimit >> 20) megabytes",
          hint: "change the program so that it writes less"))
    }
  }

  private func cannotStart(_ errno: Errno) -> ExternalFailure {
    ExternalFailure(
      "'\(step.program)' cannot be started: \(errno)",
      hint: "install it, or give its path in 'command'")
  }
}

/// The last bytes that were read from a pipe.
private struct Tail {
  let limit: Int
  /// True if a process can still write to the pipe.
  private(set) var isOpen = true
  private var bytes: [UInt8] = []

  init(limit: Int) { self.limit = limit }

  /// Reads the available bytes without waiting, at most a few megabytes per call.
  mutating func read(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    for _ in 0..<64 {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
      }
      if count == 0 { isOpen = false }
      if count <= 0 { return }
      bytes = Array((bytes + buffer.prefix(count)).suffix(limit))
    }
  }

  /// The bytes as text, with control characters replaced that a terminal would interpret.
  var text: String {
    let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar in
      let isControl = scalar.properties.generalCategory == .control
      return isControl && scalar != "\n" && scalar != "\t" ? "\u{FFFD}" : scalar
    }
    let text = String(String.UnicodeScalarView(scalars))
    return String(text.drop(while: \.isNewline).reversed().drop(while: \.isNewline).reversed())
  }
}
