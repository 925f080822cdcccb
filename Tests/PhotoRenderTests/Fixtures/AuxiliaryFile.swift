import FileStructure
import PhotoRecipes
import TestSupport
import Testing

/// Files with an auxiliary picture in addition to the photo: AVIF files with alpha, in which the
/// URN of the alpha picture is replaced by that of another kind of picture.
enum AuxiliaryFile {
  private static let alpha = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"

  /// A photo of three bands with an auxiliary picture of one band, stored losslessly.
  static func made(
    _ photo: Samples, _ picture: Samples, _ kind: AuxiliaryPicture
  ) throws -> [UInt8] {
    let name = try #require(kind.names.last)
    let both = Samples(photo.width, photo.height) { photo[$0, $1] + picture[$0, $1] }
    let file = try Studio.develop(
      both.file(), "[]", output: #""format": "avif", "lossless": true"#)
    return try renamed(file, name)
  }

  /// Returns the file with another stated size of the auxiliary picture.
  ///
  /// The size becomes a new property, because the auxiliary picture may share the property of its
  /// size with the photo.
  static func resized(_ file: [UInt8], to size: Size) throws -> [UInt8] {
    let property = Box.bytes("ispe", [0, 0, 0, 0] + bytes(size.width) + bytes(size.height))
    var file = file
    let start = try #require(file.firstRange(of: Array("ipco".utf8))).lowerBound - 4
    let end = start + number(at: start, in: file)
    let properties = Box.all(in: .bytes(file), start + 8..<end).map(\.name)
    try grow(["meta", "iprp", "ipco"], by: property.count, in: &file)
    file.insert(contentsOf: property, at: end)
    let list = try #require(file.firstRange(of: Array("ipma".utf8))).upperBound
    try #require(file[list] == 0 && file[list + 3] == 0)
    var place = list + 8
    for _ in 0..<number(at: list + 4, in: file) {
      let indices = place + 3..<place + 3 + Int(file[place + 2])
      let names = indices.map { properties[Int(file[$0] & 0x7F) - 1] }
      if names.contains("auxC"), let own = names.firstIndex(of: "ispe") {
        file[indices.lowerBound + own] = UInt8(properties.count + 1)
      }
      place = indices.upperBound
    }
    return file
  }

  private static func renamed(_ file: [UInt8], _ name: String) throws -> [UInt8] {
    var file = file
    let more = name.utf8.count - alpha.utf8.count
    try grow(["meta", "iprp", "ipco", "auxC"], by: more, in: &file)
    let old = try #require(file.firstRange(of: Array(alpha.utf8)))
    file.replaceSubrange(old, with: Array(name.utf8))
    return file
  }

  /// Adds `more` bytes to the lengths of boxes and to the offsets of the items behind them.
  private static func grow(_ boxes: [String], by more: Int, in file: inout [UInt8]) throws {
    for box in boxes {
      let place = try #require(file.firstRange(of: Array(box.utf8)))
      add(more, at: place.lowerBound - 4, in: &file)
    }
    let list = try #require(file.firstRange(of: Array("iloc".utf8))).upperBound
    try #require(file[list] == 2 && file[list + 4] == 0x44 && file[list + 5] == 0)
    for item in 0..<number(at: list + 6, in: file) {
      add(more, at: list + 10 + 18 * item + 10, in: &file)
    }
  }

  private static func bytes(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func number(at place: Int, in file: [UInt8]) -> Int {
    file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func add(_ more: Int, at place: Int, in file: inout [UInt8]) {
    file.replaceSubrange(place..<place + 4, with: bytes(number(at: place, in: file) + more))
  }
}
