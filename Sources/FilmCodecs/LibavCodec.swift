import Films
import Glibc
import PhotoRecipes
public import PhotoRender

/// Decodes and encodes films by means of libavformat and libavcodec.
public struct LibavCodec: FilmCodec {
  public init() {}

  public func film(
    in descriptor: Int32, ignoresEdits: Bool, threads: Int
  ) throws(RenderError) -> any FilmReader {
    try LibavFilm(descriptor, ignoresEdits, threads)
  }

  public func encodes(_ codec: String) -> Bool { phbatch_film_encodes(codec) == 1 }
}

/// The buffers of C functions for messages.
private struct Message {
  private var text = [CChar](repeating: 0, count: Int(phbatch_film_text))

  init() {}

  var string: String {
    String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  mutating func withBuffer<Result>(_ body: (UnsafeMutablePointer<CChar>?) -> Result) -> Result {
    text.withUnsafeMutableBufferPointer { body($0.baseAddress) }
  }
}

/// The text in an array of C characters, up to the first NUL.
private func text<Characters>(_ characters: Characters) -> String {
  withUnsafeBytes(of: characters) {
    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
  }
}

/// A film that is decoded frame by frame.
private final class LibavFilm: FilmReader {
  private let film: OpaquePointer
  private(set) var facts: FilmFacts

  init(_ descriptor: Int32, _ ignoresEdits: Bool, _ threads: Int) throws(RenderError) {
    var error = Message()
    let opened = error.withBuffer {
      phbatch_film_open(descriptor, ignoresEdits ? 1 : 0, Int32(clamping: threads), $0)
    }
    guard let opened else { throw .unreadableFilm(error.string) }
    film = opened
    facts = FilmFacts(film)
  }

  deinit { phbatch_film_close(film) }

  func next() throws(RenderError) -> Int64? {
    var time: Int64 = 0
    var error = Message()
    let found = error.withBuffer { phbatch_film_next(film, &time, $0) }
    if found < 0 { throw Self.error(found, error) }
    facts = FilmFacts(film)
    return found == 1 ? time : nil
  }

  func find(seconds: Double) throws(RenderError) -> Bool? {
    var error = Message()
    let found = error.withBuffer { phbatch_film_find(film, seconds, $0) }
    if found < 0 { throw Self.error(found, error) }
    facts = FilmFacts(film)
    return found == 0 ? nil : found == 1
  }

  func stamp(seconds: Double) -> Int64 { phbatch_film_stamp(film, seconds) }

  func cut(to stamps: Range<Int64>) throws(RenderError) -> Bool {
    var error = Message()
    let found = error.withBuffer {
      phbatch_film_cut(film, stamps.lowerBound, stamps.upperBound, $0)
    }
    if found < 0 { throw Self.error(found, error) }
    facts = FilmFacts(film)
    return found == 1
  }

  private static func error(_ code: Int32, _ message: Message) -> RenderError {
    code == -2 ? .unsupportedFilm(message.string) : .unreadableFilm(message.string)
  }

  var texts: [FilmText] {
    var texts: [FilmText] = []
    var tag = phbatch_film_tag()
    while phbatch_film_tag_at(film, Int32(clamping: texts.count), &tag) == 1 {
      texts.append(
        FilmText(
          track: tag.track < 0 ? nil : Int(tag.track), key: String(cString: tag.key),
          value: String(cString: tag.value)))
    }
    return texts
  }

  func copySamples(to samples: inout MutableRawSpan) {
    precondition(
      samples.byteCount >= facts.stored.pixels * 3 * (facts.coding.bits > 8 ? 2 : 1))
    samples.withUnsafeMutableBytes { phbatch_film_rgb(film, $0.baseAddress) }
  }

