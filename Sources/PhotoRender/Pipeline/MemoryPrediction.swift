import Foundation
import PhotoRecipes
import Vips

extension Renderer {
  /// What rendering a photo will take.
  ///
  /// Read from the header and the graph alone: filters that must see the photo are taken for doing
  /// nothing to its size.
  public func memory(
    for header: PhotoHeader, of photo: PhotoFile
  ) throws(RenderError) -> MemoryNeeds {
    let graph = try LookupTables.shared.completed(recipe.graph, files, limits)
    let planned = graph.planned(for: header.shape, recipe.rendering)
    let pipeline = try Pipeline(
      planned, header, recipe.outputs, recipe.rendering, files: files, returned: [], bakes: false)
    let views = planned.viewPixels(for: header.shape, recipe.rendering)
    let decoding = DecodingMemory(header, fileBytes: photo.size, layout: photo.layout(header))
    func prediction(spills: Bool) -> MemoryPrediction {
      MemoryPrediction(pipeline, recipe.outputs, decoding, views: views, spills: spills)
    }
    let usual = prediction(spills: false)
    let frames = frameBytes(header, pipeline)
    let named =
      try Self.fileBytes(files.values.map(\.count)) + tableBytes(graph) + namedImageBytes(graph)
    let spilled = prediction(spills: true).peak
    return MemoryNeeds(
      usual: MemoryNeeds.withGaps(usual.peak + frames + named),
      spilled: MemoryNeeds.withGaps(spilled + min(frames, MemoryPrediction.framesInFiles) + named),
      perThread: usual.perThread)
  }

  /// What the files take that a recipe names, of so many bytes: as they were read, and what their
  /// decoders keep of them.
  static func fileBytes(_ sizes: [Int]) -> Int { sizes.reduce(0) { $0 + 2 * $1 } }

  /// What the points of cubes take.
  private func tableBytes(_ graph: Graph) -> Int {
    let points = graph.nodes.reduce(0) { sum, node in
      guard case .program(let program) = node.operation else { return sum }
      return sum
        + program.instructions.reduce(0) {
          if case .cube(let cube) = $1 { $0 + cube.values.count } else { $0 }
        }
    }
    return LookupTables.bytes(numbers: points)
  }

  /// What the frames of an animation take: all of them as they are decoded, and as they are written,
  /// each twice while they are joined.
  private func frameBytes(_ header: PhotoHeader, _ pipeline: Pipeline) -> Int {
    let outputs = recipe.outputs.indices.filter { holdsFrames($0, of: header) }
    if outputs.isEmpty { return 0 }
    let frame = header.stored.pixels * header.bands * header.format.size
    let written = outputs.reduce(0) { $0 + pipeline.frame(of: pipeline.outputs[$1].call).bytes }
    return 2 * header.pages * (frame + written)
  }
}

/// The most bytes that a pipeline's images take at once.
///
/// The pipeline is carried out in passes, each of which ends where a picture is held whole or an
/// output is written. A pass takes what its calls keep of their rows; pictures that are held stay
/// until the last output that comes of them is written.
struct MemoryPrediction {
  /// Bytes of the largest pass.
  private(set) var peak = 0
  /// More for each further thread.
  private(set) var perThread = 0

  private let pipeline: Pipeline
  private let decoding: DecodingMemory
  private let spills: Bool
  /// Bytes of what programs read in every pass, such as the maps that measuring filters make.
  private let kept: Int
  /// What is held, and for how many more outputs.
  private var held: [Int: (bytes: Int, uses: Int)] = [:]

  /// Rows that libvips asks for at a time.
  private static let strip = 16
  /// Rows that kernels with wide margins compute at a time, and those kernels.
  private static let cachedRows = 128
  private static let windowed = [
    "phbatch_denoise", "phbatch_median", "phbatch_motion", "phbatch_surface", "phbatch_zoom",
  ]
  /// A picture in a temporary file is seen through windows: their bytes, for each picture.
  private static let windows = 24 << 20
  /// An animation in temporary files: the frames as decoded, the one that is made, and those that
  /// are written.
  fileprivate static let framesInFiles = 3 * windows

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

