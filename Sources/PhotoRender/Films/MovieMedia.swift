import FileStructure

/// The media data of a rebuilt film: the samples of all tracks that it has.
struct MovieMedia {
  let source: MovieSource
  /// A film that contains only the new picture; nil to keep the source's picture.
  let picture: MovieSource?
  /// The part of the film; nil for the whole film.
  let cut: MovieCut?
  /// The indices of the source's tracks that the new film has.
  let kept: [Int]

  /// A part of the new media data.
  enum Piece {
    /// A chunk of another track, by the indices of track and chunk.
    case copied(Int, Int, Range<Int>)
    /// Samples of the new picture.
    case frames(Range<Int>)
  }

  private var new: MovieTables? { picture.map { $0.tracks[$0.picture].tables } }

  /// The chunks of all tracks in the order of the source, with the new frames in place of the old.
  var pieces: [Piece] {
    var all: [(offset: Int, piece: Piece)] = []
    for index in kept where index != source.picture || picture == nil {
      let ranges =
        cut?.tracks[index]?.chunks.map(\.bytes) ?? source.ranges(of: source.tracks[index])
      for (chunk, range) in ranges.enumerated() {
        all.append((range.lowerBound, .copied(index, chunk, range)))
      }
    }
    guard let new else { return all.sorted { $0.offset < $1.offset }.map(\.piece) }
    let chunks =
      cut?.tracks[source.picture]?.chunks.map { ($0.bytes.lowerBound, $0.samples) }
      ?? source.tracks[source.picture].tables.chunks
    var sample = 0
    for (number, chunk) in chunks.enumerated() {
      let isLast = number == chunks.count - 1
      let end = isLast ? new.count : min(new.count, sample + chunk.1)
      if sample < end { all.append((chunk.0, .frames(sample..<end))) }
      sample = max(sample, end)
    }
    return all.sorted { $0.offset < $1.offset }.map(\.piece)
  }

  /// The number of bytes.
  func count(of piece: Piece) -> Int {
    switch piece {
    case .copied(_, _, let range): range.count
    case .frames(let samples): new?.bytes(of: samples) ?? 0
    }
  }

  /// Appends a piece to the new file; returns false if bytes cannot be read or written.
  func copy(_ piece: Piece, to target: FinishedFile) -> Bool {
    switch piece {
    case .copied(let track, 0, let range):
      let first = cut?.tracks[track]?.firstSample ?? []
      let rest = (range.lowerBound + first.count)..<range.upperBound
      return target.append(first) && copy(source.file, rest, to: target)
    case .copied(_, _, let range): return copy(source.file, range, to: target)
    case .frames(let samples):
      guard let picture, let new else { return false }
      // The new picture's samples follow one another inside each of its chunks.
      var first = 0
      for chunk in new.chunks {
        let held = first..<(first + chunk.samples)
        let wanted = held.clamped(to: samples)
        if !wanted.isEmpty {
          let start = chunk.offset + new.bytes(of: first..<wanted.lowerBound)
          let range = start..<(start + new.bytes(of: wanted))
          if !copy(picture.file, range, to: target) { return false }
        }
        first = held.upperBound
      }
      return true
    }
  }

  private func copy(_ file: ByteSource, _ range: Range<Int>, to target: FinishedFile) -> Bool {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let part = file.bytes(at: offset, min(1 << 20, range.upperBound - offset))
      if part.isEmpty || !target.append(part) { return false }
      offset += part.count
    }
    return true
  }
}
