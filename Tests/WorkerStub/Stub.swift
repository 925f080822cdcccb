import Foundation
import Glibc
import PhotoBatch
import SystemCalls

/// A worker that misbehaves, for tests: `stub ROLE MARK PHBATCH __worker`.
///
/// If `MARK` is a path, only the first worker misbehaves: it creates a file at this path, and later
/// workers become real workers. If `MARK` is empty, all workers misbehave. `stub probe SCRATCH`
/// runs `Probe`. Started as a worker by its own path, it is a program that does not call
/// `Worker.runIfAsked()`.
@main
enum Stub {
  static func main() {
    let words = CommandLine.arguments
    if words[1] == "probe" { return Probe.run(scratch: words[2]) }
    if words[1] == "__worker" {
      _ = LibraryEditor()
      return
    }
    let (role, mark, executable) = (words[1], words[2], words[3])
    // With the role `crash-twice`, the second worker crashes, too.
    let last = role == "crash-twice" ? mark + ".2" : mark
    if !mark.isEmpty && access(last, F_OK) == 0 { become(executable) }
    _ = receive()
    send(#"{"hello": "stub", "sandbox": {}}"#)
    _ = receive()
    if !mark.isEmpty { close(creat(access(mark, F_OK) == 0 ? last : mark, 0o600)) }
    misbehave(role, mark)
  }

  private static func misbehave(_ role: String, _ mark: String) {
    switch role {
    case "crash", "crash-twice":
      // Restores the default handler, because Swift's handler would first search for the cause of
      // the crash.
      signal(SIGSEGV, SIG_DFL)
      raise(SIGSEGV)
    case "vanish": raise(SIGKILL)
    case "leave": exit(9)
    case "hang": while true { pause() }
    case "linger":
      // If the worker is not killed within 30 s, it creates this file.
      sleep(30)
      close(creat(mark + ".outlived", 0o600))
    case "eat":
      say(bytes: 40 << 20)
      _ = receive()
      eat()
    case "claim":
      say(bytes: 1 << 50)
      let answer = receive()
      let isRefused = String(decoding: answer, as: UTF8.self).contains(#""isRefused":true"#)
      send(#"{"failed": "out-of-memory", "message": "refused: \#(isRefused)", "hint": ""}"#)
      _ = receive()
    default: exit(64)
    }
  }

  /// Reports that a photo needs this much memory, in bytes.
  private static func say(bytes: Int) {
    let needs = #"{"bytes": \#(bytes), "spilledBytes": \#(bytes), "bytesPerThread": 0}"#
    send(#"{"begun": 1, "memory": \#(needs)}"#)
  }

  /// Allocates up to 4 GB, and then sleeps for ever.
  private static func eat() {
    var blocks: [[UInt8]] = []
    while blocks.count < 4096 {
      blocks.append([UInt8](repeating: UInt8.random(in: 1...255), count: 1 << 20))
      usleep(1000)
    }
    while true {
      pause()
      print(blocks.count)
    }
  }

  private static func become(_ executable: String) -> Never {
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("phbatch"), strdup("__worker"), nil]
    execv(executable, &words)
    exit(127)
  }

  /// Reads a message; at the end of the stream the process exits, as a worker does.
  private static func receive() -> [UInt8] {
    let head = bytes(4)
    return bytes(head.reversed().reduce(0) { $0 << 8 | Int($1) })
  }

  private static func bytes(_ count: Int) -> [UInt8] {
    var all: [UInt8] = []
    while all.count < count {
      var buffer = [UInt8](repeating: 0, count: count - all.count)
      var descriptors = [Int32](repeating: -1, count: Int(phbatch_message_descriptors))
      var descriptorCount = 0
      let size = phbatch_receive(3, &buffer, buffer.count, &descriptors, &descriptorCount)
      if size <= 0 { exit(0) }
      all += buffer.prefix(size)
    }
    return all
  }

  private static func send(_ text: String) {
    let text = Array(text.utf8)
    let message = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: text.count >> $0) } + text
    _ = phbatch_send(3, message, message.count, nil, 0)
  }
}
