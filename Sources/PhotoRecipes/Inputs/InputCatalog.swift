/// Every format that is told by its first bytes; of two that match, the first one counts.
public enum InputCatalog {
  public static let formats: [InputFormat] =
    InputFormat.rawPhotos + InputFormat.photos + InputFormat.videos + InputFormat.pictures
    + InputFormat.documents

  /// The words of `inputs.formats` in a recipe.
  public static let requests: [String] = Array(Set(formats.compactMap(\.request))).sorted()

  /// The format that a file's first bytes show.
  ///
  /// `acceptsWeak` where the extension, or whoever asks, says that it is a picture.
  public static func format(of head: FileHead, acceptsWeak: Bool) -> InputFormat? {
    formats.first { (acceptsWeak || !$0.isWeak) && $0.matches(head) }
  }

  /// The format of an extension, which is in small letters and without the point.
  public static func format(extension name: String) -> InputFormat? { byExtension[name] }

  private static let byExtension: [String: InputFormat] = {
    let pairs = formats.flatMap { format in format.extensions.map { ($0, format) } }
    return Dictionary(pairs) { first, _ in first }
  }()
}
