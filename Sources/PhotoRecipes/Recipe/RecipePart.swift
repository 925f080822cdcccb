/// Something of a recipe that can be looked at without a photo: it is unusable with all or with none.
public enum RecipePart: Sendable, Hashable {
  /// A HaldCLUT: what tables are as text is known once they are read.
  case table(NamedFile)
  /// An image that is laid over photos, or that is a mask or a depth map.
  case image(NamedFile)
  case text(Caption)
  /// The profile of an output, by its name.
  case profile(NamedFile, output: String)

  /// The files that it is made of.
  public var files: [NamedFile] {
    switch self {
    case .table(let file), .image(let file), .profile(let file, _): [file]
    case .text(let caption): caption.fontFile.map { [$0] } ?? []
    }
  }

  /// The recipe's text for it, and the key of that text; nil if any key may have it.
  public var place: (text: String, key: String?) {
    switch self {
    case .table(let file), .image(let file), .profile(let file, _): (file.path, nil)
    case .text(let caption): (caption.content.text, "content")
    }
  }

  /// The hint if its check takes too much time or memory.
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
  /// The most characters of a text that are shown.
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
  /// All of them, each once, in the order of the steps and of the outputs.
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
