import PhotoLibrary
import SystemPackage

/// The division of folders among shards.
///
/// A folder goes to one shard as a whole, because the photos of a folder are read together; only a
/// folder with more than 1.5 times the mean work of a shard is split, by the SHA-256 of its photos'
/// names. The largest pieces are assigned first, each to the shard with the least work so far, so
/// that the same folders give the same shards.
struct PlanPartition {
  /// A folder, or a part of one.
  struct Piece: Hashable {
    /// The index of the folder in the order of paths.
    var folder: Int
    /// The index of the part; 0 for a whole folder.
    var part = 0
    /// The number of parts of the folder; 1 for a whole folder.
    var parts = 1
    var seconds: Double
    var photos: Int
    /// The largest predicted memory of one photo in bytes.
    var memory: Int
  }

  /// The pieces of each shard, in the order of folders.
  let shards: [[Piece]]

  /// A folder is split if its work exceeds this multiple of the mean work of a shard.
  private static let largest = 1.5

  /// The number of parts into which a folder is split.
  static func parts(seconds: Double, of total: Double, shards: Int) -> Int {
    let mean = total / Double(shards)
    if shards < 2 || seconds <= largest * mean { return 1 }
    return min(shards, Int((seconds / mean).rounded(.up)))
  }

  /// The part of a split folder that contains the photo with this name.
  static func part(of name: FilePath.Component, parts: Int) -> Int {
    Int(number(of: name.bytes) % UInt64(parts))
  }

  /// The shard of a folder if there is no plan.
  static func shard(ofFolder folder: FilePath, count: Int) -> Int {
    Int(number(of: folder.bytes) % UInt64(count))
  }

  /// The first 8 bytes of the SHA-256 of some bytes, as a big-endian number.
  private static func number(of bytes: [UInt8]) -> UInt64 {
    Digest(of: bytes).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The number of shards of about 10 minutes each, 1 to 1000, for work of this many seconds.
  static func usualCount(seconds: Double) -> Int { count(seconds: seconds, each: 600) }

  /// The number of shards so that each takes about `each` seconds.
  static func count(seconds: Double, each: Double, most: Int = 1000) -> Int {
    max(1, min(most, Int((seconds / each).rounded(.up))))
  }

  /// Assigns pieces to `count` shards.
  init(_ pieces: [Piece], count: Int) {
    var shards = [[Piece]](repeating: [], count: count)
    var loads = LoadHeap(count: count)
    let order = pieces.sorted { left, right in
      left.seconds == right.seconds
        ? (left.folder, left.part) < (right.folder, right.part) : left.seconds > right.seconds
    }
    for piece in order { shards[loads.add(piece.seconds)].append(piece) }
    self.shards = shards.map { $0.sorted { ($0.folder, $0.part) < ($1.folder, $1.part) } }
  }
}

/// The work of all shards, as a binary heap that begins with the shard with the least work.
private struct LoadHeap {
  private var entries: [(load: Double, shard: Int)]

  init(count: Int) { entries = (0..<count).map { (0, $0) } }

  /// Adds work to the shard that has the least work (to the first of several), and returns the
  /// shard's index.
  mutating func add(_ seconds: Double) -> Int {
    let shard = entries[0].shard
    // Pieces without predicted work are also spread evenly.
    entries[0].load += max(seconds, 1e-6)
    var place = 0
    while true {
      let below = [2 * place + 1, 2 * place + 2].filter { $0 < entries.count }
      guard let least = below.min(by: { entries[$0] < entries[$1] }),
        entries[least] < entries[place]
      else { return shard }
      entries.swapAt(least, place)
      place = least
    }
  }
}
