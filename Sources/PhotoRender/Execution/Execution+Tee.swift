import PhotoRecipes
import Synchronization
import Vips

extension Execution {
  /// Computes the image of a tee (an image with several readers) once, and passes its rows to all
  /// readers as they are computed.
  ///
  /// A reader is either a call that materializes an image, or an output; for an output, `write` is
  /// called with its index.
  ///
  /// - Parameters:
  ///   - tee: A tee of the pipeline.
  ///   - outputs: The indices of the outputs to write.
  ///   - write: Computes an output's pixels; called on a separate thread for each output.
  /// - Throws: The error of computing the image, or else the error of the first reader that failed.
  mutating func run(
    _ tee: Tee, outputs: Set<Int>,
    _ write: @escaping @Sendable (Int, Image) throws(RenderError) -> Void
  ) throws(RenderError) {
    let wanted = tee.readers.filter { reader in
      if case .output(let number) = reader { outputs.contains(number) } else { true }
    }
    guard let input = pipeline.calls[tee.call].inputs.first, !wanted.isEmpty else { return }
    let image = try image(input)
    let held = HeldImages()
    var readings: [TeeReading] = []
    for reader in wanted {
      let end =
        switch reader {
        case .output(let number): pipeline.outputs[number].call
        case .hold(let hold): hold
        }
      readings.append(
        TeeReading(
          reader: reader, start: tee.call, end: end, held: held, write: write,
          execution: try alone(upTo: end, from: tee.call)))
    }
    let all = readings
    let failures: [RenderError?]
    do throws(VipsError) {
      failures = try image.read(by: all.count) { (number: Int, rows: Image) throws(RenderError) in
        try all[number].read(rows)
      }
    } catch {
      throw RenderError(error)
    }
    for (call, image) in held.all { place(image, at: call) }
    if let failure = failures.compactMap(\.self).first { throw failure }
  }

  /// Creates an execution for one reader thread.
  ///
  /// The new execution contains the materialized images that the call `end` needs, except the image
  /// of `start`.
  private mutating func alone(upTo end: Int, from start: Int) throws(RenderError) -> Execution {
    var own = Execution(besides: self)
    let before = pipeline.reached(from: end) { $0 != start }
    for call in before.sorted() where call != end && pipeline.isHold(call) {
      own.place(try kept(call), at: call)
    }
    return own
  }
}

/// The work of one reader of a tee, on its own thread.
private struct TeeReading: Sendable {
  let reader: Tee.Reader
  /// The pipeline operations (calls) that create the tee's image, and the image that this reader
  /// computes.
  let start: Int
  let end: Int
  let held: HeldImages
  let write: @Sendable (Int, Image) throws(RenderError) -> Void
  let execution: Execution

  func read(_ rows: Image) throws(RenderError) {
    var own = execution
    own.place(rows, at: start)
    let made = try own.image(end)
    switch reader {
    case .output(let number): try write(number, made)
    case .hold: held.add(made, of: end)
    }
  }
}

/// The images that readers materialize, by the index of the pipeline operation (call) that creates
/// each image.
private final class HeldImages: Sendable {
  private let images = Mutex<[Int: Image]>([:])

  var all: [Int: Image] { images.withLock { $0 } }

  func add(_ image: Image, of call: Int) { images.withLock { $0[call] = image } }
}
