import Notation
import PhotoLibrary
import PhotoRecipes

extension ShardPlan {
  /// The number of shards that `lines` lists individually.
  private static let listed = 20

  /// The plan as text: the totals, then each shard.
  public var lines: [String] {
    let photos = shards.reduce(0) { $0 + $1.photos }
    let hours = shards.map(\.hours).reduce(0, +) / Double(jobs)
    var lines = [
      "plan \(name): \(Self.text(photos: photos)) in"
        + " \(shards.count == 1 ? "1 shard" : "\(shards.count) shards"),"
        + " about \(Self.text(hours: hours)) in total, \(jobs) at a time in each",
      "  recipe \(recipe.displayed)", "  library \(library.displayed)",
    ]
    if let output { lines.append("  output \(output.displayed)") }
    if !header.isByFolder {
      lines.append("  every shard reads the whole library, because of a rendition's path")
    }
    for (index, shard) in shards.enumerated().prefix(Self.listed) {
      lines.append(
        "  shard \(index): \(Self.text(photos: shard.photos)),"
          + " about \(Self.text(hours: shard.hours / Double(jobs))),"
          + " \(memory(of: shard) >> 20) MB")
    }
    if shards.count > Self.listed {
      let rest = shards.dropFirst(Self.listed)
      let longest = rest.map(\.hours).max() ?? 0
      lines.append(
        "  and \(rest.count == 1 ? "1 more shard" : "\(rest.count) more shards"), at most"
          + " about \(Self.text(hours: longest / Double(jobs))) each")
    }
    return lines
  }

  private static func text(photos count: Int) -> String {
    count == 1 ? "1 photo" : "\(count) photos"
  }

  /// The plan as JSON, one shard on each line.
  public var jsonLines: [String] {
    shards.enumerated().map { index, shard in
      JSON.object([
        "plan": .string(identifier), "shard": .integer(index), "photos": .integer(shard.photos),
        "hours": .number((shard.hours / Double(jobs) * 1e6).rounded() / 1e6),
        "memory": .integer(memory(of: shard)),
      ]).compactText
    }
  }

  /// The predicted memory in bytes of a task that does the shard.
  private func memory(of shard: Shard) -> Int { jobs * shard.memory + (128 << 20) }

  private static func text(hours: Double) -> String {
    if hours >= 1 { return "\((hours * 10).rounded() / 10) h" }
    if hours >= 1.0 / 60 { return "\(Int((hours * 60).rounded())) min" }
    return "\(max(1, Int((hours * 3600).rounded()))) s"
  }
}

extension ShardPlan.Shard {
  fileprivate var hours: Double { seconds / 3600 }
}
