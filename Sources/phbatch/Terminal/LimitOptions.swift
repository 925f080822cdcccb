import ArgumentParser
import PhotoBatch

/// The options for the limits of each photo and of all photos together.
struct LimitOptions: ParsableArguments {
  @Option(
    help: """
      The maximum time for a photo, and also for each program that a step runs on it; it is \
      extended for each megapixel above 100, and for outputs that are slow to write, such as large \
      AVIF files.
      """)
  var timeout = 120

  @Option(
    help: """
      The maximum number of pixels of a photo, of all frames of an animation, of an image that a \
      step uses, and of the result of an external program; 268 million by default, 2,200 million \
      for photos that are read row by row.
      """)
  var maxPixels: Int?

  @Option(help: "The maximum number of frames of an animation; 256 by default.")
  var maxFrames: Int?

  @Option(
    help: ArgumentHelp("The maximum size of a photo's file, such as 512M or 2G.", valueName: "size")
  )
  var maxBytes: String?

  @Option(help: "The maximum number of scans of a progressive JPEG; 500 by default.")
  var maxScans: Int?

  @Option(
    help: ArgumentHelp(
      "The maximum memory of all processes together, such as 512M or 2G; half of the free memory"
        + " by default.",
      valueName: "size"))
  var memory: String?

  func validate() throws {
    if timeout < 1 { throw ValidationError("--timeout must be at least 1") }
    if let maxPixels, maxPixels < 1 { throw ValidationError("--max-pixels must be at least 1") }
    if let maxFrames, maxFrames < 1 { throw ValidationError("--max-frames must be at least 1") }
    if let maxScans, maxScans < 1 { throw ValidationError("--max-scans must be at least 1") }
    if let maxBytes, MemoryBudget.bytes(maxBytes) == nil {
      throw ValidationError("--max-bytes must be a size such as 512M or 2G")
    }
    if let memory, MemoryBudget.bytes(memory) == nil {
      throw ValidationError("--memory must be a size such as 512M or 2G")
    }
  }

  /// The default options with these limits.
  var options: BatchOptions {
    var options = BatchOptions()
    apply(to: &options)
    return options
  }

  func apply(to options: inout BatchOptions) {
    options.timeout = .seconds(timeout)
    options.pixelLimit = maxPixels
    options.frameLimit = maxFrames
    options.byteLimit = maxBytes.flatMap { MemoryBudget.bytes($0) }
    options.scanLimit = maxScans
    options.memory = memory.flatMap { MemoryBudget.bytes($0) }
  }
}
