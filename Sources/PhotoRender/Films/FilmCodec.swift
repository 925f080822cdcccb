public import PhotoRecipes

/// Decodes and encodes films; only `phbatch-video` has an implementation, `phbatch` has none.
public protocol FilmCodec: Sendable {
  /// Opens the film in a file.
  ///
  /// - Parameters:
  ///   - descriptor: The file, which stays open; its position is not used.
  ///   - ignoresEdits: True if the time stamps are read from the video track, without the
  ///     container's edit list.
  ///   - threads: The number of threads that decode.
  /// - Returns: The film before its first frame.
  /// - Throws: `unreadableFilm`.
  func film(
    in descriptor: Int32, ignoresEdits: Bool, threads: Int
  ) throws(RenderError) -> any FilmReader

  /// True if this machine can encode a codec, such as `h264`.
  func encodes(_ codec: String) -> Bool
}

/// A film whose frames are decoded one after another, in the order in which they are shown.
public protocol FilmReader: AnyObject {
  /// The facts in the film's header; after the first call of `next`, size and coding are those of
  /// the decoded frames.
  var facts: FilmFacts { get }

  /// The texts about the film and its tracks.
  var texts: [FilmText] { get }

  /// Decodes the next frame and returns its time stamp; nil after the last frame.
  ///
  /// - Throws: `unreadableFilm` for a damaged film.
  func next() throws(RenderError) -> Int64?

  /// Decodes the first frame that is shown at or after a time, or the film's last frame.
  ///
  /// Must be called before `next`.
  ///
  /// - Parameter seconds: The time from the start of the film.
  /// - Returns: True if the film has such a frame; false if it ends earlier; nil if it has no
  ///   frame.
  /// - Throws: `unreadableFilm` for a damaged film.
  func find(seconds: Double) throws(RenderError) -> Bool?

  /// The time stamp that is a number of seconds after the film's first frame, rounded up.
  func stamp(seconds: Double) -> Int64

  /// Restricts the film to the frames whose time stamps lie in a range.
  ///
  /// Must be called before `next` and `writer`. The time stamps of the frames, and of tracks that a
  /// writer copies, then count from the first of these frames.
  ///
  /// - Returns: False if there is no such frame.
  /// - Throws: `unreadableFilm` for a damaged film.
  func cut(to stamps: Range<Int64>) throws(RenderError) -> Bool

  /// Writes the last frame as interleaved RGB: bytes, or 16-bit integers in the machine's byte order
  /// if the film has more than 8 bits.
  func copySamples(to samples: inout MutableRawSpan)

  /// Begins a new film from the frames of this one; must be called before `next`.
  ///
  /// - Returns: The writer, and the kinds of tracks that the container cannot store.
  /// - Throws: `unsupportedFilm` if the machine or the container cannot write the format.
  func writer(
    to descriptor: Int32, _ format: EncodedFilm
  ) throws(RenderError) -> (writer: any FilmWriter, lost: String)
}

/// A film that is encoded frame by frame.
public protocol FilmWriter: AnyObject {
  /// The sound that is re-encoded, because the container cannot store it; nil if there is none.
  ///
  /// Damage is known when the file is complete.
  var convertedSound: ConvertedSound? { get }

  /// Encodes a frame, in the layout of `FilmReader.copySamples`.
  func add(_ samples: [UInt8], at time: Int64) throws(RenderError)

  /// The number of frames whose packets the record had when the writer was created.
  var recorded: Int { get }

  /// Continues after this number of recorded frames, at most `recorded`.
  ///
  /// Must be called before `replay` and `add`; other frames in the record are dropped.
  ///
  /// - Parameter frames: A multiple of the frames of a segment.
  func resume(after frames: Int)

  /// Writes the recorded packets that are decoded at a time or before.
  func replay(through time: Int64) throws(RenderError)

  /// Completes the file.
  func finish() throws(RenderError)
}

/// Sound of a film that is re-encoded.
public struct ConvertedSound: Sendable, Hashable {
  /// The name of the new codec, such as `Opus`.
  public var codec: String
  /// True if the new sound has fewer channels, because its codec has no layout for all of them.
  public var isMixed: Bool
  /// True if a packet of the source could not be decoded, or has a wrong time stamp.
  public var isDamaged: Bool

