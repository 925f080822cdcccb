public import PhotoRecipes

/// The kind of a file, derived from its first bytes and its extension.
public enum FileKind: Sendable, Hashable {
  case photo(InputFormat)
  /// A known format that appears in reports; a file of the format is rendered only if a recipe
  /// requests the format.
  case unsupported(InputFormat)
  /// A file whose extension states a photo format, and whose bytes are something else: another
  /// format, or no known format.
  case unreadable(claimed: InputFormat, found: InputFormat?)
  case notPhoto

  /// The format by the bytes, or by the name if the bytes do not determine it; nil if the file is
  /// not a photo, or if its bytes contradict its extension and have no known format.
  public var format: InputFormat? {
    switch self {
    case .photo(let format), .unsupported(let format): format
    case .unreadable(_, let found): found
    case .notPhoto: nil
    }
  }

  /// Determines the kind.
  ///
  /// The bytes have priority over the extension, except for raw formats: most are TIFF files with a
  /// small preview, and some differ from a photo only by their extension.
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

  /// Determines the kind of an open file.
  ///
  /// Reads the start of the file and, in a TIFF file, also the image file directory, at any offset.
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
