/// A part of a recipe that can be checked without a photo, because it fails for all photos or for
/// none.
public enum RecipePart: Sendable, Hashable {
  /// A lookup table in a HaldCLUT image; a text table needs no check, because it is validated when
  /// it is read.
  case table(NamedFile)
  /// An image used as an overlay, a mask or a depth map.
  case image(NamedFile)
  case text(Caption)
  /// An output's profile, with the output's name.
  case profile(NamedFile, output: String)

  /// The files that the part needs.
  public var files: [NamedFile] {
    switch self {
    case .table(let file), .image(let file), .profile(let file, _): [file]
    case .text(let caption): caption.fontFile.map { [$0] } ?? []
    }
  }

  /// The text in the recipe that names the part, and the key under which this text occurs; the key
  /// is nil if it may be any key.
  public var place: (text: String, key: String?) {
    switch self {
    case .table(let file), .image(let file), .profile(let file, _): (file.path, nil)
    case .text(let caption): (caption.content.text, "content")
    }
  }

  /// The hint if checking the part needs too much time or memory.
  public var relief: String {
    switch self {
    case .table: "use a smaller table"
    case .image: "make the image smaller, or save it without interlacing"
    case .text: "use fewer words, or a smaller 'size'"
    case .profile: "use another profile"
    }
  }
}

extension RecipePart: CustomStringConvertible {
  /// The maximum number of characters of a text in messages.
  private static let shown = 60

  public var description: String {
    switch self {
    case .table(let file): "the table '\(file.path)'"
    case .image(let file): "the image '\(file.path)'"
    case .profile(let file, _): "the profile '\(file.path)'"
    case .text(let caption):
      "the text \"\(caption.content.text.prefix(Self.shown))"
        + (caption.content.text.count > Self.shown ? "…\"" : "\"")
    }
  }
}

extension Recipe {
  /// All parts of the recipe, each once, in the order of the steps and of the outputs.
  public var parts: [RecipePart] {
    var (parts, known): ([RecipePart], Set<RecipePart>) = ([], [])
    func note(_ part: RecipePart) { if known.insert(part).inserted { parts.append(part) } }
    let graph = graph
    for file in graph.lookups where !LookupFile(name: file.path, bytes: []).isCube {
      note(.table(file))
    }
    for node in graph.nodes {
      switch node.operation {
      case .drawn(.text(let caption)): note(.text(caption))
      case .drawn(.image), .blend, .map: node.operation.files.map(RecipePart.image).forEach(note)
      default: break
      }
    }
    for output in outputs {
      if case .file(let file) = output.profile { note(.profile(file, output: output.name)) }
    }
    return parts
  }
}
