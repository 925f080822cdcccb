import FileStructure

/// A part of a film in a container of the ISO base media format.
struct MovieCut {
  /// The times of the picture's media that are shown, in the unit of its track; the first is that
  /// of a frame.
  let shown: Range<Int64>
  /// The units of the new film's header in a second.
  let scale: Int
  /// The parts of the tracks, by their index; tracks of which nothing is shown are missing.
  let tracks: [Int: MovieTrackCut]
  /// The start and the end of the part in seconds from the film's start.
  let seconds: Range<Double>

  /// - Throws: `unfit` if the film cannot be cut at this range inside its container.
  init(_ source: MovieSource, _ span: FilmSpan) throws(MovieObstacle) {
    let film = source.tracks[source.picture]
    guard let media = MovieSource.child("mdia", of: film.box, source.file),
      let scale = MovieSource.scale(of: media, "mdhd", source.file)
    else { throw .damaged("a track has no header or no tables") }
    let edits = try MovieEdits(
      source.file, film.box, movieScale: source.scale, mediaScale: scale,
      mediaDuration: film.tables.end)
    guard let part = edits.parts.first, edits.parts.count == 1 else {
      throw .unfit("the picture's track consists of several parts")
    }
    let partEnd = part.mediaTime + Int64((part.duration * Double(scale)).rounded())
    let times = film.tables.times.filter { $0 >= part.mediaTime && $0 < partEnd }.sorted()
    func frame(at seconds: Double) -> Int64? {
      let ticks = seconds * Double(scale)
      guard let start = times.first, ticks < 4e18 else { return nil }
      let wanted = start + Int64((ticks - 1e-6).rounded(.up))
      return times.first { $0 >= wanted }
    }
    guard let first = frame(at: span.from) else { throw .unfit("the film has no such frame") }
    let end = span.to.flatMap(frame) ?? partEnd
    guard first < end else { throw .unfit("the film has no such frame") }
    shown = first..<end
    // With the unit of the picture, the part begins and ends exactly at a frame.
    self.scale = scale
    func seconds(_ time: Int64) -> Double {
      part.start + Double(time - part.mediaTime) / Double(scale)
    }
    self.seconds = seconds(first)..<seconds(end)
    var tracks: [Int: MovieTrackCut] = [:]
    for index in source.tracks.indices {
      tracks[index] = try MovieTrackCut(source, index, shown: self.seconds, scale: scale)
    }
    guard tracks[source.picture] != nil else { throw .unfit("the film has no such frame") }
    guard end - first < Int64(UInt32.max) else { throw .unfit("the film is too long") }
    self.tracks = tracks
  }

  /// The duration in the unit of the new film's header.
  var duration: Int { Int(shown.upperBound - shown.lowerBound) }
}
