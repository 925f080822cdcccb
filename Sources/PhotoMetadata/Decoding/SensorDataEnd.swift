public import FileStructure

extension FileEnd {
  /// A message if samples of a raw photo are beyond the end of its file; nil if the container shows
  /// no missing part.
  ///
  /// Decoders of raw photos may read missing samples as black and report success.
  public static func missingSamples(in source: ByteSource) -> String? {
    let isMissing =
      switch RawFile(of: source) {
      case .cr3(let file): file.lastSample > source.count
      case .raf: isBeyondEnd(100, 104, source)
      case .mrw(_, let file): lacksMinoltaSamples(file)
      case .orf(let file): TIFFPictures(file).isCut
      case .rw2(let file): PanasonicSamples(file)?.areCut ?? false
      // The directory of a CRW file is at its end.
      case .crw: false
      case nil: TIFFPictures(source)?.isCut ?? false
      }
    return isMissing ? "the file ends in the middle of the picture" : nil
  }

  /// True if a part of a file, whose offset and length stand at these places, exceeds the file by
  /// more than the play of lengths.
  private static func isBeyondEnd(_ offset: Int, _ length: Int, _ source: ByteSource) -> Bool {
    guard let start = source.number(at: offset, 4, .big),
      let count = source.number(at: length, 4, .big)
    else { return true }
    return start + count - count / TIFFPictures.play > source.count
  }

  /// True if a Minolta file is shorter than its samples, which follow the header.
  ///
  /// - Source: ExifTool 12.57, `MinoltaRaw.pm`: the block `PRD`.
  private static func lacksMinoltaSamples(_ source: ByteSource) -> Bool {
    guard source.bytes(at: 8, 4) == Array("\0PRD".utf8),
      let header = source.number(at: 4, 4, .big), let height = source.number(at: 24, 2, .big),
      let width = source.number(at: 26, 2, .big), let bits = source.number(at: 32, 1, .big)
    else { return false }
    return 8 + header + width * height * bits / 8 > source.count
  }
}
