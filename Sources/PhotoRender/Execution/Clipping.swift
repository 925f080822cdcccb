import PhotoRecipes
import Vips

/// Counts the pixels that a pipeline's calls clip while they write them.
struct Clipping: Sendable {
  /// The tallies of the calls that count, by call.
  private let tallies: [Int: Tally]
  /// The counting calls before each output; nil where pixels may be clipped uncounted.
  private let ways: [[Int]?]

  init(of pipeline: Pipeline) {
    ways = pipeline.outputs.map { pipeline.clippingCalls(before: $0.call) }
    let calls = Set(ways.compactMap(\.self).joined())
    tallies = Dictionary(uniqueKeysWithValues: calls.map { ($0, Tally()) })
  }

  /// The tally of a call; nil if it does not count.
  subscript(call: Int) -> Tally? { tallies[call] }

  /// The share, 0…1, of an output's computed pixels that were clipped; nil if it is not known.
  ///
  /// Pixels may be rounded twice on the way to an output, where it reads an image that others
  /// share: the larger share counts.
  func share(of output: Int) -> Double? {
    guard let way = ways[output] else { return nil }
    return way.compactMap { tallies[$0]?.share }.max() ?? 0
  }
}

extension Tally {
  /// The share of the written pixels; nil before there are any.
  fileprivate var share: Double? { written > 0 ? Double(clipped) / Double(written) : nil }
}

extension Pipeline {
  /// The calls before a call, itself among them, that round samples from beyond 0…1 to integers;
  /// nil where tables of a profile or a program may clip colours.
  ///
  /// Photos that are resampled as they are stored do not count: only overshoots at edges are cut
  /// off, no colours of the photo.
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
