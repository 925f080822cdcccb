import PhotoRecipes
import Vips

/// Counts the pixels that are clipped when the operations of a pipeline write integer samples.
struct Clipping: Sendable {
  /// The counters of clipped pixels, by the index of the pipeline operation (call).
  private let tallies: [Int: Tally]
  /// For each output, the indices of the counted operations that contribute to it; nil if pixels of
  /// the output may be clipped without being counted.
  private let ways: [[Int]?]

  init(of pipeline: Pipeline) {
    ways = pipeline.outputs.map { pipeline.clippingCalls(before: $0.call) }
    let calls = Set(ways.compactMap(\.self).joined())
    tallies = Dictionary(uniqueKeysWithValues: calls.map { ($0, Tally()) })
  }

  /// The counter of a pipeline operation; nil if its clipped pixels are not counted.
  subscript(call: Int) -> Tally? { tallies[call] }

  /// The fraction, 0…1, of an output's computed pixels that were clipped; nil if the fraction is
  /// unknown.
  ///
  /// The pixels of an output that reads a shared image may be rounded twice; the larger fraction is
  /// then returned.
  func share(of output: Int) -> Double? {
    guard let way = ways[output] else { return nil }
    return way.compactMap { tallies[$0]?.share }.max() ?? 0
  }
}

extension Tally {
  /// The fraction of the written pixels that were clipped; nil if no pixel was written.
  fileprivate var share: Double? { written > 0 ? Double(clipped) / Double(written) : nil }
}

extension Pipeline {
  /// The operations (calls) whose clipped pixels are counted for the result of the operation `end`.
  ///
  /// An operation is counted if the result depends on it (`end` included), and if it rounds samples
  /// that may be outside 0…1 to integers.
  ///
  /// Nil if tables of a profile or an external program may clip colours.
  ///
  /// Operations that resample a photo's stored integers are not counted: they clip only overshoots
  /// at edges, and no colours of the photo.
  fileprivate func clippingCalls(before end: Int) -> [Int]? {
    let way = reached(from: end)
    if sourceMayClip || way.contains(where: clipsUncounted) { return nil }
    return way.filter(clips).sorted()
  }

  private func clipsUncounted(_ call: Int) -> Bool {
    let step = calls[call].step
    return step.operation == .exportByTables || step.arguments["replacement"] != nil
  }

  private func clips(_ call: Int) -> Bool {
    let step = calls[call].step
    guard let kernel = step.operation.kernel, case .choice(let name) = step.arguments["format"],
      name != SampleFormat.float.rawValue, let input = calls[call].inputs.first
    else { return false }
    return !kernel.resamples || frame(of: input).sampleBytes == SampleFormat.float.bytes
  }
}
