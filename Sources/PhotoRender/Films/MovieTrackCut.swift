import FileStructure

/// The part of a track that is needed for a part of a film.
///
/// The samples are those that are shown, and samples before them without which they cannot be
/// decoded; a new edit list hides the others.
struct MovieTrackCut {
  struct Chunk {
    /// The range of the source's file.
    let bytes: Range<Int>
    let samples: Int
    /// The number of the description of the codec, from 1.
    let description: Int
  }

  struct Edit {
    /// The duration in the unit of the film's header.
    let duration: Int
    /// The time in the media, in the unit of the track; -1 for a time in which nothing is shown.
    let mediaTime: Int64
  }

  let chunks: [Chunk]
  let edits: [Edit]
  /// The new bytes of the first sample; nil if they stay.
  let firstSample: [UInt8]?
  /// The duration of the media in the unit of the track.
  let mediaDuration: Int64
  /// The boxes of the table, without those that describe the codec and locate the samples.
  private let tables: [UInt8]

  /// Cuts a track; nil if nothing of it is shown in the part of the film.
  ///
  /// - Parameters:
  ///   - source: The film.
  ///   - track: The index of the track.
  ///   - shown: The part of the film in seconds.
  ///   - scale: The units of the new film's header in a second.
  /// - Throws: `unfit` for a track that cannot be cut, `damaged` for tables that contradict each
  ///   other.
  init?(
    _ source: MovieSource, _ track: Int, shown: Range<Double>, scale: Int
  ) throws(MovieObstacle) {
    let track = source.tracks[track]
    let reader = try TrackReader(source, track)
    let parts = reader.edits.parts.compactMap { part -> (at: Double, media: Range<Int64>)? in
      let first = max(part.start, shown.lowerBound)
      let end = min(part.start + part.duration, shown.upperBound)
      guard first < end else { return nil }
      func media(_ time: Double) -> Int64 {
        part.mediaTime + Int64(((time - part.start) * Double(reader.scale)).rounded())
      }
      let range = media(first)..<max(media(first), media(end))
      return range.isEmpty ? nil : (first - shown.lowerBound, range)
    }
    guard let first = parts.map(\.media.lowerBound).min(),
      let end = parts.map(\.media.upperBound).max(), track.tables.count > 0
    else { return nil }
    let all = reader.samples(for: first..<end)
    let (chunks, samples) = reader.chunks(of: all)
    guard !samples.isEmpty else { return nil }
    self.chunks = chunks
    let start = reader.durations.sum(before: samples.lowerBound)
    // An edit cannot begin before the media, so the times at which samples are shown move.
    var shift = max(0, start - first)
    var durations = reader.durations[samples]
    var firstSample: [UInt8]?
    if parts.count == 1 && reader.isPlain {
      // Readers of chapters and of timed metadata ignore edit lists, so the samples themselves are
      // cut.
      durations = durations.clipped(first - start, end - start)
      shift = start - first
      firstSample = reader.timecode(in: chunks[0], after: first - start)
    }
    self.firstSample = firstSample
    var (edits, position): ([Edit], Int) = ([], 0)
    for part in parts {
      let place = Int((part.at * Double(scale)).rounded())
      let length = Double(part.media.count) / Double(reader.scale)
      let end = Int(((part.at + length) * Double(scale)).rounded())
      if place > position { edits.append(Edit(duration: place - position, mediaTime: -1)) }
      edits.append(
        Edit(
          duration: end - max(place, position),
          mediaTime: part.media.lowerBound - start + shift))
      position = end
    }
    self.edits = edits
    mediaDuration = durations.sum
    tables = reader.tables(
      of: samples, durations, shift: shift, isQuickTime: source.isQuickTime)
  }

