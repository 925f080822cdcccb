import ArgumentParser
import PhotoBatch

/// The options that limit time, memory and size for each photo and for the whole run.
struct LimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The maximum time for a photo, and also for each program that a step runs on it; it is \
      extended for each megapixel above 100, and for outputs that are slow to write, such as large \
      AVIF files.
      """,
      valueName: "seconds"))
  var timeout = 120

  @Option(
    help: ArgumentHelp(
      """
      The maximum number of pixels of a photo, of all frames of an animation, of an image that a \
      step uses, and of the result of an external program; 268 million by default, 2,200 million \
      for photos that are read row by row.
      """,
      valueName: "count"))
  var maxPixels: Int?

  @Option(
    help: ArgumentHelp(
      "The maximum number of frames of an animation; 256 by default.", valueName: "count"))
  var maxFrames: Int?

  @Option(
    help: ArgumentHelp("The maximum size of a photo's file, such as 512M or 2G.", valueName: "size")
  )
  var maxBytes: String?

  @Option(
    help: ArgumentHelp(
      "The maximum number of scans of a progressive JPEG; 500 by default.", valueName: "count"))
  var maxScans: Int?

  @Option(
    help: ArgumentHelp(
      "The maximum memory of all processes together, such as 512M or 2G; half of the free memory"
        + " by default.",
      valueName: "size"))
  var memory: String?

  func validate() throws {
    try Usage.check("--timeout", timeout, isAtLeast: 1)
    try Usage.check("--max-pixels", maxPixels, isAtLeast: 1)
    try Usage.check("--max-frames", maxFrames, isAtLeast: 1)
    try Usage.check("--max-scans", maxScans, isAtLeast: 1)
    for (option, size) in [("--max-bytes", maxBytes), ("--memory", memory)] {
      let isSize = size.map { MemoryBudget.bytes($0) != nil } ?? true
      try Usage.check(isSize, "\(option) must be a size such as 512M or 2G")
    }
  }

  /// The options of a run with these limits, and with defaults for everything else.
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
