import Foundation
import PhotoLibrary
import PhotoRecipes
import SystemPackage
import TestSupport
import Testing

@testable import PhotoBatch

/// Workers are replaced, so that memory leaks in codecs do not accumulate.
@Suite struct ServiceTests {
  /// The number of processes that answer `count` requests about one photo.
  private static func processes(
    _ service: WorkerProcess.Service, answers count: Int
  ) throws -> Int {
    let folder = try TemporaryFolder()
    try folder.write(try SyntheticPhoto.jpeg(width: 60, height: 40), to: "a.jpg")
    try folder.writeProgram(
      """
      #!/bin/sh
      echo start >> '\(folder["starts"].string)'
      exec '\(Command.executable)' "$@"
      """, to: "worker")
    let photo = try RealFileSystem(root: folder.path).open("a.jpg")
    let worker = WorkerProcess(executable: folder["worker"].string, service: service)
    for _ in 0..<count {
      let reply = try photo.withDescriptor { descriptor in
        try worker.ask(
          .probe(InputSettings()), descriptors: [descriptor.rawValue], time: .seconds(60))
      }
      guard case .probed(let summary) = reply else {
        Issue.record("the worker did not read the header")
        continue
      }
      #expect(summary.size.width == 60)
    }
    return try folder.read("starts").count(where: { $0 == UInt8(ascii: "\n") })
  }

  @Test func aWorkerIsReplacedAfterItsNumberOfAnswers() throws {
    #expect(try Self.processes(.init(answers: 3), answers: 7) == 3)
    #expect(try Self.processes(.init(), answers: 7) == 1)
  }

  @Test func aWorkerThatKeepsTooMuchMemoryIsReplaced() throws {
    #expect(try Self.processes(.init(bytes: 1, interval: 2), answers: 6) == 3)
    #expect(try Self.processes(.init(bytes: 1 << 40, interval: 2), answers: 6) == 1)
  }
}
