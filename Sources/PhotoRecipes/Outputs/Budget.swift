import Notation

/// The limits of a rendition's file size.
public struct Budget: Sendable, Hashable {
  /// The maximum size in bytes; the encoder's quality is reduced until the rendition is within it.
  public var maxBytes: Int?
  /// The lowest quality to which the encoder is reduced to stay within `maxBytes`.
  ///
  /// By default it is the format's, or the output's own quality if that is lower.
  public var minQuality = JPEGFormat.lowestQuality
  /// The fraction of the original's bytes that the rendition must save, 0…1; 0.05 is 5 %.
  public var minSaving: Double?
  /// True if the original's bytes replace a rendition that looks the same and saves no bytes, or
  /// less than `minSaving`.
  public var keepIfSmaller = false

  static let keys = ["maxBytes", "minQuality", "minSaving", "keepIfSmaller"]

  public init() {}

  /// Reads the largest file size of an output that has this format.
  init(_ reader: inout ObjectReader, for format: any OutputFormat) {
    maxBytes = reader.read("maxBytes", as: Self.kinds.maxBytes)
    let quality: Int? = reader.read("minQuality", as: Self.kinds.minQuality)
    minSaving = reader.read("minSaving", as: Self.kinds.minSaving)
    keepIfSmaller = reader.read("keepIfSmaller", as: .flag) ?? false
    guard let quality else {
      minQuality = Self.lowestQuality(of: format)
      return
    }
    minQuality = quality
    if maxBytes == nil {
      reader.report(
        .contradiction("'minQuality' needs 'maxBytes'", remedy: "add \"maxBytes\": 200000"),
        "minQuality")
    } else if let top = format.lossyQuality, quality > top {
      reader.report(
        .contradiction(
          "'minQuality' is above the quality, \(top)", remedy: "lower it, or raise 'quality'"),
        "minQuality")
    } else if format.lossyQuality == nil {
      reader.report(
        .contradiction(
          "'minQuality' does not work with a lossless output", remedy: "remove 'minQuality'"),
        "minQuality")
    }
  }

  /// Adds the values that are not at their defaults.
  func write(to object: inout JSON.Object, for format: any OutputFormat) {
    object["maxBytes"] = maxBytes.map(JSON.integer)
    if minQuality != Self.lowestQuality(of: format) { object["minQuality"] = .integer(minQuality) }
    object["minSaving"] = minSaving.map(JSON.number)
    if keepIfSmaller { object["keepIfSmaller"] = .bool(true) }
  }

  private static func lowestQuality(of format: any OutputFormat) -> Int {
    let lowest = type(of: format).lowestQuality
    return min(lowest, format.lossyQuality ?? lowest)
  }

  static let kinds = (
    maxBytes: SettingKind.integer(.bytes, 100...4_000_000_000),
    minQuality: SettingKind.integer(.quality, 1...100),
    minSaving: SettingKind.number(.fraction, 0...1)
  )
}
