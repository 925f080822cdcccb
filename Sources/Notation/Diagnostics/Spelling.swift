/// Finds the name that a user most likely meant.
public enum Spelling {
  private static let longestName = 80

  /// The known name that differs only in case from `name`; otherwise the known name of the thing
  /// that other programs call `name`; otherwise the most similar known name.
  ///
  /// Nil if no known name is similar enough.
  public static func nearest(to name: String, among known: [String]) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars)
    if wanted.count > longestName { return nil }
    if let same = known.first(where: { $0.lowercased() == name.lowercased() }) { return same }
    if let meant = Synonym.meaning(of: name, among: known) { return meant }
    let rated = known.map { candidate in
      (candidate, distance(wanted, Array(candidate.lowercased().unicodeScalars)))
    }
    guard let best = rated.min(by: { ($0.1, $0.0) < ($1.1, $1.0) }) else { return nil }
    return best.1 <= max(1, wanted.count / 3) ? best.0 : nil
  }

  /// The number of insertions, deletions, substitutions and swaps of neighbours that change `a` to
  /// `b`: the optimal string alignment distance.
  static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        let substituted = last[j] + (a[i] == b[j] ? 0 : 1)
        var best = min(substituted, last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
        row.append(best)
      }
      before = last
      last = row
    }
    return last[b.count]
  }
}
