import PhotoRecipes
import Vips

/// How many pixels a pipeline's calls clip, counted while they write them.
struct Clipping: Sendable {
  /// Of the calls that count, by their numbers.
  private let tallies: [Int: Tally]
  /// Those on each output's way; nil where pixels may be clipped uncounted.
  private let ways: [[Int]?]

  init(of pipeline: Pipeline) {
    ways = pipeline.outputs.map { pipeline.clippingCalls(before: $0.call) }
    let calls = Set(ways.compactMap(\.self).joined())
    tallies = Dictionary(uniqueKeysWithValues: calls.map { ($0, Tally()) })
  }

  /// What a call counts in.
  subscript(call: Int) -> Tally? { tallies[call] }

  /// The share, 0…1, of an output's pixels that were clipped, as far as they are computed; nil where
  /// that is not known.
  ///
  /// An output's way may have been rounded twice, where it starts from an image that others share: the
  /// larger share counts, each being one of all pixels there.
  func share(of output: Int) -> Double? {
    guard let way = ways[output] else { return nil }
    return way.compactMap { tallies[$0]?.share }.max() ?? 0
  }
}

extension Tally {
  /// Of the pixels written; nil before there are any.
  fileprivate var share: Double? { written > 0 ? Double(clipped) / Double(written) : nil }
}

extension Pipeline {
  /// The calls on the way to a call, itself among them, that round samples from beyond 0…1 to
  /// integers; nil where something else may clip colours: tables of a profile, a program.
  ///
  /// Photos that are resampled as they are stored do not count: what that cuts off are rims of edges,
  /// no colours of the photo.
  fileprivate func clippingCalls(before end: Int) -> [Int]? {
    let way = reached(from: end)
    if sourceMayClip || way.contains(where: clipsUncounted) { return nil }
    return way.filter(clips).sorted()
  }

  private func clipsUncounted(_ call: Int) -> Bool {
    calls[call].step.operation == Special.export || calls[call].step.arguments["replacement"] != nil
  }

  private func clips(_ call: Int) -> Bool {
    let step = calls[call].step
    guard step.operation.hasPrefix("phbatch_"), case .choice(let name) = step.arguments["format"],
      name != SampleFormat.float.rawValue, let input = calls[call].inputs.first
    else { return false }
    let isResampler = ["phbatch_resize", "phbatch_resize_planes", "phbatch_warp"].contains(
      step.operation)
    return !isResampler || frame(of: input).sampleBytes == SampleFormat.float.bytes
  }
}
