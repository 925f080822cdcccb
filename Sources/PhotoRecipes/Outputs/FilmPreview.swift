import Notation

/// A preview of a film with several of its frames: an animation, or a sheet of pictures.
public struct FilmPreview: Sendable, Hashable {
  /// The time from one frame to the next, or this part of the range that is shown.
  public var every: FilmMoment
  /// The number of pictures in a row of a sheet; nil for an animation.
  public var columns: Int?

  static let keys = ["every", "sheet"]
  static let columnsKind = SettingKind.integer(.level, 1...50)

  /// Reads the keys of an output, and reports formats that cannot store the preview; nil for an
  /// output without a preview.
  init?(_ reader: inout ObjectReader, _ format: any OutputFormat.Type) {
    let every: FilmMoment? = reader.read("every", as: .text)
    columns = reader.read("sheet", as: Self.columnsKind)
    guard let every else {
      if columns != nil {
        reader.report(
          .contradiction("'sheet' needs 'every'", remedy: #"add "every": "2s" or "every": "10%""#),
          "sheet")
      }
      return nil
    }
    self.every = every
    if every == .seconds(0) || every == .fraction(0) {
      reader.report(
        .contradiction("'every' is 0", remedy: #"use a time such as "every": "0.5s""#), "every")
    } else if format.isFilm {
      reader.report(
        .contradiction(
          "\(format.name) stores films with all frames",
          remedy: "remove 'every', or use webp or gif, or 'sheet' and a format of photos"),
        "every")
    } else if columns == nil && !format.holdsFrames {
      reader.report(
        .contradiction(
          "phbatch writes no animations in \(format.name)",
          remedy: "use webp or gif, or add \"sheet\": 4 for pictures in rows"),
        "every")
    } else if columns != nil && !format.isPhoto {
      reader.report(
        .contradiction("\(format.name) stores no sheets", remedy: "use another format"), "sheet")
    }
  }

  /// Adds the values to an output.
  func write(to object: inout JSON.Object) {
    object["every"] = every.json
    object["sheet"] = columns.map(JSON.integer)
  }
}
