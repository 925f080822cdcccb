import Foundation
import TestSupport
import Testing

@testable import PhotoBatch

/// The libraries that are loaded at the start of the command and of its workers, on which the time
/// of a run over one small photo depends.
@Suite struct WorkerStartTests {
  @Test func theCommandDoesNotLoadTheCodecLibrariesOfItsWorkers() throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: Command.executable)
    // The loader then lists the libraries, and does not run the program.
    process.environment = ["LD_TRACE_LOADED_OBJECTS": "1"]
    process.standardOutput = output
    try process.run()
    let libraries = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(libraries.contains("libglib"))
    for name in ["libvips", "libaom", "libheif", "libjxl.so"] { #expect(!libraries.contains(name)) }
  }

  /// A program that does not call `Worker.runIfAsked()` would start itself without end.
  ///
  /// The process of the tests is such a program, and so is the stub if it is started as a worker.
  @Test(arguments: [nil, Stub.executable]) func aProgramThatIsNoWorkerIsNotStartedWithoutEnd(
    executable: String?
  ) async throws {
    let place = try Library(["a.jpg"])
    var options = BatchOptions()
    options.workerExecutable = executable ?? options.workerExecutable
    let outcome = try #require(try await place.run(options).first)
    #expect(outcome.detail?.contains("cannot be a worker") == true, "\(outcome)")
    #expect(outcome.hint?.contains("Worker.runIfAsked()") == true, "\(outcome)")
  }

  /// A worker loads poppler only if it may read PDF files.
  @Test(arguments: [false, true]) func aWorkerLoadsPopplerOnlyIfItMayReadPDFFiles(
    readsPDF: Bool
  ) throws {
    let scratch = try ScratchFolder()
    let worker = try StartedWorker(
      Command.executable, WorkerSetup(scratch: scratch.path, needsFonts: readsPDF), scratch)
    // A file of the kernel has no size, so it is read until its end.
    let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(worker.process)/maps"))
    let maps = String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
    _ = worker.end()
    for name in ["libaom", "libheif", "libjxl.so"] { #expect(maps.contains(name)) }
    #expect(!maps.contains("libMagickCore") && !maps.contains("libopenslide"))
    #expect(maps.contains("libpoppler") == readsPDF)
  }
}
