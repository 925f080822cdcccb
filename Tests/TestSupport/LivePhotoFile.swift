/// JPEG files with an Apple maker note that names the film of a Live Photo; ExifTool cannot create
/// this note.
public enum LivePhotoFile {
  /// A JPEG file with a maker note of two tags: the identifier of the Live Photo, and the video
  /// index 4,235,300.
  public static func photo(
    _ file: [UInt8], identifier: String, isLittle: Bool = false
  ) -> [UInt8] {
    func number(_ value: Int, _ width: Int, isLittle: Bool = false) -> [UInt8] {
      let bytes = (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return isLittle ? bytes : bytes.reversed()
    }
    func field(
      _ tag: Int, _ type: Int, _ count: Int, _ value: Int, isLittle: Bool = false
    ) -> [UInt8] {
      number(tag, 2, isLittle: isLittle) + number(type, 2, isLittle: isLittle)
        + number(count, 4, isLittle: isLittle) + number(value, 4, isLittle: isLittle)
    }
    let text = Array(identifier.utf8) + [0]
    let head = Array("Apple iOS\0".utf8) + [0, 1] + Array((isLittle ? "II" : "MM").utf8)
    let end = head.count + 2 + 2 * 12 + 4
    let note =
      head + number(2, 2, isLittle: isLittle)
      + field(0x0011, 2, text.count, end, isLittle: isLittle)
      + field(0x0017, 4, 1, 4_235_300, isLittle: isLittle) + [0, 0, 0, 0] + text
    let make = Array("Apple\0".utf8)
    let (first, second) = (8 + 2 + 2 * 12 + 4, 2 + 12 + 4)
    let tiff =
      Array("MM".utf8) + number(42, 2) + number(8, 4) + number(2, 2)
      + field(0x010F, 2, make.count, first + second) + field(0x8769, 4, 1, first)
      + number(0, 4) + number(1, 2) + field(0x927C, 7, note.count, first + second + make.count)
      + number(0, 4) + make + note
    let payload = Array("Exif\0\0".utf8) + tiff
    return Array(file[..<2]) + [0xFF, 0xE1] + number(payload.count + 2, 2) + payload + file[2...]
  }
}
