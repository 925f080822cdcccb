import PhotoRecipes
import Synchronization
import Vips

/// One output and the open file to which it is written.
struct OutputWriter {
  let encoder: Encoder
  let target: Int32
  /// True if pixels that are encoded more than once are kept in a temporary file.
  let spills: Bool
}

extension Execution {
  /// The number of bytes of freed memory that the process keeps for the next outputs; the rest is
  /// returned to the system.
  private static let kept = 48 << 20

  /// Writes outputs: outputs that share a large image simultaneously, the others one after the
  /// other.
  ///
  /// - Parameter writers: The writers, by the index of their output.
  /// - Returns: The result of each writer, by the index of its output.
  /// - Throws: The error of the first output that failed.
  mutating func write(_ writers: [Int: OutputWriter]) throws(RenderError) -> [Int: Encoder.Written]
  {
    var waiting = writers
    let results = Results()
    for tee in pipeline.tees {
      try run(tee, outputs: Set(writers.keys)) { (number: Int, image: Image) throws(RenderError) in
        try results.write(image, writers[number], number)
      }
      for case .output(let number) in tee.readers { waiting[number] = nil }
      VipsRuntime.releaseFreedMemory(beyond: Self.kept)
    }
    // Small outputs are written first, so that the images that they read are released before large
    // outputs are encoded.
    let order = waiting.keys.sorted {
      (pipeline.outputs[$0].size.pixels, $0) < (pipeline.outputs[$1].size.pixels, $1)
    }
    for number in order {
      let image = try image(pipeline.outputs[number].call)
      VipsRuntime.releaseFreedMemory(beyond: Self.kept)
      try results.write(image, waiting[number], number)
    }
    return results.all
  }
}

/// The results of outputs that are written on several threads.
private final class Results: Sendable {
  private let written = Mutex<[Int: Encoder.Written]>([:])

  var all: [Int: Encoder.Written] { written.withLock { $0 } }

  func write(_ image: Image, _ writer: OutputWriter?, _ number: Int) throws(RenderError) {
    guard let writer else { return }
    let result = try writer.encoder.write(image, to: writer.target, spills: writer.spills)
    written.withLock { $0[number] = result }
  }
}
