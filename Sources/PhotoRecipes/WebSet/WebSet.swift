/// One photo in several widths and formats, from which a browser takes what its screen needs: an
/// entry among a recipe's outputs with `"kind": "webSet"`.
///
/// It stands for one output for each width and format, and one for the placeholder; those render,
/// are recorded and are replaced like all others. What is only here goes into the manifest.
/// - Source: HTML Living Standard, 4.8.1 (picture) and 4.8.4 (srcset and sizes).
public struct WebSet: Sendable, Hashable {
  public var name: String
  /// Pixels across, from the smallest; photos are never enlarged.
  public var widths: [Int]
  /// The names of formats, those that not all browsers know first; browsers take the first that they
  /// know.
  public var formats: [String]
  /// The width at which the picture is shown, in the form of HTML's `sizes`.
  public var sizes = "100vw"
  /// The manifest's path from the output root.
  public var manifest: String
  /// The prefix of the paths of renditions in URLs.
  public var base = ""
  public var hasPlaceholder = true

  public static let kind = "webSet"
  /// The template of sets that give none: a browser may keep such files for ever.
  public static let standardPath = "{stem}-{width}.{digest:10}.{ext}"
  /// The formats that only newer browsers show, from the smallest files to the largest.
  private static let newerFormats = [JXLFormat.name, AVIFFormat.name, WebPFormat.name]
  /// The formats that browsers show.
  static let formatNames = newerFormats + [JPEGFormat.name, PNGFormat.name, GIFFormat.name]

  /// Formats in the order that they are offered in: a browser would never come to one after one that
  /// all know.
  static func offered(_ formats: [String]) -> [String] {
    newerFormats.filter(formats.contains) + formats.filter { !newerFormats.contains($0) }
  }
  static let counts = 1...16
  static let widthKind = SettingKind.integer(.pixels, 16...16_384)

  /// The output of one width in one format.
  public func output(_ width: Int, _ format: String) -> String { "\(name)-\(width)-\(format)" }

  /// The output whose pixels are shown while the others load; nil if there is none.
  public var placeholder: String? { hasPlaceholder ? "\(name)-placeholder" : nil }
}
