/// A text that cannot be drawn, and why.
public struct UnusableText: Sendable, Hashable {
  /// As the recipe says it.
  public var content: String
  /// With what stands in it for the photo.
  public var text: String
  /// Whether it is its markup that cannot be read.
  public var isBadMarkup: Bool
  /// What libvips says of it.
  public var detail: String

  var message: String { "the text \(text.quoted(atMost: 200)) cannot be drawn: \(detail)" }

  var hint: String {
    isBadMarkup
      ? "close every tag of its markup, and write &amp; and &lt; for & and <"
      : "use fewer words, or a smaller 'size'"
  }
}
