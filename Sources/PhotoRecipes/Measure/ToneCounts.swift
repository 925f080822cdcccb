/// A histogram of tones in 65,536 steps over 0…1.
struct ToneCounts {
  private static let last = 65_535
  private var counts = [Int](repeating: 0, count: last + 1)
  private(set) var total = 0

  /// Counts tones; tones outside 0…1 are counted as 0 or 1.
  init(_ tones: some Sequence<Float>) {
    for tone in tones {
      counts[Int(min(1, max(0, tone)) * Float(Self.last) + 0.5)] += 1
      total += 1
    }
  }

  /// The tone below which the fraction `part` of all tones is, interpolated linearly; nil without
  /// tones.
  func quantile(_ part: Double) -> Double? {
    if total == 0 { return nil }
    let position = min(1, max(0, part)) * Double(total - 1)
    let lower = Int(position)
    let (low, high) = (tone(lower), tone(min(lower + 1, total - 1)))
    return low + (position - Double(lower)) * (high - low)
  }

  /// The fraction of all tones that are below `tone`.
  func part(below tone: Double) -> Double {
    let end = min(Self.last + 1, max(0, Int((tone * Double(Self.last)).rounded(.up))))
    return Double(counts[..<end].reduce(0, +)) / Double(max(1, total))
  }

  /// The tone at an index in sorted order.
  private func tone(_ rank: Int) -> Double {
    var below = 0
    let index = counts.firstIndex { count in
      below += count
      return below > rank
    }
    return Double(index ?? Self.last) / Double(Self.last)
  }

  /// The cumulative distribution of the tones at `steps` + 1 even steps over 0…1.
  ///
  /// With `limit`, each step is first limited to `limit` times its share in a flat histogram, and
  /// the excess is distributed over all steps.
  func rise(steps: Int, limit: Double? = nil) -> [Double] {
    if total == 0 { return (0...steps).map { Double($0) / Double(steps) } }
    var shares = [Double](repeating: 0, count: steps)
    for (index, count) in counts.enumerated() where count > 0 {
      shares[min(steps - 1, index * steps / Self.last)] += Double(count) / Double(total)
    }
    if let limit {
      let most = limit / Double(steps)
      let excess = shares.reduce(0) { $0 + max(0, $1 - most) }
      shares = shares.map { min($0, most) + excess / Double(steps) }
    }
    var rise = [0.0]
    for share in shares { rise.append(rise[rise.count - 1] + share) }
    rise[steps] = 1
    return rise
  }
}
