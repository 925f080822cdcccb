/// What a file is, by its first bytes and its extension.
public enum FileKind: Sendable, Hashable {
  case photo(PhotoFormat)
  /// Listed in a report, not rendered, no failure.
  case unsupported(UnsupportedFormat)
  /// The extension says that it is a photo of this format, its bytes are no picture of any kind.
  case unreadable(claimed: PhotoFormat)
  case notPhoto

  /// How many bytes from the start decide; a file may be shorter.
  public static let headLength = 4_096

  /// Decides from the first `headLength` bytes and the name.
  ///
  /// Bytes win over the extension, but for one thing: most raw formats are TIFF files that show a
  /// small preview, and some have nothing but their extension to tell them from a photo.
  public init(head: [UInt8], name: FileName) {
    let claim = FileClaim(name)
    switch (Signature(head, claim: claim), claim) {
    case (.photo(.tiff), .unsupported(.raw)): self = .unsupported(.raw)
    case (.photo(let format), _): self = .photo(format)
    case (.unsupported(let format), _) where format == .raw || format == .picture:
      self = .unsupported(format)
    case (_, .photo(let format)): self = .unreadable(claimed: format)
    case (.unsupported(let format), _), (.none, .unsupported(let format)):
      self = .unsupported(format)
    case (.none, .none): self = .notPhoto
    }
  }

  /// Reads the start of a file.
  public init<Files: FileSystem>(
    of file: Files.File, named name: FileName, in files: Files
  ) throws(FileSystemError) {
    self.init(head: try files.read(file, at: 0, count: Self.headLength), name: name)
  }
}
