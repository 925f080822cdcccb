import FileStructure
import PhotoMetadata
import PhotoRecipes

extension FuzzTarget {
  /// The readers of boxes, chunks, segments and directories: one target for each format, so that
  /// each format has its own corpus.
  static let containers = ["jpeg", "png", "webp", "tiff", "heif", "jxl", "gif", "jp2"].map {
    FuzzTarget($0, walk)
  }

  /// Reads everything from a file except its pixels, and embeds metadata in it.
  @Sendable static func walk(_ bytes: [UInt8]) {
    let source = ByteSource.bytes(bytes)
    _ = ContainerDescription.lines(of: source)
    _ = FileEnd.seemsCut(source)
    _ = ColourTags(of: source)
    _ = AlphaTags.isPremultiplied(source)
    _ = try? JP2Channels(of: source)
    _ = UnreadColours(matrixIn: source)
    for patch in DecoderPatches.patches(for: source) {
      precondition(patch.offset >= 0 && patch.offset + patch.bytes.count <= bytes.count)
    }
    let metadata = Metadata(of: source)
    _ = PhotoDetails(metadata)
    guard let written = try? metadata.embedded(in: bytes) else { return }
    // A file with embedded metadata accepts metadata again.
    _ = try? Metadata().embedded(in: written)
  }
}