  /// Adds the passes that hold what a call reads.
  private mutating func hold(before call: Int) {
    for call in pipeline.reached(from: call).sorted() where pipeline.isHold(call) {
      guard let entry = held[call], entry.bytes == 0 else { continue }
      let bytes = heldBytes(call)
      pass(call, more: bytes + sinkRows * pipeline.frame(of: call).rowBytes)
      held[call] = (max(1, bytes), entry.uses)
    }
  }

  /// What encoding an output takes.
  private func encoding(_ output: Output, _ end: Pipeline.Output) -> Int {
    let frame = pipeline.frame(of: end.call)
    let encoding = EncodingMemory.bytes(output.format, end, row: frame.rowBytes)
    if output.budget.maxBytes == nil { return encoding }
    // The pixels are held, and each attempt is a file in memory.
    return encoding + heldBytes(end.call) + frame.bytes / 2
  }

  /// What a picture takes that is held.
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
        let rows = outputs[number].format is DeepZoomFormat ? Self.strip : sinkRows
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

  /// The calls of one pass: those before `end` up to what is held, or shared by a tee, but for it.
  private func passed(from end: Int, to start: Int? = nil) -> Set<Int> {
    pipeline.reached(from: end) { !pipeline.isHold($0) && $0 != start }
      .filter { !pipeline.isHold($0) && !pipeline.isTee($0) }
  }

  private mutating func pass(_ end: Int, more: Int) {
    var buffers = 0
    var own = more
    for call in passed(from: end) {
      if pipeline.calls[call].step.operation == Pipeline.Special.load { own += decoding.bytes }
      buffers += self.buffers(call)
    }
    add(own + kept + held.values.reduce(0) { $0 + $1.bytes }, buffers: buffers)
  }

  private mutating func add(_ bytes: Int, buffers: Int) {
    peak = max(peak, MemoryNeeds.working(pixels: decoding.pixels) + bytes + buffers)
    perThread = max(perThread, (8 << 20) + buffers)
  }

  /// What one call keeps of its rows.
  private func buffers(_ call: Int) -> Int {
    let step = pipeline.calls[call].step
    let out = pipeline.frame(of: call)
    let rows = Self.strip * out.rowBytes
    guard let input = pipeline.calls[call].inputs.first else {
      guard case .map(let map) = step.arguments["map"] else { return rows }
      return map.dependsOnFrame ? AuxiliaryImage.mostBytes : out.bytes
    }
    let source = pipeline.frame(of: input)
    switch step.operation {
    case "phbatch_resize", "phbatch_resize_planes":
      // Sums of some rows in float, where it enlarges a cache of what a group of rows shares, and one of
      // the rows that whoever reads them may come back to.
      let made = pipeline.isHold(input) ? rows : 2 * VipsRuntime.bufferedRows * out.rowBytes
      return made + 16 * out.size.width * out.bands * 4 + 48 * source.rowBytes
    case "phbatch_warp":
      let span = pipeline.isHold(input) ? 0 : Warp.rowSpan(step.arguments, in: out.size)
      return rows + (span + 256) * source.rowBytes
    case "phbatch_point": return 2 * rows
    case Pipeline.Special.draw: return rows + drawing(step, in: out)
    case Pipeline.Special.shadow: return 8 * Self.strip * out.size.width * 16 + shadow(step, out)
    case let name where name.hasPrefix("phbatch_"):
      return rows + kernel(step, source, isHeld: pipeline.isHold(input))
    default: return rows
    }
  }

