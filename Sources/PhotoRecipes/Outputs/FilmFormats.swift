public import Notation

/// The codec of a film's picture.
public enum FilmCodecName: String, Choice {
  /// The codec of the source film.
  case source
  case h264, hevc, av1, vp9
}

/// The settings of encoders that are common to all formats of films.
public struct FilmCoding: Sendable, Hashable {
  public var codec = FilmCodecName.source
  public var quality = 75
  public var effort = 4

  /// The problem that a format cannot store the codec; nil if it can.
  fileprivate func contradiction(
    in format: String, _ refused: [FilmCodecName], remedy: String
  ) -> Problem? {
    guard refused.contains(codec) else { return nil }
    return .contradiction("\(format) stores no \(codec.rawValue)", remedy: remedy)
  }
}

/// A format of outputs that are rendered from films, not from photos.
///
/// The program `phbatch-video` writes these formats, frame by frame.
public protocol FilmFormat: OutputFormat {
  var coding: FilmCoding { get set }
}

extension FilmFormat {
  public static var isPhoto: Bool { false }
  public static var isFilm: Bool { true }
  public static var longestEdge: Int { 8192 }
  public static var hasAlpha: Bool { false }
  public static var holdsGrey: Bool { false }

  public static var settings: [Setting<Self>] {
    [
      Setting(
        "codec", \.coding.codec, FilmCodecName.kind,
        "The codec of the picture; `source` is that of the film itself."),
      Setting(
        "quality", \.coding.quality, .integer(.quality, 1...100),
        "Higher gives better quality and a larger file."),
      Setting(
        "effort", \.coding.effort, .integer(.effort, 0...8),
        "Higher gives a smaller file and is slower."),
    ]
  }

  public var lossyQuality: Int? { coding.quality }

  public func with(lossyQuality: Int) -> Self {
    var format = self
    format.coding.quality = lossyQuality
    return format
  }

  /// An empty text: libvips does not write films.
  public var saver: String { "" }

  public func bitDepth(forSource depth: Int) -> Int { depth }

  public func arguments(bitDepth: Int, size: Size) -> [String: EncoderArgument] { [:] }
}

/// MP4, the format of films for all devices.
public struct MP4Format: FilmFormat {
  public static let name = "mp4"
  public static let summary = "MP4, for films on all devices; only of films."
  public static let fileExtension = "mp4"

  public var coding = FilmCoding()

  public init() {}
}

/// QuickTime, the format of iPhone films.
public struct MOVFormat: FilmFormat {
  public static let name = "mov"
  public static let summary = "QuickTime, the format of iPhone films; only of films."
  public static let fileExtension = "mov"

  public var coding = FilmCoding()

  public init() {}

  public var contradiction: Problem? {
    coding.contradiction(
      in: Self.name, [.av1, .vp9], remedy: "use h264 or hevc, or the format mp4")
  }
}

/// WebM, for web pages, with VP9 or AV1.
public struct WebMFormat: FilmFormat {
  public static let name = "webm"
  public static let summary = "WebM, for films on web pages, with VP9 or AV1; only of films."
  public static let fileExtension = "webm"

  public var coding = FilmCoding()

  public init() {}

  public var contradiction: Problem? {
    coding.contradiction(
      in: Self.name, [.h264, .hevc], remedy: "use vp9 or av1, or the format mp4")
  }
}
