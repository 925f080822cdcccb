import Synchronization
import Testing

@testable import Vips

/// A `Tee`, with which one image is computed once for several readers.
@Suite struct TeeTests {
  /// Returns a streamed image with more rows than the tee keeps.
  ///
  /// Streaming fails if a row is requested a second time.
  private static func streamed() throws -> (image: Image, pixels: [UInt8]) {
    let tall = try Image.ramp(width: 300, height: 2000)
    let file = try tall.encoded(as: "pngsave_target")
    // Uses one thread, as renders do. Other tests change the number of threads of the whole
    // process, and a loader keeps rows for the number of threads at its creation.
    let image = try Image.load(from: Source(bytes: file), ["access": .choice("sequential")])
      .setting(["concurrency": .integer(1)])
    return (image, try tall.pixels())
  }

  @Test func everyReaderReceivesAllRows() throws {
    let (image, pixels) = try Self.streamed()
    let seen = Mutex<[[UInt8]]>([])
    let failures = try image.read(by: 5) { (_: Int, rows: Image) throws(VipsError) in
      let own = try rows.pixels()
      seen.withLock { $0.append(own) }
    }
    #expect(failures == Array(repeating: nil, count: 5))
    #expect(seen.withLock { $0 } == Array(repeating: pixels, count: 5))
  }

  private static func part(_ rows: Image, top: Int, height: Int) throws(VipsError) -> Image {
    try rows.applying(
      "extract_area",
      [
        "left": .integer(10), "top": .integer(top), "width": .integer(20),
        "height": .integer(height),
      ])
  }

  @Test func readersMayReadNeighbouringRowsAndStopEarly() throws {
    let (image, _) = try Self.streamed()
    let sizes = Mutex<[Int: Int]>([:])
    let failures = try image.read(by: 4) { (number: Int, rows: Image) throws(VipsError) in
      let wanted: Image?
      switch number {
      case 0: wanted = try rows.applying("gaussblur", ["sigma": .number(6)]).inStrips()
      case 1: wanted = try Self.part(rows, top: 1500, height: 400)
      case 2: wanted = try Self.part(rows, top: 0, height: 3)
      default: wanted = nil
      }
      guard let count = try wanted?.pixels().count else { return }
      sizes.withLock { $0[number] = count }
    }
    #expect(failures.allSatisfy { $0 == nil }, "\(failures)")
    let wanted: [Int: Int] = [0: 1_800_000, 1: 24_000, 2: 180]
    let made: [Int: Int] = sizes.withLock { $0 }
    #expect(made == wanted)
  }

  @Test func theErrorOfAReaderDoesNotReachOtherReaders() throws {
    let (image, _) = try Self.streamed()
    let failures = try image.read(by: 2) { (number: Int, rows: Image) throws(VipsError) in
      if number == 1 { throw .missingArgument("a", operation: "b") }
      _ = try rows.pixels()
    }
    #expect(failures == [nil, .missingArgument("a", operation: "b")])
  }

  /// If rows are missing, all readers fail, and no reader waits forever.
  @Test func missingRowsFailAllReaders() throws {
    let file = try Image.ramp(width: 600, height: 2000).encoded(as: "pngsave_target")
    let cut = Array(file.prefix(file.count / 2))
    let image = try Image.load(
      from: Source(bytes: cut),
      ["access": .choice("sequential"), "fail-on": .choice("truncated")])
    let ended = Mutex(0)
    #expect(throws: VipsError.self) {
      try image.read(by: 3) { (_: Int, rows: Image) throws(VipsError) in
        defer { ended.withLock { $0 += 1 } }
        _ = try rows.pixels()
      }
    }
    #expect(ended.withLock { $0 } == 3)
  }

  @Test func cancellingEndsAllReaders() throws {
    let monitor = Monitor()
    let image = try Image.slow().monitored(monitor)
    #expect(throws: VipsError.cancelled) {
      try image.read(by: 2) { (number: Int, rows: Image) throws(VipsError) in
        if number == 1 { return monitor.cancel() }
        try rows.save(to: Target(), as: "jpegsave_target")
      }
    }
  }

  /// A `Tee` releases all memory when its readers have ended.
  ///
  /// The test runs in a separate process, because other tests use memory at the same time.
  @Test func aTeeReleasesItsMemoryAfterItsReadersEnd() async {
    await #expect(processExitsWith: .success) {
      try VipsRuntime.start()
      let before = VipsRuntime.usage.memory
      for _ in 0..<20 {
        let image = try Image.ramp(width: 2000, height: 400)
        _ = try image.read(by: 2) { (_: Int, rows: Image) throws(VipsError) in
          _ = try rows.pixels()
        }
      }
      #expect(VipsRuntime.usage.memory <= before + 4_000_000)
    }
  }
}
