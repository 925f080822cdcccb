import FileStructure
import TestSupport
import Testing
import Vips

/// TIFF files with any profile, also a damaged one or one for other colours.
///
/// libvips 8.15 and later do not write such profiles.
enum ProfiledFile {
  static func tiff(_ image: Image, _ profile: [UInt8]) throws -> [UInt8] {
    var file = try SyntheticPhoto.bytes(image, "tiffsave_target")
    try #require(file.starts(with: [0x49, 0x49, 42, 0]))
    func number(_ place: Int, _ width: Int) throws -> Int {
      try #require(file.number(at: place, width, .little))
    }
    func bytes(_ number: Int, _ width: Int) -> [UInt8] { ByteOrder.little.bytes(number, width) }
    let list = try number(4, 4)
    let fields = try (0..<number(list, 2)).map { index in
      let place = list + 2 + 12 * index
      return (try number(place, 2), Array(file[place..<place + 12]))
    }
    if !file.count.isMultiple(of: 2) { file.append(0) }
    // Appends a new list of fields to the file, then the profile; 7 is the field type for bytes of
    // any meaning.
    let place = file.count + 2 + 12 * (fields.count + 1) + 4
    let tag = 34_675
    let field = bytes(tag, 2) + bytes(7, 2) + bytes(profile.count, 4) + bytes(place, 4)
    let all = (fields + [(tag, field)]).sorted { $0.0 < $1.0 }
    file.replaceSubrange(4..<8, with: bytes(file.count, 4))
    return file + bytes(all.count, 2) + all.flatMap(\.1) + bytes(0, 4) + profile
  }
}
