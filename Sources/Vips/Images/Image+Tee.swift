import CVips
import Dispatch
import PixelKernels
import Synchronization

extension Image {
  /// The maximum number of concurrent readers of an image.
  public static let mostReaders = 64

  /// The number of bytes that `read(by:)` buffers for an image whose rows have `row` bytes.
  public static func teeBytes(row: Int) -> Int {
    ph_tee_bytes(row, Int32(VipsRuntime.bufferedRows))
  }

  /// Computes the image once for several concurrent readers, and keeps only its last rows.
  ///
  /// Each reader has its own thread and its own image, which it reads once, from top to bottom. A
  /// reader may go back by twice the number of rows that libvips buffers (64 rows if libvips uses
  /// one thread), and need not read all rows. All readers wait for the slowest.
  ///
  /// - Parameters:
  ///   - count: The number of readers, 1 to `mostReaders`.
  ///   - read: Reads the image of the reader with this number.
  /// - Returns: The error of each reader; nil for readers without an error.
  /// - Throws: The error that stopped the computation, after all readers have ended.
  public func read<Failure: Error>(
    by count: Int, _ read: @escaping @Sendable (Int, Image) throws(Failure) -> Void
  ) throws(VipsError) -> [Failure?] {
    try monitors.throwIfCancelled()
    guard let tee = ph_tee_new(UnsafeMutableRawPointer(pointer), Int32(clamping: count))
    else { throw .take("tee") }
    defer { ph_tee_release(tee) }
    var images: [Image] = []
    for number in 0..<count {
      guard let image = ph_tee_reader(tee, Int32(clamping: number)) else { throw .take("tee") }
      images.append(
        Image(owning: image.assumingMemoryBound(to: VipsImage.self), monitors: monitors))
    }
    let reading = Reading(tee: tee, images: images, read)
    let failure = ph_tee_run(tee) == 0 ? nil : VipsError.take("tee")
    if failure != nil { ph_tee_fail(tee) }
    let failures = reading.wait()
    try monitors.throwIfCancelled()
    if let failure { throw failure }
    return failures
  }
}

/// The threads that read the images of one tee, which distributes an image to several readers.
///
/// Safe to share: the tee has its own lock.
private final class Reading<Failure: Error>: @unchecked Sendable {
  private let tee: OpaquePointer
  private let images: [Image]
  private let read: @Sendable (Int, Image) throws(Failure) -> Void
  private let failures: Mutex<[Failure?]>
  private let ended = DispatchGroup()

  init(
    tee: OpaquePointer, images: [Image],
    _ read: @escaping @Sendable (Int, Image) throws(Failure) -> Void
  ) {
    self.tee = tee
    self.images = images
    self.read = read
    failures = Mutex(Array(repeating: nil, count: images.count))
    for number in images.indices {
      ended.enter()
      BlockingThread.start { self.run(number) }
    }
  }

  private func run(_ number: Int) {
    do throws(Failure) { try read(number, images[number]) } catch {
      failures.withLock { $0[number] = error }
    }
    ph_tee_leave(tee, Int32(clamping: number))
    VipsRuntime.trimThreads()
    ended.leave()
  }

  func wait() -> [Failure?] {
    ended.wait()
    return failures.withLock { $0 }
  }
}
