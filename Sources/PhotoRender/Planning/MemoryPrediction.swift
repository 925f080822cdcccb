import PhotoRecipes
import Vips

/// The maximum memory that a process needs to render one photo, predicted from the photo's header:
/// its proportional set size in bytes.
public struct MemoryNeeds: Sendable, Hashable {
  /// The bytes on one thread, if pictures that must be materialized are in memory.
  public var usual: Int
  /// The bytes on one thread, if pictures that must be materialized are in temporary files.
  public var spilled: Int
  /// The bytes for each additional thread.
  public var perThread = 0

  /// The bytes of a process that does not render.
  public static let idle = 32 << 20
  /// The bytes of a rendering process for codecs, tables and threads, without the rows and
  /// pictures, which are predicted separately.
  ///
  /// The value is lower for photos below 6 megapixels.
  static func working(pixels: Int) -> Int { idle + (18 << 20) * min(pixels, 6_000_000) / 6_000_000 }

  /// Adds the unused space between the blocks of the heap, which was at most 10 % of the memory in
  /// 75 measured renderings.
  static func withGaps(_ bytes: Int) -> Int { bytes + bytes / 9 }

  public init(usual: Int, spilled: Int, perThread: Int = 0) {
    self.usual = usual
    self.spilled = spilled
    self.perThread = perThread
  }

  public func usual(threads: Int) -> Int { usual + (threads - 1) * perThread }
}

/// Predicts the maximum number of bytes that a pipeline's images need at one time.
///
/// The pipeline runs in passes; each ends where a picture is materialized or an output is written.
/// A pass needs the rows that its calls buffer. Materialized pictures stay until the last output
/// that reads them is written.
struct MemoryPrediction {
  /// The bytes of the largest pass.
  private(set) var peak = 0
  /// The bytes for each additional thread.
  private(set) var perThread = 0

  private let pipeline: Pipeline
  private let decoding: DecodingMemory
  private let spills: Bool
  /// The bytes of data that programs read in every pass, such as the maps of filters that measure
  /// the photo.
  private let kept: Int
  /// The bytes of materialized images by call, and the number of outputs that still need each.
  private var held: [Int: (bytes: Int, uses: Int)] = [:]

  /// The bytes of the memory-mapped windows of a picture in a temporary file.
  private static let windows = 24 << 20
  /// The bytes of an animation in temporary files: the decoded frames, the frame that is rendered,
  /// and the frames to be written.
  static let framesInFiles = 3 * windows

  /// The number of rows in the two buffers from which libvips passes rows to an encoder.
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

  /// Adds the passes that materialize the inputs of a call.
  private mutating func hold(before call: Int) {
    for call in pipeline.reached(from: call).sorted() where pipeline.isHold(call) {
      guard let entry = held[call], entry.bytes == 0 else { continue }
      let bytes = heldBytes(call)
      pass(call, more: bytes + sinkRows * pipeline.frame(of: call).rowBytes)
      held[call] = (max(1, bytes), entry.uses)
    }
  }

  /// The bytes for encoding an output.
  private func encoding(_ output: Output, _ end: Pipeline.Output) -> Int {
    let frame = pipeline.frame(of: end.call)
    let encoding = output.format.encodingBytes(end, row: frame.rowBytes)
    if output.budget.maxBytes == nil { return encoding }
    // To find a quality that fits the budget, the pixels are materialized, and each attempt writes
    // a file in memory.
    return encoding + heldBytes(end.call) + frame.bytes / 2
  }

  /// The bytes of a materialized picture.
  private func heldBytes(_ call: Int) -> Int {
    let bytes = pipeline.frame(of: call).bytes
    return spills ? min(Self.windows, bytes) : bytes
  }

  /// Adds the pass that computes a tee's image for all its readers.
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
        // The tiles of a DeepZoom pyramid are encoded as the rows are computed, strip by strip.
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

  /// The calls of the pass that ends with `end`, without the materialized images and tees from
  /// which the pass reads.
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

  /// The bytes that one pipeline operation (call) buffers for each thread.
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

/// The bytes per pixel for filters that measure the photo.
private enum ViewMemory {
  /// Bytes per pixel during the measurement: the pixels in several layouts, and the planes for
  /// filtering them.
  static let seenBytes = 64
  /// Bytes per pixel for the results of the measurement, which are kept while the photo is
  /// rendered: maps, and tone curves of tiles.
  static let keptBytes = 12
  /// The bytes of the reduced photo that all measurements share.
  static let originals = 16 << 20
}

extension Graph {
  /// The number of pixels of the copy of the photo in which faces are detected; empty if no step
  /// needs faces.
  func facePixels(for photo: PhotoShape) -> [Int] {
    let isNeeded = nodes.contains { node in
      switch node.operation {
      case .measured(let step): step.operation.seesFaces
      case .map(let map): map.readsFaces
      case .blend(let blend): blend.mask?.readsFaces ?? false
      default: false
      }
    }
    if !isNeeded { return [] }
    let scale = Double(FaceDetector.edge) / Double(photo.upright.longEdge)
    return [Int(Double(photo.upright.pixels) * scale * scale)]
  }

  /// For each filter that still has to measure the photo, the number of pixels that it measures.
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
