import FileStructure

/// The edit list of a track: the parts of its media that are shown, in order.
///
/// - Source: ISO/IEC 14496-12:2022, 8.6.6.
struct MovieEdits {
  struct Part {
    /// The time of the film at which the part begins, in seconds.
    let start: Double
    /// The duration in seconds.
    let duration: Double
    /// The time at which the part begins in the media, in the unit of the track.
    let mediaTime: Int64
  }

  let parts: [Part]

  /// - Parameters:
  ///   - file: The film.
  ///   - track: The `trak` box.
  ///   - movieScale: The units of the film's header in a second.
  ///   - mediaScale: The units of the track's media in a second.
  ///   - mediaDuration: The duration of the media, which is shown as a whole without an edit list.
  /// - Throws: `unfit` for a track that is played at another speed, `damaged`.
  init(
    _ file: ByteSource, _ track: Box, movieScale: Int, mediaScale: Int, mediaDuration: Int64
  ) throws(MovieObstacle) {
    let whole = Double(mediaDuration) / Double(mediaScale)
    guard let box = MovieSource.child("edts", of: track, file),
      let list = MovieSource.child("elst", of: box, file)
    else {
      parts = [Part(start: 0, duration: whole, mediaTime: 0)]
      return
    }
    guard let bytes = file.whole(at: list.content.lowerBound, list.content.count, limit: 1 << 24),
      bytes.count >= 8
    else { throw .damaged("an edit list is cut off") }
    let width = bytes[0] == 1 ? 8 : 4
    let count = bytes.number(4, 4)
    guard count <= (bytes.count - 8) / (2 * width + 4) else {
      throw .damaged("an edit list is cut off")
    }
    var (parts, start): ([Part], Double) = ([], 0)
    for index in 0..<count {
      let place = 8 + index * (2 * width + 4)
      let units = bytes.number(place, width)
      let number = bytes.number(place + width, width)
      let mediaTime =
        width == 8 ? Int64(number) : Int64(Int32(truncatingIfNeeded: number))
      let rate = bytes.number(place + 2 * width, 4)
      var duration = Double(units) / Double(movieScale)
      // Doubles count ticks exactly up to this number.
      guard units >= 0, mediaTime < 1 << 53, duration * Double(mediaScale) < 0x1p53 else {
        throw .damaged("an edit list is longer than any film")
      }
      if mediaTime >= 0 {
        guard rate == 1 << 16 else { throw .unfit("a track is played at another speed") }
        // An edit without a duration reaches to the end of the media.
        if units == 0 { duration = max(0, whole - Double(mediaTime) / Double(mediaScale)) }
        parts.append(Part(start: start, duration: duration, mediaTime: mediaTime))
      }
      start += duration
    }
    self.parts = parts
  }
}