  /// The `stbl` box with the box that describes the codec, for chunks that begin at these offsets of
  /// the new file.
  func table(_ description: [UInt8], at offsets: [Int], isWide: Bool) -> [UInt8] {
    func word(_ value: Int) -> [UInt8] { ByteOrder.big.bytes(value, 4) }
    var (groups, count): ([UInt8], Int) = ([], 0)
    for (index, chunk) in chunks.enumerated()
    where index == 0 || chunk.samples != chunks[index - 1].samples
      || chunk.description != chunks[index - 1].description
    {
      groups += word(index + 1) + word(chunk.samples) + word(chunk.description)
      count += 1
    }
    let entries = offsets.flatMap { ByteOrder.big.bytes($0, isWide ? 8 : 4) }
    return Box.bytes(
      "stbl",
      description + tables + Box.bytes("stsc", word(0) + word(count) + groups)
        + Box.bytes(isWide ? "co64" : "stco", word(0) + word(offsets.count) + entries))
  }
}

/// The tables of a track that is cut.
private struct TrackReader {
  let track: MovieSource.Track
  let scale: Int
  let edits: MovieEdits
  /// The time from each sample to the next, in the order of decoding.
  let durations: MovieRuns
  /// For each sample, the time from its decoding to its display; nil if they are equal.
  private let shifts: MovieRuns?
  /// The samples at which decoding can start, ascending; nil if decoding can start at every sample.
  private let starts: [Int]?
  private let ranges: [Range<Int>]
  private let descriptions: [Int]
  private let file: ByteSource
  private let boxes: [Box]

  init(_ source: MovieSource, _ track: MovieSource.Track) throws(MovieObstacle) {
    (self.track, file) = (track, source.file)
    guard let media = MovieSource.child("mdia", of: track.box, file),
      let scale = MovieSource.scale(of: media, "mdhd", file),
      let information = MovieSource.child("minf", of: media, file),
      let table = MovieSource.child("stbl", of: information, file)
    else { throw .damaged("a track has no header or no tables") }
    self.scale = scale
    boxes = Box.all(in: file, table.content)
    let durations = MovieRuns(try Self.entries("stts", 8, boxes, file) ?? [])
    let shifts = try Self.entries("ctts", 8, boxes, file).map { MovieRuns($0) }
    guard durations.count == track.tables.count, shifts == nil || shifts?.count == durations.count,
      durations.runs.allSatisfy({ $0.value >= 0 })
    else { throw .damaged("the tables of a track have different lengths") }
    guard shifts == nil || durations.count <= MovieTables.limit else {
      throw .damaged("a track has more samples than any film")
    }
    (self.durations, self.shifts) = (durations, shifts)
    edits = try MovieEdits(
      file, track.box, movieScale: source.scale, mediaScale: scale,
      mediaDuration: max(durations.sum, track.tables.end))
    if let full = try Self.entries("stss", 4, boxes, file) {
      let partial = try Self.entries("stps", 4, boxes, file) ?? []
      starts = Set(
        [full, partial].flatMap { entries in
          stride(from: 0, to: entries.count, by: 4).map { entries.number($0, 4) - 1 }
        }
      ).sorted()
      guard starts?.allSatisfy((0..<durations.count).contains) == true else {
        throw .damaged("the table 'stss' names samples that do not exist")
      }
    } else {
      starts = nil
    }
    ranges = source.ranges(of: track)
    descriptions = try Self.descriptions(boxes, file, chunks: track.tables.chunks.count)
  }

  private static func entries(
    _ name: String, _ width: Int, _ boxes: [Box], _ file: ByteSource
  ) throws(MovieObstacle) -> [UInt8]? {
    guard let box = boxes.first(where: { $0.name == name }) else { return nil }
    guard let count = file.number(at: box.content.lowerBound + 4, 4, .big),
      8 + count * width <= box.content.count,
      let bytes = file.whole(at: box.content.lowerBound + 8, count * width)
    else { throw .damaged("the table '\(name)' is cut off") }
    return bytes
  }

