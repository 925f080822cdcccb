public import PhotoRecipes

/// A file's kind by its first bytes and its extension.
public enum FileKind: Sendable, Hashable {
  case photo(InputFormat)
  /// Known, and listed in a report; rendered only where a recipe asks for the format.
  case unsupported(InputFormat)
  /// The extension says that it is a photo of a format, its bytes are none: they are something else,
  /// or nothing that is known.
  case unreadable(claimed: InputFormat, found: InputFormat?)
  case notPhoto

  /// The format by the bytes, or by the name if the bytes do not tell.
  public var format: InputFormat? {
    switch self {
    case .photo(let format), .unsupported(let format): format
    case .unreadable(_, let found): found
    case .notPhoto: nil
    }
  }

  /// Bytes win over the extension, but for one thing: most raw formats are TIFF files that show a
  /// small preview, and some have nothing but their extension to tell them from a photo.
  public init(head: FileHead, name: FileName) {
    let claim = FileClaim(name)
    let isPicture = claim.family == .picture || claim.family == .document
    let found = InputCatalog.format(of: head, acceptsWeak: isPicture)
    switch (found, claim) {
    case (.tiff, .unsupported(let format)) where format.family == .raw: self = .unsupported(format)
    case (let found?, _) where found.isPhoto: self = .photo(found)
    case (let found?, _) where found.family == .raw || found.family == .picture:
      self = .unsupported(found)
    case (_, .photo(let claimed)): self = .unreadable(claimed: claimed, found: found)
    case (let found?, _): self = .unsupported(found)
    case (nil, .unsupported(let claimed)): self = .unsupported(claimed)
    case (nil, .none): self = .notPhoto
    }
  }

  /// Reads the start of a file, and the directory of a TIFF file wherever that is.
  public init<Files: FileSystem>(
    of file: Files.File, named name: FileName, in files: Files
  ) throws(FileSystemError) {
    let start = try files.read(file, at: 0, count: FileHead.length)
    var head = FileHead(start)
    if let missing = head.missing {
      let offset = Int64(missing.lowerBound)
      let directory = try files.read(file, at: offset, count: missing.count)
      head = FileHead(start, directory: (missing.lowerBound, directory))
    }
    self.init(head: head, name: name)
  }
}
