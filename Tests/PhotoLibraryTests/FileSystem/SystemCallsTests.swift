import Glibc
import SystemCalls
import SystemPackage
import Testing

@Suite struct SystemCallsTests {
  private let bytes: [UInt8] = Array("hello".utf8)

  private func pair(_ type: __socket_type) throws -> (Int32, Int32) {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(type.rawValue), 0, &ends) == 0 else {
      throw Errno(rawValue: errno)
    }
    return (ends[0], ends[1])
  }

  private func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else { throw Errno(rawValue: errno) }
    return (ends[0], ends[1])
  }

  private func readAll(_ descriptor: Int32) throws -> String {
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += buffer[..<count]
    }
  }

  @Test(arguments: [SOCK_SEQPACKET, SOCK_STREAM])
  func aSocketMessageCarriesBytesAndUpToSixtyFourDescriptors(_ type: __socket_type) throws {
    let (left, right) = try pair(type)
    let ends = try pipe()
    let sent = [Int32](repeating: ends.writing, count: Int(phbatch_message_descriptors))
    #expect(phbatch_send(left, bytes, bytes.count, sent, sent.count) == bytes.count)

    var received = [UInt8](repeating: 0, count: 64)
    var descriptors = [Int32](repeating: -1, count: sent.count)
    var count = 0
    #expect(phbatch_receive(right, &received, received.count, &descriptors, &count) == bytes.count)
    #expect(Array(received.prefix(bytes.count)) == bytes)
    #expect(count == sent.count)
    for descriptor in descriptors { #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC) }

    close(ends.writing)
    #expect(write(descriptors[63], bytes, bytes.count) == bytes.count)
    for descriptor in descriptors { close(descriptor) }
    #expect(try readAll(ends.reading) == "hello")
    close(ends.reading)
    close(left)
    #expect(phbatch_receive(right, &received, received.count, &descriptors, &count) == 0)
    #expect(phbatch_send(right, bytes, bytes.count, nil, 0) == -Int(EPIPE))
    close(right)
  }

  @Test func aSocketMessageThatIsTooLargeClosesItsDescriptors() throws {
    let (left, right) = try pair(SOCK_SEQPACKET)
    let ends = try pipe()
    #expect(phbatch_send(left, bytes, bytes.count, [ends.writing], 1) == bytes.count)
    close(ends.writing)
    var received: [UInt8] = [0]
    var descriptors = [Int32](repeating: -1, count: Int(phbatch_message_descriptors))
    var count = 0
    #expect(phbatch_receive(right, &received, 1, &descriptors, &count) == -Int(EMSGSIZE))
    #expect(count == 0)
    #expect(fcntl(ends.reading, F_SETFL, O_NONBLOCK) == 0)
    #expect(read(ends.reading, &received, 1) == 0, "no writer is left open")
    let many = [Int32](repeating: left, count: Int(phbatch_message_descriptors) + 1)
    #expect(phbatch_send(left, bytes, bytes.count, many, many.count) == -Int(EMSGSIZE))
    for descriptor in [left, right, ends.reading] { close(descriptor) }
  }

  /// Runs a program to its end.
  ///
  /// `output` is the text that the program wrote to descriptor 3; `noise` is the text that it wrote
  /// to descriptors 1 and 2.
  private func run(_ words: [String]) throws -> (output: String, noise: String) {
    let output = try pipe()
    let noise = try pipe()
    var arguments = words.map { (word: String) in strdup(word) } + [nil]
    var environment = [strdup("LC_ALL=C"), nil]
    defer { for text in arguments + environment { free(text) } }
    var child: pid_t = 0
    let result = phbatch_spawn(
      words[0], &arguments, &environment, output.writing, noise.writing, &child)
    close(output.writing)
    close(noise.writing)
    #expect(result == 0)
    let texts = try (readAll(output.reading), readAll(noise.reading))
    var status: Int32 = -1
    #expect(waitpid(child, &status, 0) == child && status == 0)
    for descriptor in [output.reading, noise.reading] { close(descriptor) }
    return texts
  }

  @Test func aChildProcessInheritsOnlyFourDescriptors() throws {
    let crowd = try (0..<8).map { _ in dup(try pipe().reading) }
    defer { for descriptor in crowd { close(descriptor) } }
    // `ls` opens descriptor 4 itself, to read the folder; the other four are those that the child
    // process gets.
    #expect(try run(["/bin/ls", "/proc/self/fd"]).noise == "0\n1\n2\n3\n4\n")
    let texts = try run(["/bin/sh", "-c", "echo out >&3; echo noise; echo error >&2; cat"])
    #expect(texts == ("out\n", "noise\nerror\n"))
  }

  @Test func aChildProcessHasDefaultSignalHandling() throws {
    signal(SIGUSR1, SIG_IGN)
    defer { signal(SIGUSR1, SIG_DFL) }
    var blocked = sigset_t()
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGUSR2)
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let lines = try run(["/bin/grep", "-E", "SigBlk|SigIgn", "/proc/self/status"]).noise
    // glibc uses the signals 32 and 33 itself; before 2.38 it ignores them in a child process.
    let ignored = ["0000000000000000", "0000000180000000"]
    let expected = ignored.map { "SigBlk:\t0000000000000000\nSigIgn:\t\($0)\n" }
    #expect(expected.contains(lines), "\(lines)")
  }

  @Test func startingAMissingExecutableIsAnError() {
    var arguments: [UnsafeMutablePointer<CChar>?] = [nil]
    var child: pid_t = 0
    #expect(phbatch_spawn("/no/such/file", &arguments, &arguments, 2, -1, &child) == -ENOENT)
  }

  @Test func theLimitOfMallocArenasCanBeSet() {
    #expect(phbatch_limit_arenas(2) == 0)
  }
}
