public import FileStructure
import Notation

/// The film inside a motion photo, which is a JPEG file followed by a film, or a HEIC file with a
/// box that contains the film.
///
/// The film is found by its bytes, because lengths in the metadata are often wrong: phones count
/// other data as part of the film, and other programs remove the film or change the size of the
/// picture before it.
/// - Source: Android, "Motion Photo format" 1.0; ExifTool 12.57, `Samsung.pm`, for photos of
///   Samsung's phones without XMP.
public struct EmbeddedFilm: Sendable, Hashable {
  /// The byte range of the film in the file.
  public let range: Range<Int>
  /// The length in bytes that the metadata state; nil if they state none.
  public let statedLength: Int?
  /// The time in the film at which the photo was taken, in microseconds; -1 if it is unknown.
  public let microseconds: Int

  /// Finds the film of a file; nil if the file has none.
  public init?(in source: ByteSource) {
    guard let format = ContainerFormat(of: source) else { return nil }
    self.init(in: source, format, format.blocks(in: source).xmp)
  }

  /// - Parameters:
  ///   - source: The file.
  ///   - format: The format of the file.
  ///   - packets: The XMP packets of the file.
  init?(in source: ByteSource, _ format: ContainerFormat, _ packets: [[UInt8]]) {
    let found: Range<Int>?
    switch format {
    case .jpeg:
      // Other programs remove the metadata that announce a film, but not the film.
      guard packets.contains(where: Self.announces) || !Self.endsAsPicture(source) else {
        return nil
      }
      // The last segment of a file that is cut off can end behind the file.
      let start = min(JPEGFile(source).segments.last?.end ?? 2, source.count)
      found = Self.last(in: source, start..<source.count)
    case .heif:
      let boxes = Box.all(in: source, 0..<source.count)
      var count = 0
      let named = boxes.first { $0.name == "mpvd" }
        .flatMap { Self.film(in: source, $0.content, counting: &count) }
      found =
        named ?? boxes.first { $0.name == "sefd" }.flatMap { Self.last(in: source, $0.content) }
    case .png, .webp, .tiff, .jxl, .gif: return nil
    }
    guard let found else { return nil }
    range = found
    var xmp = XMP()
    for packet in packets { if let more = try? XMP(packet) { xmp.merge(more) } }
    statedLength = ContainerDirectory.statedFilmLength(in: xmp)
    let times = ["MotionPhotoPresentationTimestampUs", "MicroVideoPresentationTimestampUs"]
    microseconds =
      times.lazy.compactMap { xmp.text(ContainerDirectory.camera($0)).flatMap { Int($0) } }.first
      ?? -1
  }

  /// The result of searching a file for a film.
  public enum Search: Sendable, Hashable {
    case none
    /// The file says that it contains a film, and has the start of one, but the film is cut off or
    /// damaged. A file from which another program has removed the film is `none`.
    case damaged
    case film(EmbeddedFilm)
  }

  public static func search(_ source: ByteSource) -> Search {
    guard let format = ContainerFormat(of: source) else { return .none }
    let packets = format.blocks(in: source).xmp
    if let film = EmbeddedFilm(in: source, format, packets) { return .film(film) }
    return hasPart(source, format, packets) ? .damaged : .none
  }

  /// True if a file that contains no whole film says that it contains one, and has the start of one.
  private static func hasPart(
    _ source: ByteSource, _ format: ContainerFormat, _ packets: [[UInt8]]
  ) -> Bool {
    switch format {
    case .jpeg:
      guard packets.contains(where: announces) || hasSamsungTrailer(source) else { return false }
      let name = Array("ftyp".utf8)
      let start = JPEGFile(source).segments.last?.end ?? 2
      return stride(from: start, to: source.count, by: window).contains { offset in
        source.bytes(at: offset, min(window + name.count - 1, source.count - offset))
          .firstRange(of: name) != nil
      }
    case .heif:
      let boxes = Box.all(in: source, 0..<source.count)
      return boxes.contains { $0.name == "mpvd" }
        || source.bytes(at: boxes.last?.end ?? 0, 8).name(at: 4) == "mpvd"
    case .png, .webp, .tiff, .jxl, .gif: return false
    }
  }

