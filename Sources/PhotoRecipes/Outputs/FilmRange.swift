import Notation

/// The part of a film from which an output is made.
public struct FilmRange: Sendable, Hashable {
  /// The first moment; nil for the start of the film.
  public var from: FilmMoment?
  /// The first moment after the part; nil for the end of the film.
  public var to: FilmMoment?

  static let keys = ["from", "to"]

  public init(from: FilmMoment? = nil, to: FilmMoment? = nil) {
    self.from = from
    self.to = to
  }

  /// True if the part is the whole film.
  public var isWhole: Bool { from == nil && to == nil }

  /// Reads the keys of an output, and reports a range that is empty for every film.
  init(_ reader: inout ObjectReader) {
    from = reader.read("from", as: .text)
    to = reader.read("to", as: .text)
    let isEmpty =
      switch (from, to) {
      case (.seconds(let first), .seconds(let end)), (.fraction(let first), .fraction(let end)):
        first >= end
      case (nil, .seconds(0)), (nil, .fraction(0)), (.fraction(1), _): true
      default: false
      }
    if isEmpty {
      reader.report(
        .contradiction(
          "'from' is not before 'to'", remedy: #"use a range such as "from": "1.5s", "to": "4s""#),
        to == nil ? "from" : "to")
    }
  }

  /// Adds the values that are not at their defaults.
  func write(to object: inout JSON.Object) {
    object["from"] = from?.json
    object["to"] = to?.json
  }
}
