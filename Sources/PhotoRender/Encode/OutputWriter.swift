import PhotoRecipes
import Vips

/// One output, and the open file that it goes to.
struct OutputWriter {
  let encoder: Encoder
  let target: Int32

  func write(_ image: Image) throws(RenderError) { try encoder.write(image, to: target) }
}

extension Execution {
  /// Writes the outputs that there are writers for, by their numbers: those that share a large image
  /// at once, then one after the other.
  mutating func write(_ writers: [Int: OutputWriter]) throws(RenderError) {
    var waiting = writers
    for tee in pipeline.tees {
      try run(tee, outputs: Set(writers.keys)) { (number: Int, image: Image) throws(RenderError) in
        try writers[number]?.write(image)
      }
      for case .output(let number) in tee.readers { waiting[number] = nil }
      VipsRuntime.releaseFreedMemory()
    }
    // Small ones first: what they were made of is let go before the large ones are encoded.
    let order = waiting.keys.sorted {
      (pipeline.outputs[$0].size.pixels, $0) < (pipeline.outputs[$1].size.pixels, $1)
    }
    for number in order {
      let image = try image(pipeline.outputs[number].call)
      VipsRuntime.releaseFreedMemory()
      try waiting[number]?.write(image)
    }
  }
}