  public init(codec: String, isMixed: Bool, isDamaged: Bool) {
    (self.codec, self.isMixed, self.isDamaged) = (codec, isMixed, isDamaged)
  }
}

/// The facts in a film's header.
public struct FilmFacts: Sendable, Hashable {
  /// The size of the frames as stored.
  public var stored: Size
  public var orientation: Orientation
  public var coding: FilmColours
  /// The mean number of frames per second; 0 if unknown.
  public var rate: Double
  /// The number of frames that the container states; 0 if unknown.
  public var frames: Int
  /// The duration in seconds; 0 if unknown.
  public var seconds: Double
  /// The number of the track that contains the picture.
  public var track: Int
  /// The codec of the picture, such as `h264`.
  public var codec: String
  public var isInterlaced: Bool
  public var hasDolbyVision: Bool
  /// True if only players with Dolby Vision show its colours.
  public var needsDolbyVision: Bool
  /// True if an HDR film describes the display on which it was graded, or its brightest light.
  public var hasDisplayData: Bool
  /// The brightest light in cd/m² that these data state; 0 if unknown.
  public var peak: Double

  public init(
    stored: Size, orientation: Orientation, coding: FilmColours, rate: Double, frames: Int,
    seconds: Double, track: Int, codec: String, isInterlaced: Bool, hasDolbyVision: Bool,
    needsDolbyVision: Bool, hasDisplayData: Bool, peak: Double
  ) {
    self.stored = stored
    self.orientation = orientation
    self.coding = coding
    self.rate = rate
    self.frames = frames
    self.seconds = seconds
    self.track = track
    self.codec = codec
    self.isInterlaced = isInterlaced
    self.hasDolbyVision = hasDolbyVision
    self.needsDolbyVision = needsDolbyVision
    self.hasDisplayData = hasDisplayData
    self.peak = peak
  }
}

/// How the planes of a film encode colours.
public struct FilmColours: Sendable, Hashable {
  /// The bits of a sample, 8…16.
  public var bits: Int
  /// The code points of ITU-T H.273; 2 if unknown.
  public var matrix: Int
  public var primaries: Int
  public var transfer: Int
  /// True if samples use all levels; false if 8-bit luma is 16…235.
  public var isFullRange: Bool
  /// True if chroma samples are midway between two columns of luma samples; false if they are at
  /// the left column.
  public var isCentred: Bool

  public init(
    bits: Int, matrix: Int, primaries: Int, transfer: Int, isFullRange: Bool, isCentred: Bool
  ) {
    self.bits = bits
    self.matrix = matrix
    self.primaries = primaries
    self.transfer = transfer
    self.isFullRange = isFullRange
    self.isCentred = isCentred
  }
}

/// A text that a container of films stores under a key.
public struct FilmText: Sendable, Hashable {
  /// The track that it describes, from 0; nil for a text about the film.
  public var track: Int?
  /// The key, as FFmpeg names it.
  public var key: String
  public var value: String

  public init(track: Int? = nil, key: String, value: String) {
    self.track = track
    self.key = key
    self.value = value
  }
}

/// How a film is encoded.
public struct EncodedFilm: Sendable, Hashable {
  /// The container: `mov`, `mp4` or `webm`.
  public var container: String
  /// The codec: `h264`, `hevc`, `av1` or `vp9`.
  public var codec: String
  /// The quality, 1…100.
  public var quality: Int
  /// The effort, 0…8; a higher effort is slower.
  public var effort: Int
  /// The size of the frames as stored; both numbers are even.
  public var size: Size
  /// True if the frames are stored as they are displayed, without the source's rotation.
  public var isUpright: Bool
  public var coding: FilmColours
  public var threads: Int
  /// True if the film gets the sound, the subtitles and the chapters of its source.
  ///
  /// Sound that the container cannot store is re-encoded.
  public var copiesTracks: Bool
  /// The texts of the new film, such as the place of recording, if its tracks are copied.
  public var texts: [FilmText]
  /// The number of frames that one encoder encodes; a new encoder continues.
  public var segment: Int
  /// A file for the packets of finished segments, from which an interrupted rendering continues; nil
  /// for none.
  public var record: Int32?
}
