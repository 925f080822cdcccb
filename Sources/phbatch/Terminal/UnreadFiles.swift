import Notation
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The files whose formats a run does not read, one entry for each format.
struct UnreadFiles {
  private struct Entry {
    /// The first of the files in the order of their paths.
    var first: FilePath
    let format: String?
    let hint: String?
    var count = 1
  }

  private var entries: [Entry] = []

  mutating func add(_ outcome: AssetOutcome) {
    let index = entries.firstIndex { $0.format == outcome.detail && $0.hint == outcome.hint }
    guard let index else {
      entries.append(Entry(first: outcome.path, format: outcome.detail, hint: outcome.hint))
      return
    }
    entries[index].count += 1
    // Photos are done in any order.
    if outcome.path.string < entries[index].first.string { entries[index].first = outcome.path }
  }

  /// One line for each format with one of its files, each followed by its hint.
  ///
  /// `total` is the number of all such files of the run. Files in folders that have not changed
  /// since an earlier run are only counted; a hint then states how to list them.
  func lines(of total: Int) -> [String] {
    var lines: [String] = []
    for entry in entries.sorted(by: { $0.first.string < $1.first.string }) {
      let others = entry.count - 1
      let more = others == 0 ? "" : " and \(others.counting("other file"))"
      let format = entry.format.map { " (\($0))" } ?? ""
      let word = Reason.unsupportedFormat.rawValue
      lines.append("\(entry.first.displayed)\(more): \(word)\(format)")
      if let hint = entry.hint { lines.append("  hint: \(hint)") }
    }
    let rest = total - entries.reduce(0) { $0 + $1.count }
    if rest > 0 {
      let files = rest.counting(entries.isEmpty ? "file" : "more file")
      lines.append("hint: run --dry-run names \(files) with an unsupported format")
    }
    return lines
  }
}
