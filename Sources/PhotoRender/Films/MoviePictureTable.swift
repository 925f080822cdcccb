import FileStructure

/// The table of a picture's samples, as an `stbl` box.
///
/// The time at which each frame is shown is given. The same times, in ascending order, are the
/// times at which the frames are decoded. The offset between both times of a frame may be negative.
struct MoviePictureTable {
  let bytes: [UInt8]

  /// - Parameters:
  ///   - new: The tables of the film that contains only the new picture.
  ///   - description: The box that describes the codec.
  ///   - times: The time at which each frame is shown, ascending.
  ///   - lastDuration: The time from the last frame to the end.
  ///   - frames: The chunks: an offset in the file, and the samples there.
  ///   - isWide: True for offsets of 8 bytes.
  ///   - isQuickTime: True for QuickTime, in which the version of signed offsets is 0.
  init(
    _ new: MovieTables, _ description: [UInt8], _ times: [Int64], _ lastDuration: Int64,
    _ frames: [(offset: Int, samples: Range<Int>)], _ isWide: Bool, isQuickTime: Bool
  ) {
    func word(_ value: Int) -> [UInt8] { ByteOrder.big.bytes(value & 0xFFFF_FFFF, 4) }
    func table(_ name: String, version: Int = 0, _ width: Int, _ entries: [UInt8]) -> [UInt8] {
      Box.bytes(name, word(version << 24) + word(entries.count / width) + entries)
    }
    let first = times.first ?? 0
    // The place of each sample among the frames in the order in which they are shown.
    let order = new.times.indices.sorted { new.times[$0] < new.times[$1] }
    var shown = Array(repeating: Int64(0), count: new.count)
    for (place, sample) in order.enumerated() { shown[sample] = times[place] }
    var durations: [Int64] = []
    for index in times.indices {
      durations.append(index + 1 < times.count ? times[index + 1] - times[index] : lastDuration)
    }
    let offsets = times.indices.map { shown[$0] - (times[$0] - first) }
    var content = description
    content += table(
      "stts", 8, Self.runs(durations).flatMap { word($0.count) + word(Int($0.value)) })
    let (least, most) = (offsets.min() ?? 0, offsets.max() ?? 0)
    if least != 0 || most != 0 {
      content += table(
        "ctts", version: least < 0 && !isQuickTime ? 1 : 0, 8,
        Self.runs(offsets).flatMap { word($0.count) + word(Int($0.value)) })
      let end = (times.last ?? 0) + lastDuration
      let facts = [max(0, -least), least, most, first, end]
      content += Box.bytes("cslg", word(0) + facts.flatMap { word(Int($0)) })
    }
    if new.isSync.contains(false) {
      content += table(
        "stss", 4, new.isSync.indices.filter { new.isSync[$0] }.flatMap { word($0 + 1) })
    }
    let sizes = (0..<new.count).flatMap { word(new.bytes(of: $0..<($0 + 1))) }
    content += Box.bytes("stsz", word(0) + word(0) + word(new.count) + sizes)
    var groups: [UInt8] = []
    var last = 0
    for (index, chunk) in frames.enumerated() where chunk.samples.count != last {
      last = chunk.samples.count
      groups += word(index + 1) + word(last) + word(1)
    }
    content += table("stsc", 12, groups)
    let width = isWide ? 8 : 4
    content += table(
      isWide ? "co64" : "stco", width, frames.flatMap { ByteOrder.big.bytes($0.offset, width) })
    bytes = Box.bytes("stbl", content)
  }

  /// Runs of equal values.
  private static func runs(_ values: [Int64]) -> [(count: Int, value: Int64)] {
    var runs: [(count: Int, value: Int64)] = []
    for value in values {
      if runs.last?.value == value {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((1, value))
      }
    }
    return runs
  }
}
