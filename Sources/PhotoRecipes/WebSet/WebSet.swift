/// One photo in several widths and formats, from which a browser chooses the best file for its
/// screen: an entry among a recipe's outputs with `"kind": "webSet"`.
///
/// A web set represents one output for each width and format, and one for the placeholder; these
/// are rendered, recorded and replaced like all other outputs. The other settings of the set are
/// written to the manifest.
/// - Source: HTML Living Standard, 4.8.1 (picture) and 4.8.4 (srcset and sizes).
public struct WebSet: Sendable, Hashable {
  public var name: String
  /// The widths in pixels, from the smallest; photos are never enlarged.
  public var widths: [Int]
  /// The names of formats, newer ones first; a browser uses the first format that it supports.
  public var formats: [String]
  /// The width at which the picture is shown, in the form of HTML's `sizes`.
  public var sizes = "100vw"
  /// The manifest's path, relative to the output root.
  public var manifest: String
  /// The prefix of renditions' paths in URLs.
  public var base = ""
  public var hasPlaceholder = true

  public static let kind = "webSet"
  /// The default path template of sets.
  ///
  /// The path contains a digest, so a browser may cache these files without limit.
  public static let standardPath = "{stem}-{width}.{digest:10}.{ext}"
  /// The formats that only newer browsers support; formats with smaller files come first.
  private static let newerFormats = [JXLFormat.name, AVIFFormat.name, WebPFormat.name]
  /// The formats that browsers support.
  static let offeredFormats: [any OutputFormat.Type] = [
    JXLFormat.self, AVIFFormat.self, WebPFormat.self, JPEGFormat.self, PNGFormat.self,
    GIFFormat.self,
  ]

  /// The formats in the order in which they are offered.
  ///
  /// A format after one that all browsers support would never be used.
  static func offered(_ formats: [String]) -> [String] {
    newerFormats.filter(formats.contains) + formats.filter { !newerFormats.contains($0) }
  }

  /// The order in which browsers are offered these formats, which may be others than the set's.
  package func order(of formats: Set<String>) -> [String] {
    let known = self.formats.filter(formats.contains)
    return Self.offered(known + formats.subtracting(known).sorted())
  }

  /// True if all browsers show a format.
  package static func isShownByAll(_ format: String) -> Bool { !newerFormats.contains(format) }

  /// The maximum length of a set's name, with which the names of all its outputs are valid.
  static let longestName = 52

  static let counts = 1...16
  static let widthKind = SettingKind.integer(.pixels, 16...16_384)

  /// The name of the output for one width in one format.
  public func output(_ width: Int, _ format: String) -> String { "\(name)-\(width)-\(format)" }

  /// The names of all outputs of the set.
  var outputs: [String] {
    widths.flatMap { width in formats.map { output(width, $0) } } + (placeholder.map { [$0] } ?? [])
  }

  /// The width and the format of a set's output with this name, whatever widths and formats the set
  /// has; nil if the set can have no such output.
  package func rendition(named output: String) -> (width: Int, format: String)? {
    guard output.hasPrefix("\(name)-") else { return nil }
    let parts = output.dropFirst(name.count + 1).split(
      separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), "\(width)" == parts[0],
      Self.offeredFormats.contains(where: { $0.name == parts[1] })
    else { return nil }
    return (width, String(parts[1]))
  }

  /// The name of the placeholder output, which is shown while other renditions load; nil if the set
  /// has none.
  public var placeholder: String? { hasPlaceholder ? "\(name)-placeholder" : nil }
}
