import PhotoRecipes
import Vips

/// The most memory that a process takes while it renders one photo, as predicted from the header:
/// its proportional set size in bytes.
public struct MemoryNeeds: Sendable, Hashable {
  /// The bytes on one thread, if pictures that must be held whole are in memory.
  public var usual: Int
  /// The bytes on one thread, if such pictures are in temporary files.
  public var spilled: Int
  /// The bytes of each further thread.
  public var perThread = 0

  /// The bytes of a process that renders nothing.
  public static let idle = 32 << 20
  /// The bytes of a process that renders, without the rows and pictures that are counted: codecs,
  /// tables, threads; less for photos below 6 megapixels.
  static func working(pixels: Int) -> Int { idle + (18 << 20) * min(pixels, 6_000_000) / 6_000_000 }

  /// Adds the free space between the blocks of a heap: 10 % at most in 75 measured renderings.
  static func withGaps(_ bytes: Int) -> Int { bytes + bytes / 9 }

  public init(usual: Int, spilled: Int, perThread: Int = 0) {
    self.usual = usual
    self.spilled = spilled
    self.perThread = perThread
  }

  public func usual(threads: Int) -> Int { usual + (threads - 1) * perThread }
}

/// The most bytes that a pipeline's images take at once.
///
/// The pipeline is carried out in passes, each of which ends where a picture is held whole or an
/// output is written. A pass takes the rows that its calls keep; held pictures stay until the last
/// output that reads them is written.
struct MemoryPrediction {
  /// Bytes of the largest pass.
  private(set) var peak = 0
  /// The bytes of each further thread.
  private(set) var perThread = 0

  private let pipeline: Pipeline
  private let decoding: DecodingMemory
  private let spills: Bool
  /// Bytes that programs read in every pass, such as the maps of measuring filters.
  private let kept: Int
  /// The bytes of held images, and for how many more outputs they are held.
  private var held: [Int: (bytes: Int, uses: Int)] = [:]

  /// Bytes of the mapped windows of a picture in a temporary file.
  private static let windows = 24 << 20
  /// Bytes of an animation in temporary files: the decoded frames, the one that is made, and those
  /// that are written.
  static let framesInFiles = 3 * windows

  /// Rows of the two buffers that libvips writes from.
  private var sinkRows: Int { 2 * VipsRuntime.bufferedRows }

  init(
    _ pipeline: Pipeline, _ outputs: [Output], _ decoding: DecodingMemory, views: [Int],
    spills: Bool
  ) {
    self.pipeline = pipeline
    self.decoding = decoding
    self.spills = spills
    kept = views.reduce(0, +) * ViewMemory.keptBytes
    let looking = (views.max() ?? 0) * ViewMemory.seenBytes
    if !views.isEmpty { add(decoding.bytes + ViewMemory.originals + looking, buffers: 0) }
    let ends = zip(outputs, pipeline.outputs).sorted { $0.1.size.pixels < $1.1.size.pixels }
    for (_, end) in ends {
      for call in pipeline.reached(from: end.call) where pipeline.isHold(call) {
        held[call, default: (0, 0)].uses += 1
      }
    }
    var together: Set<String> = []
    for tee in pipeline.tees {
      share(tee, outputs)
      for case .output(let number) in tee.readers { together.insert(outputs[number].name) }
    }
    for (output, end) in ends {
      if !together.contains(output.name) {
        hold(before: end.call)
        let rows = sinkRows * pipeline.frame(of: end.call).rowBytes
        pass(end.call, more: rows + encoding(output, end))
      }
      for call in pipeline.reached(from: end.call) where pipeline.isHold(call) {
        held[call]?.uses -= 1
      }
      held = held.filter { $1.uses > 0 || $1.bytes == 0 }
    }
  }

  /// Adds the passes that hold the inputs of a call.
  private mutating func hold(before call: Int) {
    for call in pipeline.reached(from: call).sorted() where pipeline.isHold(call) {
      guard let entry = held[call], entry.bytes == 0 else { continue }
      let bytes = heldBytes(call)
      pass(call, more: bytes + sinkRows * pipeline.frame(of: call).rowBytes)
      held[call] = (max(1, bytes), entry.uses)
    }
  }

  /// The bytes that encoding an output takes.
  private func encoding(_ output: Output, _ end: Pipeline.Output) -> Int {
    let frame = pipeline.frame(of: end.call)
    let encoding = output.format.encodingBytes(end, row: frame.rowBytes)
    if output.budget.maxBytes == nil { return encoding }
    // The pixels are held, and each attempt is a file in memory.
    return encoding + heldBytes(end.call) + frame.bytes / 2
  }

