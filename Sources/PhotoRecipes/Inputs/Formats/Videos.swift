extension InputFormat {
  /// Video formats.
  static let videos: [InputFormat] = [
    .mov, .mp4, .avi, .mkv, .mpeg, .mts, .asf, .flv, .video,
  ]

  /// A QuickTime video.
  ///
  /// - Source: Apple, "QuickTime File Format", 2001: files before 2004 have no `ftyp`.
  public static let mov = InputFormat("mov", "a QuickTime video", .video, "mov") {
    $0.brands.major == "qt  "
      || ["moov", "mdat", "wide", "pnot"].contains { [head = $0] in head.starts($0, at: 4) }
  }

  /// An MP4 video.
  ///
  /// - Source: ISO/IEC 14496-12, 4.3.
  public static let mp4 = InputFormat("mp4", "an MP4 video", .video, "mp4 m4v 3gp 3g2 insv lrv") {
    $0.brands.isFilm
  }

  /// An AVI video.
  ///
  /// - Source: Microsoft, "AVI RIFF File Reference".
  public static let avi = InputFormat("avi", "an AVI video", .video, "avi") {
    $0.starts("RIFF") && $0.starts("AVI ", at: 8)
  }

  /// A Matroska or WebM video.
  ///
  /// - Source: RFC 8794, 11.2.1 (EBML).
  public static let mkv = InputFormat("mkv", "a Matroska or WebM video", .video, "mkv webm") {
    $0.starts([0x1A, 0x45, 0xDF, 0xA3])
  }

  /// An MPEG video.
  ///
  /// - Source: ISO/IEC 11172-1 and -2: a pack, or a sequence header.
  public static let mpeg = InputFormat("mpeg", "an MPEG video", .video, "mpg mpeg vob") {
    $0.starts([0, 0, 1, 0xBA]) || $0.starts([0, 0, 1, 0xB3])
  }

  /// An MPEG transport stream: packets of 188 bytes.
  ///
  /// In AVCHD files, four additional bytes precede each packet.
  ///
  /// - Source: ISO/IEC 13818-1, 2.4.3.2.
  public static let mts = InputFormat("mts", "an MPEG transport stream", .video, "m2t m2ts mts") {
    ($0.starts([0x47]) && $0.starts([0x47], at: 188) && $0.starts([0x47], at: 376))
      || ($0.starts([0x47], at: 4) && $0.starts([0x47], at: 196) && $0.starts([0x47], at: 388))
  }

  /// A Windows Media video.
  ///
  /// - Source: Microsoft, "Advanced Systems Format Specification", 10.1.
  public static let asf = InputFormat("asf", "a Windows Media video", .video, "asf wmv") {
    $0.starts([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11])
  }

  /// A Flash video.
  ///
  /// - Source: Adobe, "Video File Format Specification", version 10.
  public static let flv = InputFormat("flv", "a Flash video", .video, "flv") {
    $0.starts("FLV\u{01}")
  }

  /// Videos that are recognised only by the file extension.
  public static let video = InputFormat("video", "a video", .video, "dv mxf ogv r3d") { _ in false }
}
