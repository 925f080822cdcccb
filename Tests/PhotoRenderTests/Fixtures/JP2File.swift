import TestSupport
import Testing
import Vips

/// Creates JPEG 2000 files with the boxes that a test needs.
enum JP2File {
  /// A lossless codestream of a picture; each band is a component.
  static func codestream(_ samples: Samples) throws -> [UInt8] {
    let file = try samples.file("jp2ksave_target", ["lossless": .flag(true)])
    let name = Array("jp2c".utf8)
    let place = try #require((0..<file.count - 4).first { file[$0..<$0 + 4].elementsEqual(name) })
    return Array(file[(place + 4)...])
  }

  /// A file that contains a codestream, with these boxes in its header after the box `ihdr`.
  static func file(
    _ codestream: [UInt8], width: Int, height: Int, components: Int, _ boxes: [[UInt8]]
  ) -> [UInt8] {
    let size = number(height, 4) + number(width, 4) + number(components, 2)
    return box("jP  ", [0x0D, 0x0A, 0x87, 0x0A]) + box("ftyp", Array("jp2 \0\0\0\0jp2 ".utf8))
      + box("jp2h", box("ihdr", size + [7, 7, 0, 0]) + boxes.joined()) + box("jp2c", codestream)
  }

  /// A lossless file of a picture.
  static func file(_ samples: Samples, _ boxes: [[UInt8]]) throws -> [UInt8] {
    file(
      try codestream(samples), width: samples.width, height: samples.height,
      components: samples.bands, boxes)
  }

  /// The box of a colour space by its code: 12 CMYK, 14 CIELab, 16 sRGB, 17 grey, 18 sYCC.
  static func colours(_ code: Int) -> [UInt8] { box("colr", [1, 0, 0] + number(code, 4)) }

  /// The box of channel definitions: for each channel its kind (0 colour, 1 alpha, 2 premultiplied
  /// alpha) and the number of the colour that it stores.
  static func definitions(_ list: [(kind: Int, colour: Int)]) -> [UInt8] {
    let entries = list.enumerated().flatMap { channel, meaning -> [UInt8] in
      number(channel, 2) + number(meaning.kind, 2) + number(meaning.colour, 2)
    }
    return box("cdef", number(list.count, 2) + entries)
  }

  /// The boxes of a palette of 8-bit colours for the first component.
  static func palette(_ entries: [[Int]]) -> [[UInt8]] {
    let head = number(entries.count, 2) + [3, 7, 7, 7]
    let maps = (UInt8(0)..<3).flatMap { column -> [UInt8] in [0, 0, 1, column] }
    let values = entries.joined().map { UInt8($0) }
    return [box("pclr", head + values), box("cmap", maps)]
  }

  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count + 8, 4) + Array(name.utf8) + content
  }

  private static func number(_ number: Int, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(number >> (8 * (width - 1 - $0)) & 255) }
  }
}
