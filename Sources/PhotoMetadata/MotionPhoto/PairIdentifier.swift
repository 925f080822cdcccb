public import FileStructure
import Hashing

/// The identifier that joins the photo and the film of a Live Photo.
public enum PairIdentifier {
  private static let key = Array("com.apple.quicktime.content.identifier".utf8)
  private static let longestHeader = 1 << 22

  /// An identifier that depends on these texts only, in the form of a UUID of version 8.
  ///
  /// - Source: RFC 9562, 5.8.
  public static func named(_ texts: [String]) -> String {
    var bytes = Array(Hash.of(Array(texts.joined(separator: "\n").utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      let digits = String(byte, radix: 16, uppercase: true)
      text += digits.count < 2 ? "0\(digits)" : digits
    }
    return text
  }

  /// The identifier in a film's header; nil if there is none.
  public static func inFilm(_ file: ByteSource) -> String? {
    place(inFilm: file).map {
      String(decoding: file.bytes(at: $0.lowerBound, $0.count), as: UTF8.self)
    }
  }

  /// The place of the identifier in a film's file.
  ///
  /// Apple's films have their metadata in the header of the film, films by FFmpeg in the user data
  /// of the header.
  ///
  /// - Source: Apple, "QuickTime File Format", "Metadata"; FFmpeg 5.1, `mov_write_udta_tag`.
  public static func place(inFilm file: ByteSource) -> Range<Int>? {
    let top = Box.all(in: file, 0..<file.count)
    guard let movie = top.first(where: { $0.name == "moov" }) else { return nil }
    let boxes = Box.all(in: file, movie.content)
    let user = boxes.filter { $0.name == "udta" }.flatMap { Box.all(in: file, $0.content) }
    return (boxes + user).lazy.filter { $0.name == "meta" }
      .compactMap { place(in: $0, of: file) }.first
  }

  private static func place(in meta: Box, of file: ByteSource) -> Range<Int>? {
    guard meta.length <= longestHeader else { return nil }
    // In MP4 files, four bytes of version and flags precede the boxes.
    let isPlain = file.bytes(at: meta.content.lowerBound, 8).name(at: 4) == "hdlr"
    let start = meta.content.lowerBound + (isPlain ? 0 : 4)
    guard start < meta.end else { return nil }
    let boxes = Box.all(in: file, start..<meta.end)
    guard let keys = boxes.first(where: { $0.name == "keys" }),
      let values = boxes.first(where: { $0.name == "ilst" }),
      let number = self.number(in: file.bytes(at: keys.content.lowerBound, keys.content.count))
    else { return nil }
    for item in items(file, values.content) where item.name == number {
      for data in items(file, item.content) where data.content.count > 8 {
        return (data.content.lowerBound + 8)..<data.content.upperBound
      }
    }
    return nil
  }

  /// The number of the identifier's key, which counts from 1; nil if the keys do not have it.
  private static func number(in keys: [UInt8]) -> Int? {
    guard let count = keys.number(at: 4, 4, .big) else { return nil }
    var place = 8
    for number in 1...max(1, count) {
      guard let length = keys.number(at: place, 4, .big), length >= 8,
        place + length <= keys.count
      else { return nil }
      if keys[(place + 8)..<(place + length)].elementsEqual(key) { return number }
      place += length
    }
    return nil
  }

  /// The boxes in a range, whose names are numbers.
  private static func items(
    _ file: ByteSource, _ range: Range<Int>
  ) -> [(name: Int, content: Range<Int>)] {
    var found: [(name: Int, content: Range<Int>)] = []
    var offset = range.lowerBound
    while offset + 8 <= range.upperBound {
      guard let length = file.number(at: offset, 4, .big), length >= 8,
        length <= range.upperBound - offset, let name = file.number(at: offset + 4, 4, .big)
      else { break }
      found.append((name, (offset + 8)..<(offset + length)))
      offset += length
    }
    return found
  }
}
