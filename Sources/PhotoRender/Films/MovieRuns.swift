/// A table of a film that stores runs of equal numbers, one number for each sample.
struct MovieRuns {
  let runs: [(count: Int, value: Int64)]

  init(_ runs: [(count: Int, value: Int64)]) { self.runs = runs }

  /// Reads entries of a count and a signed number, 4 bytes each.
  init(_ entries: [UInt8]) {
    runs = stride(from: 0, to: entries.count, by: 8).map { start in
      (
        entries.number(start, 4),
        Int64(Int32(truncatingIfNeeded: entries.number(start + 4, 4)))
      )
    }
  }

  /// The number of samples.
  var count: Int { runs.reduce(0) { $0 + $1.count } }

  var sum: Int64 { runs.reduce(0) { $0 + Int64($1.count) * $1.value } }

  /// The sum of the numbers of the first samples.
  func sum(before sample: Int) -> Int64 {
    self[0..<sample].sum
  }

  /// The last sample before which the sum of the numbers is not above `time`; the last sample for
  /// times after the end.
  func sample(at time: Int64) -> Int {
    var (sample, left) = (0, time)
    for run in runs where run.count > 0 {
      let length = Int64(run.count) * run.value
      if left < length { return sample + max(0, Int(left / max(1, run.value))) }
      sample += run.count
      left -= length
    }
    return max(0, sample - 1)
  }

  /// The numbers of a range of samples.
  subscript(samples: Range<Int>) -> MovieRuns {
    var (start, found): (Int, [(count: Int, value: Int64)]) = (0, [])
    for run in runs {
      let part = (start..<(start + run.count)).clamped(to: samples)
      if !part.isEmpty { found.append((part.count, run.value)) }
      start += run.count
    }
    return MovieRuns(found)
  }

  /// The durations of the samples in the part of their time from `first` to `end`, which lies in
  /// the first and the last sample.
  func clipped(_ first: Int64, _ end: Int64) -> MovieRuns {
    let rest = sum - end
    var runs = runs
    func shorten(_ index: Int, by time: Int64, isLast: Bool) {
      guard runs.indices.contains(index), time > 0 else { return }
      let run = runs[index]
      let part = (count: 1, value: max(0, run.value - time))
      let others = run.count > 1 ? [(count: run.count - 1, value: run.value)] : []
      runs.replaceSubrange(index...index, with: isLast ? others + [part] : [part] + others)
    }
    shorten(0, by: first, isLast: false)
    shorten(runs.count - 1, by: rest, isLast: true)
    return MovieRuns(runs)
  }
}
