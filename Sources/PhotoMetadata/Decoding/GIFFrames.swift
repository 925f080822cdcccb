/// What libnsgif, the reader of libvips 8.14, does not tell of a GIF file's frames.
public enum GIFFrames {
  /// It gives up counting one frame behind this one, and reads none of those.
  public static let mostRead = 4_096

  /// The frames that a file holds, as far as its blocks follow one another; nil of other formats.
  public static func count(in source: ByteSource) -> Int? { GIFFile(source)?.frameCount }

  /// Whether anything is to be seen: a screen without pixels has those of its largest frame, as
  /// browsers show it, and a frame may have none.
  public static func havePixels(in source: ByteSource) -> Bool {
    // Most screens have some: there is no need to look further.
    let edges = (0..<2).map { source.number(at: 6 + 2 * $0, 2, .little) ?? 0 }
    return edges.allSatisfy { $0 > 0 } || GIFFile(source)?.hasPixels ?? false
  }
}
