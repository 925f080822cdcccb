/// All formats that are recognised by their first bytes; if two formats match, the first format is
/// used.
public enum InputCatalog {
  public static let formats: [InputFormat] =
    InputFormat.rawPhotos + InputFormat.photos + InputFormat.videos + InputFormat.pictures
    + InputFormat.documents

  /// The values that `inputs.formats` in a recipe accepts.
  public static let requests: [String] = Array(Set(formats.compactMap(\.request))).sorted()

  /// The format that a file's first bytes indicate; nil if the bytes are unknown.
  ///
  /// A format that `isWeak` is returned only if `acceptsWeak` is true, which means that the file's
  /// extension or the caller states that the file is a picture.
  public static func format(of head: FileHead, acceptsWeak: Bool) -> InputFormat? {
    formats.first { (acceptsWeak || !$0.isWeak) && $0.matches(head) }
  }

  /// The format of an extension in lower case, without the dot.
  public static func format(extension name: String) -> InputFormat? { byExtension[name] }

  /// The names and the extensions of all formats.
  static let names: [String] = Set(formats.flatMap { [$0.name] + $0.extensions }).sorted()

  /// The format with a name, or with an extension, in lower case.
  static func format(named name: String) -> InputFormat? {
    formats.first { $0.name == name } ?? byExtension[name]
  }

  private static let byExtension: [String: InputFormat] = {
    let pairs = formats.flatMap { format in format.extensions.map { ($0, format) } }
    return Dictionary(pairs) { first, _ in first }
  }()
}