  /// The number of the description for each chunk.
  private static func descriptions(
    _ boxes: [Box], _ file: ByteSource, chunks: Int
  ) throws(MovieObstacle) -> [Int] {
    let entries = try entries("stsc", 12, boxes, file) ?? []
    var numbers: [Int] = []
    for start in stride(from: 0, to: entries.count, by: 12) {
      let next = start + 12 < entries.count ? entries.number(start + 12, 4) - 1 : chunks
      let number = entries.number(start + 8, 4)
      guard number > 0, next >= numbers.count else {
        throw .damaged("the table 'stsc' is out of order")
      }
      numbers += Array(repeating: number, count: min(next, chunks) - numbers.count)
    }
    guard numbers.count == chunks else { throw .damaged("the table 'stsc' is cut off") }
    return numbers
  }

  /// True for a track, such as chapters, whose samples are shown one after another as stored.
  var isPlain: Bool {
    shifts == nil && starts == nil && !["vide", "soun"].contains(track.handler)
  }

  /// The samples that are needed to show a range of the media.
  func samples(for media: Range<Int64>) -> Range<Int> {
    let count = track.tables.count
    guard let shifts else {
      var first = durations.sample(at: media.lowerBound)
      let end = durations.sample(at: media.upperBound - 1) + 1
      // Decoders need packets before the first one that is heard: those of AAC one, those of MP3 up
      // to nine, and those of Opus 80 ms. A sample of uncompressed sound lasts one unit.
      if track.handler == "soun" && durations.runs.contains(where: { $0.value > 1 }) {
        let early = durations.sample(at: max(0, media.lowerBound - Int64(scale) * 2 / 25))
        first = max(0, min(first - 9, early))
      }
      return (starts.flatMap { $0.last { $0 <= first } } ?? first)..<max(first, end)
    }
    var times: [Int64] = []
    times.reserveCapacity(count)
    var time: Int64 = 0
    for run in durations.runs {
      for _ in 0..<run.count {
        times.append(time)
        time += run.value
      }
    }
    var sample = 0
    for run in shifts.runs {
      for _ in 0..<run.count {
        times[sample] += run.value
        sample += 1
      }
    }
    let shown = times.indices.filter { media.contains(times[$0]) }
    guard let least = shown.first, let most = shown.last else { return 0..<0 }
    // Frames that are shown before their key frame may need the frames before it.
    let start =
      starts.map { starts in
        starts.last { $0 <= least && times[$0] <= media.lowerBound } ?? 0
      } ?? least
    return start..<(most + 1)
  }

  /// The chunks with a range of samples, and the range of the samples in them.
  ///
  /// If the bytes of a sample are not known, whole chunks are taken.
  func chunks(of samples: Range<Int>) -> ([MovieTrackCut.Chunk], Range<Int>) {
    let size = sampleSize
    var (chunks, taken): ([MovieTrackCut.Chunk], Range<Int>?) = ([], nil)
    var first = 0
    for (index, chunk) in track.tables.chunks.enumerated() {
      let held = first..<(first + chunk.samples)
      first = held.upperBound
      var part = held.clamped(to: samples)
      if part.isEmpty { continue }
      var bytes = ranges[index]
      if track.tables.uniformSize == 0 {
        let start = bytes.lowerBound + track.tables.bytes(of: held.lowerBound..<part.lowerBound)
        bytes = start..<(start + track.tables.bytes(of: part))
      } else if let size, size > 0, held.count <= bytes.count / size {
        let start = bytes.lowerBound + size * (part.lowerBound - held.lowerBound)
        bytes = start..<(start + size * part.count)
      } else {
        part = held
      }
      chunks.append(
        MovieTrackCut.Chunk(
          bytes: bytes, samples: part.count, description: descriptions[index]))
      taken = (taken?.lowerBound ?? part.lowerBound)..<part.upperBound
    }
    return (chunks, taken ?? 0..<0)
  }

  /// The bytes of each sample; nil if they differ or are not known.
  private var sampleSize: Int? {
    guard track.handler == "soun" else {
      return track.tables.uniformSize > 0 ? track.tables.uniformSize : nil
    }
    // The size of uncompressed sound follows from its description.
    let entry = Array(track.tables.description.dropFirst(16))
    let raw = ["sowt", "twos", "raw ", "lpcm", "in24", "in32", "fl32", "fl64", "NONE"]
    guard entry.count >= 36, raw.contains(String(decoding: entry[4..<8], as: UTF8.self)) else {
      return nil
    }
    switch entry.number(16, 2) {
    case 0: return entry.number(24, 2) * entry.number(26, 2) / 8
    case 1 where entry.count >= 52: return entry.number(44, 4)
    case 2 where entry.count >= 72: return entry.number(64, 4)
    default: return nil
    }
  }