  /// A kernel that looks around: a cache of the rows that it reads, and blocks of floats.
  private func kernel(
    _ step: Pipeline.Call.Step, _ source: Pipeline.Frame, isHeld: Bool
  ) -> Int {
    let lengths = step.arguments.values.map { value -> Double in
      switch value {
      case .number(let number): number
      case .integer(let number): Double(number)
      default: 0
      }
    }
    let reach = min(4 * Int((lengths.max() ?? 0).rounded(.up)) + 8, source.size.height)
    let rows = min(2 * reach + 3 * VipsRuntime.bufferedRows, source.size.height)
    let floats = source.bands * 4
    let cache = isHeld ? 0 : rows * source.rowBytes
    // Blurs each of which has half the sigma of the next keep rows of floats that are asked for
    // together, and some more; those of a lens have a weight and what is near.
    let bytes = step.operation == "phbatch_lens" ? 20 : floats
    if ["phbatch_lens", "phbatch_tilt"].contains(step.operation) {
      let blurs = max(2, Int(log2(max(1, (lengths.max() ?? 0) / 1.5)).rounded(.up)) + 1)
      let rows = 5 * VipsRuntime.bufferedRows / 2 + 3 * Self.strip
      return cache + min(blurs, 9) * rows * source.size.width * bytes
    }
    guard Self.windowed.contains(step.operation) else {
      return cache + 3 * Self.strip * source.size.width * floats
    }
    return cache + 4 * Self.cachedRows * source.size.width * floats
      + 2 * (Self.cachedRows + 2 * reach) * (512 + 2 * reach) * floats
  }

  private func drawing(_ step: Pipeline.Call.Step, in frame: Pipeline.Frame) -> Int {
    guard case .drawing(let drawing, _) = step.arguments["drawing"] else { return 0 }
    return DrawingMemory.bytes(drawing, in: frame.size)
  }

  private func shadow(_ step: Pipeline.Call.Step, _ frame: Pipeline.Frame) -> Int {
    guard case .shadow(let shadow, _) = step.arguments["shadow"] else { return 0 }
    let reach = Int((8 * shadow.lengths(for: frame.size).sigma).rounded(.up))
    return (reach + 512) * frame.size.width * 4
  }
}

/// What filters take that look at the photo, for each pixel that they see.
private enum ViewMemory {
  /// While they look: the pixels in several shapes, and planes for filtering them.
  static let seenBytes = 64
  /// Of what they make of it: maps and curves of tiles.
  static let keptBytes = 12
  /// The reduced photo that all looks share.
  static let originals = 16 << 20
}

extension Graph {
  /// The pixels that each filter looks at that waits to see the photo.
  func viewPixels(
    for photo: PhotoShape, _ rendering: Recipe.Rendering
  ) -> [Int] {
    let sizes = sizes(for: photo)
    return nodes.indices.compactMap { id in
      guard case .measured(let step) = nodes[id].operation else { return nil }
      let type = Swift.type(of: step.filter)
      if rendering == .exact && type.seesEverythingIfExact { return sizes[id].pixels }
      let scale = min(1, Double(type.viewEdge) / Double(sizes[id].longEdge))
      return Int(Double(sizes[id].pixels) * scale * scale)
    }
  }
}

extension Warp {
  /// Rows of the input that a row of the output may be made of, by the map's corners.
  fileprivate static func rowSpan(_ arguments: [String: Pipeline.Value], in size: Size) -> Int {
    guard case .numbers(let matrix) = arguments["matrix"], matrix.count == 9 else {
      return size.height
    }
    func row(_ x: Double, _ y: Double) -> Double {
      let depth = matrix[6] * x + matrix[7] * y + matrix[8]
      return (matrix[3] * x + matrix[4] * y + matrix[5]) / depth
    }
    let width = Double(size.width)
    let spans = [0, Double(size.height)].map { abs(row(width, $0) - row(0, $0)) }
    let span = spans.max() ?? 0
    return span.isFinite ? min(2 * Int(span), 2 * size.height) : 2 * size.height
  }
}