  func writer(
    to descriptor: Int32, _ format: EncodedFilm
  ) throws(RenderError) -> (writer: any FilmWriter, lost: String) {
    var (warning, error) = (Message(), Message())
    let writer = format.container.withCString { container in
      format.codec.withCString { codec in
        var wanted = phbatch_film_format()
        (wanted.container, wanted.codec) = (container, codec)
        wanted.quality = Int32(clamping: format.quality)
        wanted.effort = Int32(clamping: format.effort)
        wanted.width = Int32(clamping: format.size.width)
        wanted.height = Int32(clamping: format.size.height)
        wanted.is_upright = format.isUpright ? 1 : 0
        wanted.coding = phbatch_film_coding(format.coding)
        wanted.threads = Int32(clamping: format.threads)
        wanted.copies = format.copiesTracks ? 1 : 0
        wanted.segment = Int64(format.segment)
        wanted.record = format.record ?? -1
        return format.texts.withTags { tags in
          (wanted.tags, wanted.tag_count) = (tags.baseAddress, Int32(clamping: tags.count))
          return warning.withBuffer { warning in
            error.withBuffer { phbatch_film_write(descriptor, film, &wanted, warning, $0) }
          }
        }
      }
    }
    guard let writer else { throw .unsupportedFilm(error.string) }
    return (LibavWriter(writer, self), warning.string)
  }
}

extension [FilmText] {
  /// Calls a closure with the texts as values of C, which are valid during the call.
  fileprivate func withTags<Result>(
    _ body: (UnsafeBufferPointer<phbatch_film_tag>) -> Result
  ) -> Result {
    let strings = map { (strdup($0.key), strdup($0.value)) }
    defer { for string in strings.flatMap({ [$0.0, $0.1] }) { free(string) } }
    let tags = zip(self, strings).map { text, strings in
      phbatch_film_tag(
        track: Int32(clamping: text.track ?? -1), key: strings.0, value: strings.1)
    }
    return tags.withUnsafeBufferPointer(body)
  }
}

/// A film that is encoded frame by frame.
private final class LibavWriter: FilmWriter {
  private let writer: OpaquePointer
  /// The source passes packets to the writer, so the source must exist as long as the writer.
  private let source: LibavFilm

  init(_ writer: OpaquePointer, _ source: LibavFilm) {
    self.writer = writer
    self.source = source
  }

  deinit { phbatch_film_writer_close(writer) }

  func add(_ samples: [UInt8], at time: Int64) throws(RenderError) {
    var error = Message()
    let result = samples.withUnsafeBytes { bytes in
      error.withBuffer { phbatch_film_add(writer, bytes.baseAddress, time, $0) }
    }
    if result < 0 { throw .unsupportedFilm(error.string) }
  }

  var convertedSound: ConvertedSound? {
    var change = phbatch_film_sound_change()
    phbatch_film_read_sound(writer, &change)
    let codec = text(change.codec)
    return codec.isEmpty
      ? nil
      : ConvertedSound(
        codec: codec, isMixed: change.is_mixed == 1, isDamaged: change.damaged > 0)
  }

  var recorded: Int { Int(phbatch_film_recorded(writer)) }

  func resume(after frames: Int) { phbatch_film_resume(writer, Int64(frames)) }

  func replay(through time: Int64) throws(RenderError) {
    var error = Message()
    if error.withBuffer({ phbatch_film_replay(writer, time, $0) }) < 0 {
      throw .unsupportedFilm(error.string)
    }
  }

  func finish() throws(RenderError) {
    var error = Message()
    if error.withBuffer({ phbatch_film_finish(writer, $0) }) < 0 {
      throw .unsupportedFilm(error.string)
    }
  }
}

extension FilmFacts {
  fileprivate init(_ film: OpaquePointer) {
    var facts = phbatch_film_facts()
    phbatch_film_read(film, &facts)
    self.init(
      stored: Size(Int(facts.width), Int(facts.height)),
      orientation: Orientation(rawValue: Int(facts.orientation)) ?? .upright,
      coding: FilmColours(
        bits: Int(facts.coding.bits), matrix: Int(facts.coding.matrix),
        primaries: Int(facts.coding.primaries), transfer: Int(facts.coding.transfer),
        isFullRange: facts.coding.is_full_range == 1, isCentred: facts.coding.is_centred == 1),
      rate: facts.rate, frames: Int(facts.frames), seconds: Double(facts.microseconds) / 1e6,
      track: Int(facts.track),
      codec: text(facts.codec),
      isInterlaced: facts.is_interlaced == 1, hasDolbyVision: facts.has_dolby_vision == 1,
      needsDolbyVision: facts.needs_dolby_vision == 1,
      hasDisplayData: facts.has_display_data == 1, peak: facts.peak)
  }
}

extension phbatch_film_coding {
  fileprivate init(_ colours: FilmColours) {
    self.init()
    bits = Int32(clamping: colours.bits)
    matrix = Int32(clamping: colours.matrix)
    primaries = Int32(clamping: colours.primaries)
    transfer = Int32(clamping: colours.transfer)
    is_full_range = colours.isFullRange ? 1 : 0
    is_centred = colours.isCentred ? 1 : 0
  }
}
