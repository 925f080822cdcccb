import FileStructure
import PhotoMetadata
import PhotoRecipes

extension FuzzTarget {
  /// The walkers of boxes, chunks, segments and directories: one target a format, so that each has
  /// a corpus of its own.
  static let containers = ["jpeg", "png", "webp", "tiff", "heif", "jxl", "gif", "jp2"].map {
    FuzzTarget($0, walk)
  }

  /// Everything that is read from a file besides its pixels, and metadata put into it.
  @Sendable static func walk(_ bytes: [UInt8]) {
    let source = ByteSource.bytes(bytes)
    _ = ContainerDescription.lines(of: source)
    _ = FileEnd.seemsCut(source)
    _ = ColourTags(of: source)
    _ = AlphaTags.isPremultiplied(source)
    for patch in DecoderPatches.patches(for: source) {
      precondition(patch.offset >= 0 && patch.offset + patch.bytes.count <= bytes.count)
    }
    let metadata = Metadata(of: source)
    _ = PhotoDetails(metadata)
    guard let written = try? metadata.embedded(in: bytes) else { return }
    // A file that was written can be written again.
    _ = try? Metadata().embedded(in: written)
  }
}