  /// The first sample of a timecode track that begins a time, in the unit of the track, after the
  /// sample; nil for other tracks.
  func timecode(in chunk: MovieTrackCut.Chunk, after time: Int64) -> [UInt8]? {
    guard let timecode = MovieTimecode(track.tables.description),
      chunk.bytes.count >= MovieTimecode.sampleBytes,
      let sample = file.whole(at: chunk.bytes.lowerBound, MovieTimecode.sampleBytes)
    else { return nil }
    return timecode.sample(sample, after: Double(time) / Double(scale))
  }

  /// The boxes of the table for a range of samples, without those that describe the codec and locate
  /// the samples.
  ///
  /// `shift` is added to the times at which samples are shown.
  func tables(
    of samples: Range<Int>, _ durations: MovieRuns, shift: Int64, isQuickTime: Bool
  ) -> [UInt8] {
    func word(_ value: Int) -> [UInt8] { ByteOrder.big.bytes(value & 0xFFFF_FFFF, 4) }
    func runs(_ name: String, version: Int = 0, _ runs: MovieRuns) -> [UInt8] {
      Box.bytes(
        name,
        word(version << 24) + word(runs.runs.count)
          + runs.runs.flatMap { word($0.count) + word(Int($0.value)) })
    }
    var content = runs("stts", durations)
    if let part = shifts?[samples], shift > 0 || part.runs.contains(where: { $0.value != 0 }) {
      let moved = MovieRuns(part.runs.map { ($0.count, $0.value + shift) })
      let isSigned = moved.runs.contains { $0.value < 0 } && !isQuickTime
      content += runs("ctts", version: isSigned ? 1 : 0, moved)
    }
    for box in boxes {
      let body = file.bytes(at: box.content.lowerBound, box.content.count)
      switch box.name {
      case "stss", "stps":
        let numbers = stride(from: 8, to: body.count - 3, by: 4).map { body.number($0, 4) - 1 }
          .filter(samples.contains)
        if numbers.isEmpty && box.name == "stps" { continue }
        content += Box.bytes(
          box.name,
          word(0) + word(numbers.count) + numbers.flatMap { word($0 + 1 - samples.lowerBound) })
      case "sdtp" where body.count == 4 + track.tables.count:
        content += Box.bytes(
          "sdtp", word(0) + body[(4 + samples.lowerBound)..<(4 + samples.upperBound)])
      case "sgpd": content += file.bytes(at: box.offset, box.length)
      case "sbgp": content += groups(body, samples) ?? []
      default: continue
      }
    }
    let sizes =
      track.tables.uniformSize > 0 ? [] : samples.flatMap { word(track.tables.sizes[$0]) }
    return content
      + Box.bytes("stsz", word(0) + word(track.tables.uniformSize) + word(samples.count) + sizes)
  }

  /// A `sbgp` box, which assigns samples to groups, for a range of samples; nil if it is damaged.
  private func groups(_ body: [UInt8], _ samples: Range<Int>) -> [UInt8]? {
    let head = body.first == 1 ? 12 : 8
    guard body.count >= head + 4, body.count >= head + 4 + 8 * body.number(head, 4) else {
      return nil
    }
    let runs = MovieRuns(Array(body[(head + 4)..<(head + 4 + 8 * body.number(head, 4))]))[samples]
    let entries = runs.runs.flatMap {
      ByteOrder.big.bytes($0.count, 4) + ByteOrder.big.bytes(Int($0.value), 4)
    }
    return Box.bytes(
      "sbgp", Array(body[..<head]) + ByteOrder.big.bytes(runs.runs.count, 4) + entries)
  }
}
