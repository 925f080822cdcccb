import PhotoRecipes
import Synchronization
import Vips

/// The images inside a pipeline that the next picture of the same photo can start from.
///
/// While one setting changes, the calls before that setting's call stay the same. The image at the
/// last unchanged call is kept in memory, so that the next picture costs only the calls after it.
struct KeptImages {
  /// The maximum size in bytes of one kept image, and of all of them.
  private static let (largest, most) = (64 << 20, 120 << 20)

  /// A call with its inputs, which are given by their numbers in the previous pipeline.
  private struct Key: Hashable {
    let step: Pipeline.Call.Step
    let inputs: [Int]
    let images: [String: [Int]]
  }

  /// The calls of the previous pipeline.
  private var previous: [Key: Int] = [:]
  /// The kept images, by their calls in the previous pipeline.
  private var images: [Int: Image] = [:]

  /// Uses the images of earlier pictures in an execution, and keeps the images of the last
  /// unchanged calls before each changed call.
  ///
  /// The pipeline has one output.
  mutating func serve(_ execution: inout Execution) throws(RenderError) {
    let pipeline = execution.pipeline
    var same: [Int?] = []
    var keys: [Key: Int] = [:]
    for (number, call) in pipeline.calls.enumerated() {
      let key = Key(step: call.step, inputs: call.inputs, images: call.images)
      keys[key] = number
      same.append(Self.translated(call, same).flatMap { previous[$0] })
    }
    var kept: [Int: Image] = [:]
    for (number, known) in same.enumerated() {
      guard let image = known.flatMap({ images[$0] }) else { continue }
      kept[number] = image
      execution.place(image, at: number)
    }
    for number in Self.ends(of: same, in: pipeline) where kept[number] == nil {
      if pipeline.frame(of: number).bytes > Self.largest { continue }
      let image = try execution.kept(number)
      let pixels: Image
      do throws(VipsError) {
        pixels = try image.setting(["vips-sequential": nil]).materialized()
      } catch { throw RenderError(error) }
      kept[number] = pixels
      execution.place(pixels, at: number)
    }
    previous = keys
    images = Self.fitting(kept, pipeline)
  }

  /// The call with the numbers that its inputs had in the previous pipeline; nil if one of them is
  /// new.
  private static func translated(_ call: Pipeline.Call, _ same: [Int?]) -> Key? {
    let inputs = call.inputs.compactMap { same[$0] }
    let images = call.images.mapValues { $0.compactMap { same[$0] } }
    guard inputs.count == call.inputs.count,
      images.allSatisfy({ $1.count == call.images[$0]?.count })
    else { return nil }
    return Key(step: call.step, inputs: inputs, images: images)
  }

  /// The unchanged calls that changed calls read, except calls whose images cost nothing.
  ///
  /// For the first picture, these calls are the reductions of the photo itself.
  private static func ends(of same: [Int?], in pipeline: Pipeline) -> [Int] {
    if same.allSatisfy({ $0 == nil }) {
      return pipeline.calls.indices.filter { number in
        guard case .kernel(let kernel) = pipeline.calls[number].step.operation else { return false }
        return kernel.resamples
          && pipeline.calls[number].inputs.allSatisfy { pipeline.calls[$0].inputs.isEmpty }
      }
    }
    let changed = same.indices.filter { same[$0] == nil }
    let read = Set(changed.flatMap { pipeline.calls[$0].allInputs })
    return read.filter { number in
      guard same[number] != nil else { return false }
      switch pipeline.calls[number].step.operation {
      case .load, .map, .hold: return false
      default: return true
      }
    }.sorted()
  }

  /// The images that fit into the memory for kept images; later ones take precedence.
  private static func fitting(_ images: [Int: Image], _ pipeline: Pipeline) -> [Int: Image] {
    var left = most
    return images.sorted { $0.key > $1.key }.reduce(into: [:]) { fitting, entry in
      let bytes = pipeline.frame(of: entry.key).bytes
      if bytes > left { return }
      left -= bytes
      fitting[entry.key] = entry.value
    }
  }

  /// The maximum memory of the images of one photo in bytes.
  static let bytes = most
}

/// The kept images of one kind of picture.
final class LiveImages: Sendable {
  private let kept = Mutex(KeptImages())

  func serve(_ execution: inout Execution) throws(RenderError) {
    // The images are taken out and put back, because computing them must not hold the lock.
    var images = kept.withLock { kept in
      defer { kept = KeptImages() }
      return kept
    }
    try images.serve(&execution)
    kept.withLock { $0 = images }
  }
}
