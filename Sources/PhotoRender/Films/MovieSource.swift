import FileStructure

/// A film in a container of the ISO base media format whose picture can be replaced.
///
/// - Source: ISO/IEC 14496-12:2022; Apple, "QuickTime File Format", 2001.
struct MovieSource {
  /// The maximum number of bytes of the box that describes the film.
  private static let longestHeader = 1 << 28

  struct Track {
    let box: Box
    let number: Int
    /// The kind of the track: `vide`, `soun`, `meta` and others.
    let handler: String
    let tables: MovieTables

    /// True for timed metadata that describe each frame of a Live Photo before the edit, which
    /// Apple's Photos leaves out of edited films, too.
    var describesFrames: Bool {
      tables.description.contains(Array("com.apple.quicktime.live-photo-info".utf8))
    }
  }

  let file: ByteSource
  /// The boxes of the file.
  let top: [Box]
  let movie: Box
  let tracks: [Track]
  /// The index of the picture's track in `tracks`.
  let picture: Int
  /// True for a QuickTime file, a variant of the format.
  let isQuickTime: Bool
  /// The units of the film's header in a second.
  let scale: Int

  /// Reads the film's tables.
  ///
  /// - Parameters:
  ///   - file: The film.
  ///   - number: The number of the picture's track.
  /// - Throws: `MovieObstacle` for a container that is damaged or of another kind.
  init(_ file: ByteSource, picture number: Int) throws(MovieObstacle) {
    self.file = file
    top = Box.all(in: file, 0..<file.count)
    guard let movie = top.first(where: { $0.name == "moov" }) else {
      throw .unfit("the file is not in the ISO base media format")
    }
    if top.contains(where: { $0.name == "moof" }) { throw .unfit("the file is fragmented") }
    guard movie.length <= Self.longestHeader else { throw .damaged("the header is too long") }
    self.movie = movie
    let brand = top.first { $0.name == "ftyp" }.flatMap { file.whole(at: $0.offset + 8, 4) }
    isQuickTime = brand.map { $0 == Array("qt  ".utf8) } ?? true
    let children = Box.all(in: file, movie.content)
    scale = Self.scale(of: movie, "mvhd", file) ?? 1
    if children.contains(where: { ["cmov", "mvex"].contains($0.name) }) {
      throw .unfit("the header is compressed or fragmented")
    }
    var tracks: [Track] = []
    for box in children where box.name == "trak" {
      if let track = try Self.track(file, box, picture: number) { tracks.append(track) }
    }
    guard let picture = tracks.firstIndex(where: { $0.number == number && $0.handler == "vide" })
    else { throw .unfit("the video track is not found") }
    self.tracks = tracks
    self.picture = picture
    try check()
  }

  private static func track(
    _ file: ByteSource, _ box: Box, picture: Int
  ) throws(MovieObstacle) -> Track? {
    guard let header = child("tkhd", of: box, file),
      let version = file.number(at: header.content.lowerBound, 1, .big),
      let number = file.number(
        at: header.content.lowerBound + (version == 1 ? 20 : 12), 4, .big),
      let media = child("mdia", of: box, file), let kind = child("hdlr", of: media, file),
      let handler = file.whole(at: kind.content.lowerBound + 8, 4),
      let information = child("minf", of: media, file),
      let table = child("stbl", of: information, file)
    else { throw .damaged("a track has no header or no tables") }
    let tables = try MovieTables(file, table, timed: number == picture)
    let codec = tables.description.dropFirst(20).prefix(4)
    if ["encv", "enca", "drms", "drmi"].contains(where: { codec.elementsEqual($0.utf8) }) {
      throw .unfit("the file is encrypted")
    }
    if let references = child("dinf", of: information, file).flatMap({ child("dref", of: $0, file) }
    ),
      let flags = file.number(at: references.content.lowerBound + 16, 4, .big), flags & 1 == 0
    {
      throw .unfit("the file refers to other files")
    }
    return Track(
      box: box, number: number, handler: String(decoding: handler, as: UTF8.self), tables: tables)
  }

  /// The units in a second that a header states: `mvhd` of a film, or `mdhd` of a track's media.
  static func scale(of box: Box, _ header: String, _ file: ByteSource) -> Int? {
    guard let header = child(header, of: box, file),
      let version = file.number(at: header.content.lowerBound, 1, .big)
    else { return nil }
    let scale = file.number(at: header.content.lowerBound + (version == 1 ? 20 : 12), 4, .big)
    return scale == 0 ? nil : scale
  }

  static func child(_ name: String, of box: Box, _ file: ByteSource) -> Box? {
    Box.all(in: file, box.content).first { $0.name == name }
  }

  /// Throws if the samples of a track lie outside the file.
  private func check() throws(MovieObstacle) {
    for track in tracks {
      var sample = 0
      for chunk in track.tables.chunks {
        let bytes =
          track.tables.uniformSize == 0
          ? track.tables.bytes(of: sample..<(sample + chunk.samples)) : 0
        sample += chunk.samples
        guard chunk.offset >= 8, bytes >= 0, chunk.offset <= file.count - bytes else {
          throw .damaged("the file ends before its last frame")
        }
      }
    }
  }

  /// The range of the file that holds each chunk of a track.
  ///
  /// The tables do not state the byte count of uncompressed sound reliably. A chunk with samples of
  /// one size therefore ends at the next chunk of any track, or at the end of the media data.
  func ranges(of track: Track) -> [Range<Int>] {
    if track.tables.uniformSize == 0 || track.handler != "soun" {
      var sample = 0
      return track.tables.chunks.map { chunk in
        defer { sample += chunk.samples }
        let bytes = track.tables.bytes(of: sample..<(sample + chunk.samples))
        return chunk.offset..<min(file.count, chunk.offset + bytes)
      }
    }
    let starts = Set(tracks.flatMap { $0.tables.chunks.map(\.offset) } + top.map(\.end)).sorted()
    return track.tables.chunks.map { chunk in
      var (low, high) = (0, starts.count)
      while low < high {
        let middle = (low + high) / 2
        if starts[middle] > chunk.offset { high = middle } else { low = middle + 1 }
      }
      return chunk.offset..<(low < starts.count ? starts[low] : file.count)
    }
  }
}
