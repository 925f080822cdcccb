extension Metadata {
  /// Whether a file holds a picture and its profile, and nothing about it that is known or strange.
  public static func isAbsent(in source: ByteSource) -> Bool {
    guard let format = ContainerFormat(of: source), format.strangeParts(in: source).isEmpty else {
      return false
    }
    if format == .tiff && TIFFFile(source)?.isPlain != true { return false }
    let found = Metadata(of: source)
    return found.exif == nil && found.xmp == nil && found.iptc == nil && found.comments.isEmpty
      && found.attachments.isEmpty && found.warnings.isEmpty
  }
}