  /// True if an XMP packet states that the file contains a film.
  private static func announces(_ packet: [UInt8]) -> Bool {
    ["MotionPhoto", "MicroVideo"].contains { packet.contains(Array($0.utf8)) }
  }

  /// True if the last bytes of a JPEG file are the end of a picture; bytes of 0 may follow.
  private static func endsAsPicture(_ source: ByteSource) -> Bool {
    let mark: [UInt8] = [0xFF, 0xD9]
    if source.bytes(at: source.count - mark.count, mark.count) == mark { return true }
    let count = min(source.count, 1 << 16)
    let tail = source.bytes(at: source.count - count, count)
    let end = tail.lastIndex { $0 != 0 } ?? 0
    return end > 0 && tail[(end - 1)...end].elementsEqual(mark)
  }

  private static func hasSamsungTrailer(_ source: ByteSource) -> Bool {
    source.bytes(at: source.count - 4, 4) == Array("SEFT".utf8)
  }

  /// The types of the boxes at the top level of a film; others can be between them.
  private static let boxes: Set<String> = [
    "ftyp", "moov", "mdat", "free", "skip", "wide", "uuid", "udta", "meta", "moof", "mfra", "sidx",
    "styp", "pdin",
  ]

  /// The film that begins at the start of a range; nil if no film begins there, or if the film is
  /// incomplete.
  ///
  /// `count` is increased by the number of boxes that were read.
  private static func film(
    in source: ByteSource, _ range: Range<Int>, counting count: inout Int
  ) -> Range<Int>? {
    let all = Box.all(in: source, range)
    count += all.count
    // The bytes after the film can also have the form of boxes.
    let found = all.prefix { $0.name.utf8.allSatisfy { (0x20...0x7E).contains($0) } }
    let names = found.map(\.name)
    guard names.first == "ftyp", names.contains("moov"), names.contains("mdat"),
      let last = found.last(where: { boxes.contains($0.name) })
    else { return nil }
    return range.lowerBound..<last.end
  }

  private static let window = 1 << 20
  /// The maximum number of boxes that a search reads.
  ///
  /// Without this limit, the search in a file of a few hundred kilobytes could take hours, if many
  /// boxes in the file look like the start of a film.
  private static let mostBoxes = 100_000

  /// The last film in a range; if the search reaches its limit of boxes, the last film that was
  /// found until then.
  private static func last(in source: ByteSource, _ range: Range<Int>) -> Range<Int>? {
    let name = Array("ftyp".utf8)
    var (found, offset): (Range<Int>?, Int) = (nil, range.lowerBound)
    var count = 0
    while offset < range.upperBound, count < mostBoxes {
      let bytes = source.bytes(at: offset, min(window, range.upperBound - offset))
      var next = offset + max(1, bytes.count - name.count + 1)
      if bytes.count < window { next = range.upperBound }
      var place = 0
      while count < mostBoxes, let hit = bytes[place...].firstRange(of: name) {
        let start = offset + hit.lowerBound - 4
        place = hit.upperBound
        guard start >= range.lowerBound,
          let film = film(in: source, start..<range.upperBound, counting: &count)
        else { continue }
        found = film
        if film.upperBound - offset >= bytes.count {
          next = max(next, film.upperBound)
          break
        }
        place = film.upperBound - offset
      }
      offset = next
    }
    return found
  }
}

extension EmbeddedFilm {
  /// A line of text for users that describes the film of the file, or states that the metadata name
  /// a film that the file lacks; nil if the file neither names nor contains a film.
  static func line(of source: ByteSource, _ format: ContainerFormat) -> String? {
    let packets = format.blocks(in: source).xmp
    guard let film = EmbeddedFilm(in: source, format, packets) else {
      return packets.contains(where: announces)
        ? "says that it contains a film (motion photo), but contains none" : nil
    }
    let length = film.range.count
    let stated =
      film.statedLength.map { $0 == length ? "" : "; its metadata state \($0) bytes" } ?? ""
    return
      "a film (motion photo): \(length) bytes at offset \(film.range.lowerBound)\(stated)"
  }
}
