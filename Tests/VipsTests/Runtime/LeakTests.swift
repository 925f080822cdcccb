import Glibc
import TestRandom
import Testing

@testable import Vips

@Suite struct LeakTests {
  /// The resources in use, which must be the same after any number of rounds of calls.
  private struct Holdings: Equatable {
    var objects: Int
    var allocations: Int
    var files: Int
    var descriptors: Int

    static var now: Holdings {
      let usage = VipsRuntime.usage
      let descriptors = (0..<1024).filter { fcntl(Int32($0), F_GETFD) != -1 }.count
      return Holdings(
        objects: usage.objects, allocations: usage.allocations, files: usage.files,
        descriptors: descriptors)
    }

    /// The resources in use after they have not changed for half a second.
    ///
    /// The threads of libvips release their buffers shortly after their work is done.
    static func settled() -> Holdings {
      var (last, polls) = (now, 0)
      while polls < 50 {
        usleep(10_000)
        let next = now
        polls = next == last ? polls + 1 : 0
        last = next
      }
      return last
    }

    /// The resources in use once they equal `expected`, or after one minute.
    static func settled(at expected: Holdings) -> Holdings {
      for _ in 0..<6_000 where now != expected { usleep(10_000) }
      return now
    }
  }

  /// Makes calls that succeed, with each kind of argument, output and image.
  @Sendable private static func succeed(_ round: Int) throws {
    let image = try Image.ramp()
    let joined = try Image.calling("arrayjoin", ["in": .images([image, image])]).image()
    _ = try joined.applying("linear", ["a": .numbers([1, 2, 3]), "b": .numbers([0, 1, 2])])
      .applying(
        "affine", ["matrix": .numbers([1, 0, 0, 1]), "interpolate": .interpolate("bicubic")]
      )
      .applying("recomb", ["m": .image(Image(matrix: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]))])
      .pixels()
    let bytes = try image.setting([
      "note": .text("\(round)"), "xmp-data": .blob([UInt8](repeating: 1, count: 20_000)),
    ])
    .encoded(as: "jpegsave_target", ["Q": .integer(80)])
    let file = try ScratchFile(bytes)
    let loaded = try Image.load(
      from: Source(descriptor: file.descriptor), ["access": .choice("sequential")])
    _ = loaded.fieldNames.map { loaded.field($0) }
    let copy = try ScratchFile()
    try loaded.monitored(Monitor { _ in }).save(
      to: Target(descriptor: copy.descriptor), as: "pngsave_target")
    _ = try Image.load(from: Source(bytes: bytes)).pixels()
    _ = try Image.calling("jpegload_buffer", ["buffer": .blob(bytes)]).image().materialized()
    _ = try Image.calling("max", ["in": .image(image)]).number()
    _ = try Image.calling("jpegsave_buffer", ["in": .image(image)]).blob()
    _ = try Image.calling(
      "draw_line",
      [
        "image": .image(image), "ink": .numbers([1, 2, 3]), "x1": .integer(0), "y1": .integer(0),
        "x2": .integer(9), "y2": .integer(9),
      ]
    ).image("image")
  }

  /// The samples of a picture that takes a while to encode.
  private static let large = [UInt8](repeating: 90, count: 300 * 300 * 3)

  /// Makes calls that fail: before the operation is created, when it is built, during rendering,
  /// and through cancellation.
  @Sendable private static func fail() throws {
    let image = try Image.ramp()
    func expectFailure(_ line: Int = #line, _ call: () throws -> Void) {
      #expect(throws: VipsError.self, "line \(line)") { try call() }
    }
    expectFailure { _ = try image.applying("flip") }
    expectFailure { _ = try image.applying("flip", ["direction": .number(1)]) }
    expectFailure { _ = try image.applying("flip", ["direction": .choice("up")]) }
    expectFailure { _ = try image.applying("gaussblur", ["sigma": .number(.nan)]) }
    expectFailure { _ = try image.applying("bandjoin", ["in": .images([image, image])]) }
    expectFailure {
      _ = try Image.calling("arrayjoin", ["in": .images([image]), "nonsense": .flag(true)])
    }
    expectFailure {
      _ = try image.applying(
        "affine", ["matrix": .numbers([0, 0, 0, 0]), "interpolate": .interpolate("bicubic")])
    }
    expectFailure { _ = try image.applying("affine", ["interpolate": .interpolate("none")]) }
    expectFailure { _ = try Image.load(from: Source(file: "/nonexistent")) }
    expectFailure { _ = try Image.load(from: Source(bytes: [1, 2, 3])) }
    expectFailure { _ = try image.setting(["note": .text("a"), "width": .integer(1)]) }
    let bytes = try image.encoded(as: "pngsave_target")
    let cut = try Image.load(
      from: Source(bytes: Array(bytes.prefix(bytes.count / 2))), ["fail_on": .choice("error")])
    expectFailure { try cut.save(to: Target(), as: "jpegsave_target") }
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    expectFailure { try image.save(to: Target(descriptor: full), as: "pngsave_target") }
    let monitor = Monitor()
    let watched = try Image(samples: large, width: 300, height: 300, bands: 3).monitored(monitor)
      .applying("invert")
    let canceller = Thread { monitor.cancel() }
    // The render may finish before it is cancelled, so an error is optional.
    _ = try? watched.encoded(as: "pngsave_target")
    canceller.join()
    expectFailure { _ = try watched.pixels() }
  }

  /// Reads the second value in `statm`, the number of resident pages.
  private static func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 128)
    fgets(&text, 128, file)
    let numbers = String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .split(separator: " ")
    return (Int(numbers[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// After many rounds of calls, no more resources are in use than before.
  ///
  /// The rounds run in a separate process, where no other test uses resources.
  @Test func manyRoundsOfCallsLeakNoResources() async {
    await #expect(processExitsWith: .success) {
      VipsRuntime.captureWarnings()
      VipsRuntime.setConcurrency(1)
      func round(_ number: Int) throws {
        try LeakTests.succeed(number)
        try LeakTests.fail()
      }
      for number in 0..<100 { try round(number) }
      let before = Holdings.settled()
      let memory = LeakTests.residentBytes()
      let rounds = TestVolume.isWhole ? 1000 : 250
      for number in 0..<rounds { try round(number) }
      let after = Holdings.settled(at: before)
      #expect(after == before, "\(after), before \(before)")
      let growth = LeakTests.residentBytes() - memory
      #expect(growth < 10_000_000, "\(growth) bytes in \(rounds) rounds")
    }
  }

  @Test func parallelCallsDoNotInfluenceEachOther() async {
    await #expect(processExitsWith: .success) {
      VipsRuntime.captureWarnings()
      let work: @Sendable () -> Void = {
        for number in 0..<(TestVolume.isWhole ? 50 : 20) {
          #expect(throws: Never.self) {
            try LeakTests.succeed(number)
            try LeakTests.fail()
          }
        }
        VipsRuntime.trimThreads()
      }
      let first = Thread(work)
      let second = Thread(work)
      let third = Thread(work)
      first.join()
      second.join()
      third.join()
      #expect(VipsRuntime.usage.files == 0)
    }
  }
}
