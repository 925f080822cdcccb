import FileStructure

/// The reason why a film's container cannot be rebuilt around a new picture.
enum MovieObstacle: Error, Hashable {
  /// The container is of another kind, such as a fragmented film; it must be written anew.
  case unfit(String)
  case damaged(String)
}

/// The tables of one track in a container of the ISO base media format.
///
/// - Source: ISO/IEC 14496-12:2022, 8.6 and 8.7.
struct MovieTables {
  /// The maximum number of entries of a table.
  static let limit = 20_000_000

  /// The bytes of each sample, in the order of decoding; empty if all have `uniformSize`.
  private(set) var sizes: [Int] = []
  /// The bytes of each sample if all are equal; 0 if they differ.
  private(set) var uniformSize = 0
  /// The number of samples.
  private(set) var count = 0
  /// The offset of each chunk in the file, and its number of samples.
  private(set) var chunks: [(offset: Int, samples: Int)] = []
  /// For each sample, in the order of decoding, the time at which it is shown.
  private(set) var times: [Int64] = []
  /// The time from the last decoded sample to the end.
  private(set) var lastDuration: Int64 = 0
  /// True for each sample at which decoding can start; empty if decoding can start at every sample.
  private(set) var isSync: [Bool] = []
  /// The whole box that describes the codec.
  private(set) var description: [UInt8] = []

  /// Reads the tables in a `stbl` box; with `timed`, also the times and the sync samples.
  init(_ file: ByteSource, _ box: Box, timed: Bool) throws(MovieObstacle) {
    let boxes = Box.all(in: file, box.content)
    func entries(_ name: String, _ width: Int) throws(MovieObstacle) -> [UInt8]? {
      guard let box = boxes.first(where: { $0.name == name }) else { return nil }
      guard let count = file.number(at: box.content.lowerBound + 4, 4, .big), count <= Self.limit,
        let bytes = file.whole(at: box.content.lowerBound + 8, count * width),
        8 + count * width <= box.content.count
      else { throw .damaged("the table '\(name)' is cut off") }
      return bytes
    }
    guard let codec = boxes.first(where: { $0.name == "stsd" }),
      let bytes = file.whole(at: codec.offset, codec.length, limit: 1 << 24)
    else { throw .damaged("a track has no description") }
    description = bytes
    try readSizes(file, boxes)
    let narrow = try entries("stco", 4)
    let offsets: [Int] =
      if let narrow {
        stride(from: 0, to: narrow.count, by: 4).map { narrow.number($0, 4) }
      } else if let wide = try entries("co64", 8) {
        stride(from: 0, to: wide.count, by: 8).map { wide.number($0, 8) }
      } else {
        []
      }
    try readChunks(offsets, entries("stsc", 12) ?? [])
    if timed {
      try readTimes(entries("stts", 8) ?? [], entries("ctts", 8))
      if let sync = try entries("stss", 4) {
        isSync = Array(repeating: false, count: count)
        for start in stride(from: 0, to: sync.count, by: 4) {
          let number = sync.number(start, 4) - 1
          guard isSync.indices.contains(number) else {
            throw .damaged("the table 'stss' names a sample that does not exist")
          }
          isSync[number] = true
        }
      }
    }
  }

  private mutating func readSizes(_ file: ByteSource, _ boxes: [Box]) throws(MovieObstacle) {
    guard let box = boxes.first(where: { $0.name == "stsz" }),
      let uniform = file.number(at: box.content.lowerBound + 4, 4, .big),
      let number = file.number(at: box.content.lowerBound + 8, 4, .big)
    else { throw .unfit("a track has no table 'stsz'") }
    uniformSize = uniform
    count = number
    let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: uniform)
    guard !isTooLarge, bytes < 1 << 53 else {
      throw .damaged("the table 'stsz' lists more bytes than any film has")
    }
    if uniform > 0 { return }
    guard number <= Self.limit,
      let bytes = file.whole(at: box.content.lowerBound + 12, 4 * number),
      12 + 4 * number <= box.content.count
    else { throw .damaged("the table 'stsz' is cut off") }
    sizes = stride(from: 0, to: bytes.count, by: 4).map { bytes.number($0, 4) }
  }

  private mutating func readChunks(
    _ offsets: [Int], _ runs: [UInt8]
  ) throws(MovieObstacle) {
    var left = count
    let starts = stride(from: 0, to: runs.count, by: 12)
    for (index, start) in starts.enumerated() {
      let first = runs.number(start, 4) - 1
      let samples = runs.number(start + 4, 4)
      let next = index + 1 < starts.underestimatedCount ? runs.number(start + 12, 4) - 1 : nil
      let end = min(next ?? offsets.count, offsets.count)
      guard first == chunks.count, first <= end else {
        throw .damaged("the table 'stsc' is out of order")
      }
      for chunk in first..<end {
        let held = min(samples, left)
        chunks.append((offsets[chunk], held))
        left -= held
      }
    }
    if left > 0 { throw .damaged("the tables list more samples than the chunks contain") }
  }

  private mutating func readTimes(
    _ durations: [UInt8], _ shifts: [UInt8]?
  ) throws(MovieObstacle) {
    guard count <= Self.limit else { throw .damaged("a track has more samples than any film") }
    times.reserveCapacity(count)
    var time: Int64 = 0
    for start in stride(from: 0, to: durations.count, by: 8) {
      let duration = Int64(durations.number(start + 4, 4))
      for _ in 0..<min(durations.number(start, 4), count - times.count) {
        times.append(time)
        time += duration
      }
      lastDuration = duration
    }
    guard times.count == count else { throw .damaged("the table 'stts' names too few samples") }
    guard let shifts else { return }
    var sample = 0
    for start in stride(from: 0, to: shifts.count, by: 8) {
      // QuickTime's offsets are signed in version 0 as well.
      let shift = Int64(Int32(truncatingIfNeeded: shifts.number(start + 4, 4)))
      for _ in 0..<min(shifts.number(start, 4), count - sample) {
        times[sample] += shift
        sample += 1
      }
    }
  }

  /// The time at which the last sample ends that is shown; 0 for a track whose times are not read.
  var end: Int64 { times.max().map { $0 + lastDuration } ?? 0 }

  /// The bytes of a range of samples.
  func bytes(of samples: Range<Int>) -> Int {
    uniformSize > 0 ? uniformSize * samples.count : sizes[samples].reduce(0, +)
  }
}

extension [UInt8] {
  /// The big-endian number of `width` bytes at an index inside the array.
  func number(_ index: Int, _ width: Int) -> Int {
    self[index..<(index + width)].reduce(0) { $0 << 8 | Int($1) }
  }
}
