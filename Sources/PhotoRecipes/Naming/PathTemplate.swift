/// The path template of an output's renditions: `{stem}.{output}.{ext}`, or
/// `{root}/{date:yyyy}/{name}.{ext}`.
///
/// | placeholder | value |
/// |---|---|
/// | `{stem}` | the original's name without its extension, byte for byte |
/// | `{name}` | the original's name with its extension, byte for byte |
/// | `{folder}/` | the original's folder, relative to the library; the path is then relative to the output root |
/// | `{ext}` | the extension of the output's format |
/// | `{output}`, `{variant}` | the name of the output or of the variant |
/// | `{recipe}` | the last part of the recipe's identifier |
/// | `{width}`, `{height}` | the rendition's size in pixels |
/// | `{date}`, `{date:yyyy/MM}` | the capture time; `yyyy MM dd HH mm ss` |
/// | `{digest}`, `{digest:8}` | SHA-256 of the rendition's bytes, or its first digits |
/// | `{root}/` | only at the start: the output root, instead of the original's folder |
public struct PathTemplate: Sendable, Hashable {
  /// The default template of outputs.
  public static let standard = "{stem}.{output}.{ext}"

  public let text: String
  /// True if the path is relative to the output root instead of the original's folder.
  package let isRooted: Bool
  package let pieces: [PathPiece]

  public init(_ text: String) throws(PathTemplateError) {
    var parser = PathTemplateParser(text)
    pieces = try parser.pieces()
    isRooted = parser.isRooted || pieces.contains(.folder)
    self.text = text
    // Requires a piece that differs between photos. Otherwise photos would share a path, and any
    // file could be recorded as a rendition in a sidecar.
    if !pieces.contains(where: \.tellsPhotosApart) { throw .tellsNoPhotosApart }
  }

  /// True if the path does not depend on the rendition: it contains no width, height or digest.
  public var isStatic: Bool { pieces.allSatisfy(\.isStatic) }

  /// True if every path ends in the extension of the output's format.
  public var endsInExtension: Bool { pieces.last == .extension }

  /// True if every path is in the original's folder.
  public var staysInFolder: Bool { !isRooted && !text.contains("/") }

  /// True if the path begins at the output root.
  public var startsAtRoot: Bool { isRooted }

  /// True if the path contains the original's folder, so that it differs between folders.
  public var usesFolder: Bool { pieces.contains(.folder) }

  /// True if the path depends on the capture date.
  public var usesDate: Bool {
    pieces.contains { if case .date = $0 { true } else { false } }
  }

  /// True if the path depends on the rendition's bytes.
  public var usesDigest: Bool {
    pieces.contains { if case .digest = $0 { true } else { false } }
  }
}

extension PathTemplate {
  /// True if phbatch reserves names that begin or end like this one.
  ///
  /// Case is ignored, because some file systems ignore it.
  static func isReserved(_ name: String) -> Bool {
    // Compares bytes: a combining mark after the prefix would prevent a match of characters.
    let folded = Array(name.lowercased().utf8)
    return folded.starts(with: ".phbatch".utf8)
      || folded.reversed().starts(with: ".phbatch.json".utf8.reversed())
  }
}

extension PathTemplate: CustomStringConvertible {
  public var description: String { text }
}

extension PathTemplate {
  var usesVariant: Bool { pieces.contains(.variant) }
}
