import PhotoRecipes
import Testing

/// Files with an auxiliary picture in addition to the photo: AVIF files with alpha, whose alpha
/// picture gets another URN.
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

  /// Returns the file with the size that it states for the auxiliary picture replaced.
  static func resized(_ file: [UInt8], to size: Size) throws -> [UInt8] {
    var file = file
    // The properties of the auxiliary picture precede the properties of the photo.
    let place = try #require(file.firstRange(of: Array("ispe".utf8)))
    let numbers = [size.width, size.height].flatMap(bytes)
    file.replaceSubrange((place.upperBound + 4)..<(place.upperBound + 12), with: numbers)
    return file
  }

  private static func renamed(_ file: [UInt8], _ name: String) throws -> [UInt8] {
    var file = file
    let more = name.utf8.count - alpha.utf8.count
    for box in ["meta", "iprp", "ipco", "auxC"] {
      let place = try #require(file.firstRange(of: Array(box.utf8)))
      add(more, at: place.lowerBound - 4, in: &file)
    }
    let list = try #require(file.firstRange(of: Array("iloc".utf8))).upperBound
    try #require(file[list] == 2 && file[list + 4] == 0x44 && file[list + 5] == 0)
    for item in 0..<number(at: list + 6, in: file) {
      add(more, at: list + 10 + 18 * item + 10, in: &file)
    }
    let old = try #require(file.firstRange(of: Array(alpha.utf8)))
    file.replaceSubrange(old, with: Array(name.utf8))
    return file
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
