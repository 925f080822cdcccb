import PhotoRecipes

/// A part of a film, in seconds from its first frame.
///
/// The part has the frames that begin in it.
struct FilmSpan: Sendable, Hashable {
  var from: Double
  /// The end of the part; nil for the end of the film.
  var to: Double?

  /// Resolves the range of an output.
  ///
  /// - Throws: `missingPart` if the film does not have the range.
  init(_ range: FilmRange, of facts: FilmFacts, output: String) throws(RenderError) {
    func seconds(_ moment: FilmMoment) -> Double {
      switch moment {
      case .seconds(let seconds): seconds
      case .fraction(let fraction): fraction * facts.seconds
      }
    }
    from = range.from.map(seconds) ?? 0
    to = range.to.map(seconds)
    // The container states the duration in microseconds.
    let (end, tolerance) = (facts.seconds, 1e-6)
    for (key, time) in [("from", from), ("to", to ?? 0)] where time > end + tolerance {
      throw .missingPart(
        output: output, "'\(key)' is \(time.short) s, but the film has only \(end.short) s")
    }
    if let to, from >= to {
      throw .missingPart(
        output: output, "'from' is \(from.short) s, and 'to' is \(to.short) s")
    }
  }

  /// The duration of the part in seconds.
  func duration(in facts: FilmFacts) -> Double { max(0, (to ?? facts.seconds) - from) }

  /// The part of the film's duration, 0…1.
  func share(of facts: FilmFacts) -> Double {
    if facts.seconds <= 0 { return 1 }
    return min(1, duration(in: facts) / facts.seconds)
  }

  /// The time stamps of the part.
  func stamps(in reader: any FilmReader) -> Range<Int64> {
    let (first, end) = (reader.stamp(seconds: from), to.map(reader.stamp) ?? .max)
    return first..<max(first, end)
  }
}
