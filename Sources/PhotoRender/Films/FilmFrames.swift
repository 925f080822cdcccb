import PhotoRecipes
import Vips

/// The frames of a film at equal distances of time, for a preview.
struct FilmFrames {
  /// From this distance on, the reader moves to each frame; for shorter ones, it decodes all frames
  /// between them, which takes less time.
  private static let far = 5.0

  let film: FilmPhoto
  private let span: FilmSpan
  /// The time from one frame to the next in seconds.
  let distance: Double
  let count: Int

  /// - Throws: `missingPart`, or `tooManyPreviewFrames` if there are more than `limit` frames.
  init(
    _ film: FilmPhoto, of preview: FilmPreview, in output: Output, limit: Int
  ) throws(RenderError) {
    self.film = film
    span = try FilmSpan(output.range, of: film.facts, output: output.name)
    let duration = span.duration(in: film.facts)
    switch preview.every {
    case .seconds(let seconds): distance = seconds
    case .fraction(let fraction): distance = fraction * duration
    }
    // A distance that divides the duration has no frame at the end.
    let number = distance > 0 ? ((duration - 1e-6) / distance).rounded(.up) : .infinity
    guard number <= Double(limit) else {
      throw .tooManyPreviewFrames(
        output: output.name, number < 1e9 ? Int(number) : nil, limit: limit)
    }
    count = max(1, Int(number))
  }

  /// Calls `body` for each of the `count` frames, in order.
  ///
  /// The last frame of the film is shown for moments after it.
  func visit(
    _ body: (_ frame: Image) throws(RenderError) -> Void
  ) throws(RenderError) {
    let decoded = distance >= Self.far ? 0 : try decode(body)
    for number in decoded..<count {
      let reader = try film.codec.film(in: film.descriptor, ignoresEdits: false, threads: 1)
      guard try reader.find(seconds: span.from + Double(number) * distance) != nil else {
        throw .unreadableFilm("it contains no frame")
      }
      try body(try Self.image(reader))
    }
  }

  /// Decodes the film up to its end; returns the number of frames for which `body` was called.
  private func decode(
    _ body: (Image) throws(RenderError) -> Void
  ) throws(RenderError) -> Int {
    let reader = try film.codec.film(in: film.descriptor, ignoresEdits: false, threads: 1)
    guard try reader.cut(to: span.stamps(in: reader)) else { return 0 }
    let start = reader.stamp(seconds: 0)
    var number = 0
    while number < count, let time = try reader.next() {
      let wanted = reader.stamp(seconds: Double(number) * distance) - start
      guard time >= wanted else { continue }
      let image = try Self.image(reader)
      // A film with few frames a second shows one frame for several moments.
      while number < count,
        time >= reader.stamp(seconds: Double(number) * distance) - start
      {
        try body(image)
        number += 1
      }
    }
    return number
  }

  private static func image(_ reader: any FilmReader) throws(RenderError) -> Image {
    do throws(VipsError) { return try reader.image() } catch {
      throw RenderError(error)
    }
  }
}
