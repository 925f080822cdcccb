/// Where an output's renditions go: `{stem}.{output}.{ext}`, or `{root}/{date:yyyy}/{name}.{ext}`.
///
/// | placeholder | stands for |
/// |---|---|
/// | `{stem}`, `{name}` | the original's name without its extension, with it; byte for byte |
/// | `{ext}` | the extension of the output's format |
/// | `{output}`, `{variant}`, `{recipe}` | their names; the last part of the recipe's identifier |
/// | `{width}`, `{height}` | pixels of the rendition |
/// | `{date}`, `{date:yyyy/MM}` | when the photo was taken; `yyyy MM dd HH mm ss` |
/// | `{digest}`, `{digest:8}` | SHA-256 of the rendition's bytes, its first digits |
/// | `{root}/` | only at the start: the output root, instead of the original's folder |
public struct PathTemplate: Sendable, Hashable {
  /// The template of outputs that give none.
  public static let standard = "{stem}.{output}.{ext}"

  public let text: String
  package let isRooted: Bool
  package let pieces: [PathPiece]

  public init(_ text: String) throws(PathTemplateError) {
    var parser = PathTemplateParser(text)
    pieces = try parser.pieces()
    isRooted = parser.isRooted
    self.text = text
    // Without one of these, photos would share a path, and a sidecar could claim any file.
    if !pieces.contains(where: \.tellsPhotosApart) { throw .tellsNoPhotosApart }
  }

  /// True if the path is known before the rendition is: it has no width, height or digest.
  public var isStatic: Bool { pieces.allSatisfy(\.isStatic) }

  /// True if every path is in the original's own folder.
  public var staysInFolder: Bool { !isRooted && !text.contains("/") }

  /// True if the path begins at the output root.
  public var startsAtRoot: Bool { isRooted }

  /// True if the path depends on the capture date.
  public var usesDate: Bool {
    pieces.contains { if case .date = $0 { true } else { false } }
  }

  /// True if the path depends on the rendition's bytes.
  public var usesDigest: Bool {
    pieces.contains { if case .digest = $0 { true } else { false } }
  }
}

extension PathTemplate: CustomStringConvertible {
  public var description: String { text }
}

extension PathTemplate {
  var usesVariant: Bool { pieces.contains(.variant) }
}
