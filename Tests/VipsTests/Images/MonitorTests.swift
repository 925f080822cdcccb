import Glibc
import Synchronization
import Testing

@testable import Vips

@Suite struct MonitorTests {
  @Test func progressReaches100PercentAtTheEnd() throws {
    let heard = Mutex<[Monitor.Progress]>([])
    let monitor = Monitor { progress in heard.withLock { $0.append(progress) } }
    let image = try Image.slow(side: 1000).monitored(monitor)
      .applying("flip", ["direction": .choice("horizontal")])
    _ = try image.encoded(as: "pngsave_target")
    let progress = heard.withLock { $0 }
    let last = try #require(progress.last)
    #expect(last.percent == 100 && last.done == last.total && last.total == 1_000_000)
    #expect(progress.map(\.percent) == progress.map(\.percent).sorted())
  }

  /// A cancelled save does not render the rest of the image.
  @Test(arguments: ["pngsave_target", "jpegsave_target", "tiffsave_target"])
  func cancellingEndsASave(_ saver: String) throws {
    let reached = Atomic(0)
    let monitor = Monitor { reached.store($0.percent, ordering: .relaxed) }
    let image = try Image.slow().monitored(monitor)
    let canceller = Thread {
      while reached.load(ordering: .relaxed) == 0 { usleep(1000) }
      monitor.cancel()
    }
    #expect(throws: VipsError.cancelled) { try image.save(to: Target(), as: saver) }
    canceller.join()
    #expect(reached.load(ordering: .relaxed) < 100)
    #expect(monitor.isCancelled)
  }

  @Test func cancellingFromTheProgressHandlerEndsARender() throws {
    let box = Mutex<Monitor?>(nil)
    let monitor = Monitor { _ in box.withLock { $0 }?.cancel() }
    box.withLock { $0 = monitor }
    let image = try Image.slow().monitored(monitor)
    #expect(throws: VipsError.cancelled) { try image.materialized() }
    box.withLock { $0 = nil }
  }

  @Test func aCancelledMonitorStaysCancelled() throws {
    let monitor = Monitor()
    let image = try Image.ramp().monitored(monitor)
    let derived = try image.applying("invert")
    monitor.cancel()
    #expect(throws: VipsError.cancelled) { try derived.pixels() }
    #expect(throws: VipsError.cancelled) { try derived.materialized() }
    #expect(throws: VipsError.cancelled) { try derived.applying("invert") }
    #expect(throws: VipsError.cancelled) { try derived.save(to: Target(), as: "pngsave_target") }
    #expect(throws: VipsError.cancelled) {
      try Image.calling("arrayjoin", ["in": .images([Image.ramp(), derived])])
    }
    #expect(try Image.ramp().monitored(Monitor()).pixels().count == 64 * 48 * 3)
    #expect(throws: VipsError.cancelled) { try Image.ramp().monitored(monitor).pixels() }
  }

  /// A monitor also monitors a copy of its image in memory, although libvips does not link the copy
  /// to the image.
  @Test func aMonitorAlsoMonitorsACopyInMemory() throws {
    let heard = Atomic(0)
    let monitor = Monitor { _ in heard.add(1, ordering: .relaxed) }
    let image = try Image.ramp(width: 900, height: 900).monitored(monitor).materialized()
    let before = heard.load(ordering: .relaxed)
    _ = try image.applying("invert").encoded(as: "pngsave_target")
    #expect(heard.load(ordering: .relaxed) > before)
    monitor.cancel()
    #expect(throws: VipsError.cancelled) { try image.pixels() }
  }

  /// A monitor is released together with its images, because it would otherwise keep their dangling
  /// addresses.
  @Test func monitorsAreReleasedWithTheirImages() throws {
    weak var remembered: Monitor?
    func use() throws {
      let monitor = Monitor { _ in }
      remembered = monitor
      _ = try Image.ramp().monitored(monitor).materialized().encoded(as: "pngsave_target")
    }
    try use()
    #expect(remembered == nil)
  }

  /// Cancelling a monitor ends all renders of its image.
  ///
  /// libvips clears the kill flag when the first of two renders has reacted to it.
  @Test func cancellingEndsAllRendersOfAnImage() throws {
    let reached = Atomic(0)
    // libvips reports progress on the thread that renders.
    let threads = Mutex<Set<pthread_t>>([])
    let monitor = Monitor { progress in
      reached.max(progress.percent, ordering: .relaxed)
      threads.withLock { _ = $0.insert(pthread_self()) }
    }
    let image = try Image.slow().monitored(monitor)
    let render: @Sendable () -> Void = {
      #expect(throws: VipsError.cancelled) { try image.save(to: Target(), as: "pngsave_target") }
    }
    let first = Thread(render)
    let second = Thread(render)
    while threads.withLock({ $0.count < 2 }) { usleep(1000) }
    monitor.cancel()
    first.join()
    second.join()
    #expect(reached.load(ordering: .relaxed) < 100)
  }

  @Test func eachOfTwoMonitorsCanCancelARender() throws {
    for index in 0..<2 {
      let reached = Atomic(0)
      let cancelled = Mutex<Monitor?>(nil)
      // The monitor nearest to the save gets the progress; libvips reports the end of a cancelled
      // pass as 100 %.
      let nearest = Monitor { progress in
        if progress.percent < 100 { reached.store(progress.percent, ordering: .relaxed) }
        cancelled.withLock { $0 }?.cancel()
      }
      let monitors = [Monitor(), nearest]
      cancelled.withLock { $0 = monitors[index] }
      let image = try Image.slow().monitored(monitors[0]).monitored(monitors[1])
      #expect(throws: VipsError.cancelled) { try image.save(to: Target(), as: "pngsave_target") }
      #expect(reached.load(ordering: .relaxed) < 50)
      cancelled.withLock { $0 = nil }
    }
  }
}
