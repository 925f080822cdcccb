import Dispatch
import FoundationEssentials
import Glibc
import Notation
import PhotoLibrary
import SystemCalls
import SystemPackage
import Vips

/// Runs the program git in a folder.
struct Git: Sendable {
  private let folder: OpenFile

  init(in folder: OpenFile) { self.folder = folder }

  /// The result of one call.
  struct Result: Sendable {
    let code: Int32
    let output: [UInt8]
    /// The first line that git wrote to stderr.
    let complaint: String
  }

  /// Environment variables that git sets for its hooks; they would select another repository than
  /// the repository around the folder.
  ///
  /// - Source: git-rev-parse(1), `--local-env-vars`.
  private static let foreignVariables = [
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
  ]

  /// Runs git with these arguments, on a thread of its own because the call blocks.
  ///
  /// - Throws: `MissingInput` if git is not installed.
  func run(_ arguments: String...) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "phbatch.git").async {
        continuation.resume(with: Swift.Result { try call(arguments) })
      }
    }
  }

  private func call(_ arguments: [String]) throws -> Result {
    defer { withExtendedLifetime(folder) {} }
    // git gets the folder as the path of its descriptor, because the folder's own path may not be
    // UTF-8, or may already belong to another folder.
    let place = folder.withDescriptor { "/proc/\(getpid())/fd/\($0.rawValue)" }
    let command = ["git", "-C", place, "-c", "core.fsmonitor=false"] + arguments
    let (output, complaints) = (try MemoryFile([]), try MemoryFile([]))
    let nothing = try FileDescriptor.open(FilePath("/dev/null"), .readOnly, options: .closeOnExec)
    let (process, failure) = try nothing.closeAfter {
      Self.spawn(command, [nothing.rawValue, output.descriptor, complaints.descriptor])
    }
    if failure == -ENOENT {
      throw MissingInput(
        "git, which --since needs, is not installed",
        hint: "install git, or list the photos with --files-from")
    }
    guard failure == 0 else { throw Errno(rawValue: -failure) }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
    let complaint = String(decoding: try complaints.bytes(), as: UTF8.self)
    let signal = status & 0x7F
    return Result(
      code: signal == 0 ? status >> 8 & 0xFF : signal, output: try output.bytes(),
      complaint: complaint.split(whereSeparator: \.isNewline).first.map(String.init) ?? "")
  }

  /// Starts a program; `failure` is 0 or a negated error number.
  private static func spawn(
    _ command: [String], _ descriptors: [Int32]
  ) -> (process: pid_t, failure: Int32) {
    var variables = ProcessInfo.processInfo.environment
    for name in foreignVariables { variables[name] = nil }
    variables["GIT_OPTIONAL_LOCKS"] = "0"
    variables["GIT_LITERAL_PATHSPECS"] = "1"
    variables["LC_ALL"] = "C"
    var process: pid_t = 0
    let failure = unsafe withCStrings(command) { arguments in
      unsafe withCStrings(variables.map { "\($0)=\($1)" }) { environment in
        unsafe phbatch_spawn_program(
          command[0], arguments, environment, descriptors, Int32(descriptors.count), 0, &process)
      }
    }
    return (process, failure)
  }

  /// Calls `body` with an array of C strings that ends with a null pointer.
  private static func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = unsafe texts.map { unsafe strdup($0) }
    defer { for index in texts.indices { unsafe free(copies[index]) } }
    return unsafe body(copies + [nil])
  }
}

extension Git.Result {
  /// The bytes of an output that is one line, without its line end.
  var line: [UInt8] { output.last == UInt8(ascii: "\n") ? output.dropLast() : output }

  var text: String { String(decoding: line, as: UTF8.self) }

  /// The paths of an output that git wrote with the option `-z`, in which NUL bytes separate paths.
  var paths: [FilePath] {
    output.split(separator: 0).compactMap { FilePath(bytes: $0) }
  }
}
