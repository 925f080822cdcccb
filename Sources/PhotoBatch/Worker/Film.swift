import FileStructure
import Notation
import PhotoRecipes
import PhotoRender
import SystemCalls
import Vips

/// The film in a request to a worker that renders films.
struct Film {
  private let film: FilmPhoto

  /// Reads the film's header and first frame.
  init(_ codec: any FilmCodec, _ descriptor: Int32) throws(RenderError) {
    film = try FilmPhoto(descriptor, codec)
  }

  /// True if the file is a film; a film in MOV may begin with free space, by which
  /// `InputCatalog` does not detect its format.
  static func isFilm(_ descriptor: Int32) -> Bool {
    let file = ByteSource.descriptor(descriptor)
    let head = FileHead(file.bytes(at: 0, FileHead.length))
    if let format = InputCatalog.format(of: head, acceptsWeak: false) { return format.isFilm }
    let boxes = Box.all(in: file, 0..<file.count).map(\.name)
    return (boxes.first == "free" || boxes.first == "skip")
      && (boxes.contains("moov") || boxes.contains("mdat"))
  }

  func answer(
    _ request: WorkerRequest, _ descriptors: [Int32], _ channel: Channel,
    _ held: inout HeldPhotos
  ) throws(RenderError) -> WorkerReply {
    let header = film.header
    switch request {
    case .sheet, .check, .describe:
      return .described(film.lines)
    case .hold(let order, let name):
      let kept = try HeldPhoto(
        film, for: order.recipe.outputs.first,
        files: try Worker.files(order, descriptors.dropFirst()), RenderLimits(order.limits))
      held.add(kept, named: name)
      return .probed(PhotoSummary(header))
    // These requests name a photo that is kept open.
    case .show, .lacks, .drop: return .notHeld
    case .probe:
      var summary = PhotoSummary(header)
      summary.details = film.details
      return .probed(summary)
    case .explain(let order):
      let plan = try Worker.renderer(order, descriptors, channel).plan(film)
      var summary = PhotoSummary(header)
      (summary.lenses, summary.planWarnings) = (plan.lenses, plan.warnings)
      return .explained(
        summary, graph: "\(plan.graph)", pipeline: "\(plan.pipeline.withTables())", plan.memory)
    case .weigh(let order):
      let renderer = try Worker.renderer(order, descriptors, channel)
      let plan = try renderer.plan(film)
      let seconds = try renderer.seconds(of: film, plan) { $0.predictedFrameSeconds }
      return .weighed(seconds: seconds, plan.memory)
    case .preview(let order):
      let renderer = try Worker.renderer(order, descriptors, channel)
      let plan = try renderer.previewPlan(
        film.still, header, PreviewSize(longEdge: order.displayEdge))
      return try rendered(renderer, order, descriptors, plan.memory, seconds: 0, channel) {
        renderer, targets throws(RenderError) in try renderer.preview(plan, into: targets)
      }
    case .render(let order):
      let renderer = try Worker.renderer(order, descriptors, channel)
      let plan = try renderer.plan(film)
      let seconds = try renderer.seconds(of: film, plan) {
        $0.encodingSeconds + $0.frameSeconds
      }
      return try rendered(renderer, order, descriptors, plan.memory, seconds: seconds, channel) {
        renderer, targets throws(RenderError) in try renderer.render(film, plan, into: targets)
      }
    }
  }

  /// Makes the process keep the memory of a frame's buffers for the next frame; allocating the
  /// buffers from the kernel for each frame took a quarter of the time.
  static func reuseBuffers(_ isOn: Bool) {
    _ = phbatch_map_blocks_from((isOn ? 32 : 8) << 20)
    _ = phbatch_keep_freed((isOn ? 512 : 32) << 20)
  }

  /// Renders within the limits that the coordinator allows.
  private func rendered(
    _ renderer: Renderer, _ order: WorkOrder, _ descriptors: [Int32], _ needs: MemoryNeeds,
    seconds: Double, _ channel: Channel,
    _ render: (Renderer, _ targets: [String: Int32]) throws(RenderError) -> Rendering
  ) throws(RenderError) -> WorkerReply {
    let pixels = Double(film.header.size.pixels) / 1e6
    let allowance = Worker.admission(megapixels: pixels, seconds, needs, channel)
    if let refusal = allowance.refusal(
      of: needs, remedy: "make the film smaller early in the recipe")
    {
      return refusal
    }
    Worker.releaseMemory(for: needs)
    Self.reuseBuffers(true)
    defer { Self.reuseBuffers(false) }
    var renderer = renderer
    (renderer.threads, renderer.spills) = (allowance.threads, allowance.spills)
    VipsRuntime.setConcurrency(allowance.threads)
    defer { VipsRuntime.setConcurrency(1) }
    let targets = Dictionary(
      zip(order.targets, descriptors.dropFirst(order.firstTarget))
    ) { first, _ in first }
    renderer.filmRecords = Dictionary(
      zip(order.records, descriptors.dropFirst(order.firstTarget + order.targets.count))
    ) { first, _ in first }
    let rendering = try render(renderer, targets)
    return .rendered(
      PhotoSummary(rendering.header), rendering.renditions,
      warnings: Worker.distinct(rendering.warnings + rendering.libraryWarnings), look: nil)
  }
}

extension FilmPhoto {
  /// The film's facts that conditions of recipes test, numbers with three decimals; unknown ones are
  /// nil.
  fileprivate var details: PhotoDetails {
    var details = PhotoDetails()
    func known(_ number: Double) -> Double? { number > 0 ? (1000 * number).rounded() / 1000 : nil }
    (details.duration, details.frameRate) = (known(facts.seconds), known(facts.rate))
    details.codec = facts.codec
    return details
  }

  /// The facts of the film in words.
  fileprivate var lines: [String] {
    let coding = facts.coding
    let rate = facts.rate > 0 ? ", \((facts.rate * 100).rounded() / 100) frames per second" : ""
    return [
      "a film: \(facts.codec), \(header.size) pixels upright, \(coding.bits) bits",
      "\(facts.frames) frames, \((facts.seconds * 100).rounded() / 100) s\(rate)",
      "colours: matrix \(coding.matrix), primaries \(coding.primaries), transfer"
        + " \(coding.transfer) of H.273, \(coding.isFullRange ? "full" : "limited") range",
    ]
  }
}