  /// The bytes of a held picture.
  private func heldBytes(_ call: Int) -> Int {
    let bytes = pipeline.frame(of: call).bytes
    return spills ? min(Self.windows, bytes) : bytes
  }

  /// Adds the pass that computes a tee's image for all its readers at once.
  private mutating func share(_ tee: Tee, _ outputs: [Output]) {
    hold(before: tee.call)
    let frame = pipeline.frame(of: tee.call)
    var more = sinkRows * frame.rowBytes
    more += Image.teeBytes(row: frame.rowBytes)
    var made: [Int: Int] = [:]
    for reader in tee.readers {
      let end: Int
      switch reader {
      case .output(let number):
        end = pipeline.outputs[number].call
        let row = pipeline.frame(of: end).rowBytes
        // A pyramid's tiles are encoded where its rows are computed.
        let rows = type(of: outputs[number].format).encoded.computesStrips ? Kernel.strip : sinkRows
        more += rows * row + encoding(outputs[number], pipeline.outputs[number])
      case .hold(let hold):
        end = hold
        made[hold] = heldBytes(hold)
        more += heldBytes(hold) + sinkRows * pipeline.frame(of: hold).rowBytes
      }
      more += passed(from: end, to: tee.call).reduce(0) { $0 + buffers($1) }
    }
    pass(tee.call, more: more)
    for (hold, bytes) in made { held[hold] = (max(1, bytes), held[hold]?.uses ?? 1) }
  }

  /// The calls of one pass: those before `end`, without the held images and tees where it begins.
  private func passed(from end: Int, to start: Int? = nil) -> Set<Int> {
    pipeline.reached(from: end) { !pipeline.isHold($0) && $0 != start }
      .filter { !pipeline.isHold($0) && !pipeline.isTee($0) }
  }

  private mutating func pass(_ end: Int, more: Int) {
    var buffers = 0
    var own = more
    for call in passed(from: end) {
      if pipeline.calls[call].step.operation == .load { own += decoding.bytes }
      buffers += self.buffers(call)
    }
    add(own + kept + held.values.reduce(0) { $0 + $1.bytes }, buffers: buffers)
  }

  private mutating func add(_ bytes: Int, buffers: Int) {
    peak = max(peak, MemoryNeeds.working(pixels: decoding.pixels) + bytes + buffers)
    perThread = max(perThread, (8 << 20) + buffers)
  }

  /// The bytes that one call keeps for each thread.
  private func buffers(_ call: Int) -> Int {
    let step = pipeline.calls[call].step
    let out = pipeline.frame(of: call)
    let rows = Kernel.strip * out.rowBytes
    guard let input = pipeline.calls[call].inputs.first else {
      guard case .map(let map) = step.arguments["map"] else { return rows }
      return map.dependsOnFrame ? AuxiliaryImage.mostBytes : out.bytes
    }
    switch (step.operation, step.arguments["drawing"], step.arguments["shadow"]) {
    case (.kernel(let kernel), _, _):
      return kernel.bytes(
        step.arguments, reading: pipeline.frame(of: input), making: out,
        isHeld: pipeline.isHold(input))
    case (_, .drawing(let drawing, _), _):
      return rows + DrawingMemory.bytes(drawing, in: out.size)
    case (_, _, .shadow(let shadow, _)): return ShadowImage.bytes(shadow, in: out.size)
    default: return rows
    }
  }
}

/// The bytes a pixel that filters take which measure the photo.
private enum ViewMemory {
  /// During the measurement: the pixels in several layouts, and planes for filtering them.
  static let seenBytes = 64
  /// The results: maps and curves of tiles.
  static let keptBytes = 12
  /// The reduced photo that all measurements share.
  static let originals = 16 << 20
}

extension Graph {
  /// The number of pixels that each filter measures which waits for the photo.
  func viewPixels(
    for photo: PhotoShape, _ rendering: RenderingMode
  ) -> [Int] {
    let sizes = sizes(for: photo)
    return nodes.indices.compactMap { id in
      guard case .measured(let step) = nodes[id].operation else { return nil }
      let type = Swift.type(of: step.operation)
      if rendering == .exact && type.seesEverythingIfExact { return sizes[id].pixels }
      let scale = min(1, Double(type.viewEdge) / Double(sizes[id].longEdge))
      return Int(Double(sizes[id].pixels) * scale * scale)
    }
  }
}
