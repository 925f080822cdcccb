import Foundation
import PhotoRecipes
import PhotoRender
import TestSupport
import Testing
import Vips

/// The orientation tag is applied to the pixels.
@Suite struct OrientationTests {
  /// The pixel of the stored picture that is at the position (x, y) in the upright picture; Exif
  /// 2.32, tag 0x0112.
  private static func stored(_ tag: Int, _ x: Int, _ y: Int, _ stored: Samples) -> [Int] {
    let (right, bottom) = (stored.width - 1, stored.height - 1)
    return switch tag {
    case 2: stored[right - x, y]
    case 3: stored[right - x, bottom - y]
    case 4: stored[x, bottom - y]
    case 5: stored[y, x]
    case 6: stored[y, bottom - x]
    case 7: stored[right - y, bottom - x]
    case 8: stored[right - y, x]
    default: stored[x, y]
    }
  }

  private static func upright(_ tag: Int, _ picture: Samples) -> Samples {
    let swaps = tag >= 5
    let (width, height) =
      swaps ? (picture.height, picture.width) : (picture.width, picture.height)
    var values: [Int] = []
    for y in 0..<height { for x in 0..<width { values += stored(tag, x, y, picture) } }
    return Samples(width: width, height: height, bands: 3, maximum: 255, values: values)
  }

  /// The picture as a file with an orientation tag.
  private static func tagged(
    _ picture: Samples, _ tag: Int, _ saver: String = "pngsave_target",
    _ arguments: [String: Argument] = [:]
  ) throws -> [UInt8] {
    let file = try picture.file(saver, arguments, fields: ["orientation": .integer(tag)])
    if saver != "pngsave_target" { return file }
    // libvips 8.14 writes no orientation into PNG, so a chunk is inserted after the header.
    let tiff = [
      0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, tag, 0, 0, 0, 0, 0, 0,
    ]
    let chunk = Array("eXIf".utf8) + tiff.map { UInt8($0) }
    return file[..<33] + bytes(UInt32(tiff.count)) + chunk + bytes(checksum(chunk)) + file[33...]
  }

  private static func bytes(_ word: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
  }

  /// The CRC-32 of PNG, annex D.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
    }
    return ~sum
  }

  private static let picture = Result { try Samples(SyntheticPhoto.image(width: 70, height: 40)) }

  @Test(
    arguments: 1...8,
    [("pngsave_target", [:] as [String: Argument]), ("jpegsave_target", ["Q": .integer(95)])])
  func orientationTagsMovePixelsWithoutResampling(
    _ tag: Int, _ saver: (String, [String: Argument])
  ) throws {
    let photo = try Self.tagged(Self.picture.get(), tag, saver.0, saver.1)
    #expect(try Renderer.header(of: .bytes(photo)).orientation.rawValue == tag)
    let asStored = try Samples(file: photo)
    let result = try Image.load(from: Source(bytes: Studio.develop(photo, "[]")))
    #expect(try Samples(result) == Self.upright(tag, asStored))
    if case .integer(let tag)? = result.field("orientation") { #expect(tag == 1) }
  }

  /// One picture stored with each of the orientations, then reduced.
  ///
  /// If the photo is rotated first, the results are identical. If it is reduced first, as in
  /// `balanced`, they may differ by a few levels at full-contrast edges.
  @Test(
    arguments: [
      #"[{"filter": "resize", "width": 33}]"#,
      #"[{"filter": "crop", "left": 3, "top": 5, "width": 40, "height": 20}, {"filter": "resize", "width": 19}]"#,
      #"[{"filter": "vignette", "intensity": -0.7}, {"filter": "crop", "width": 0.5, "height": 0.5, "gravity": "northwest"}]"#,
      #"[{"filter": "rotate", "angle": 90}, {"filter": "resize", "height": 31}, {"filter": "flip"}]"#,
    ], [("exact", 0), ("balanced", 6)])
  func orientationTagsDoNotChangeTheRendition(_ filters: String, _ bound: (String, Int)) throws {
    let upright = try Self.picture.get()
    let wanted = try Samples(file: Studio.develop(upright.file(), filters, rendering: bound.0))
    // For each tag, the tag of the inverse rotation.
    for (tag, inverse) in [2: 2, 3: 3, 4: 4, 5: 5, 6: 8, 7: 7, 8: 6] {
      let stored = Self.upright(inverse, upright)
      let photo = try Self.tagged(stored, tag)
      let result = try Samples(file: Studio.develop(photo, filters, rendering: bound.0))
      #expect(result.difference(from: wanted) <= bound.1, "tag \(tag)")
    }
  }

  @Test(.enabled(if: Corpus.isHere), arguments: ["Landscape", "Portrait"])
  func orientationExamplesOfTheCorpusBecomeUpright(_ shape: String) throws {
    let files = Corpus.files(below: "photos/exif-orientation-examples").filter {
      $0.contains("/\(shape)_") && $0.hasSuffix(".jpg")
    }
    try #require(files.count >= 8)
    try Self.expectAlike(files)
  }

  @Test(.enabled(if: Corpus.isHere)) func theRotationSetOfTheCorpusBecomesUpright() throws {
    let files = Corpus.files(below: "photos/libvips-rotation").filter { $0.hasSuffix(".jpg") }
    try #require(files.count >= 8)
    try Self.expectAlike(files)
  }

  /// Expects that small versions of all files look like the small version of the first file.
  private static func expectAlike(_ files: [String]) throws {
    let small = try files.map { file in
      let photo = [UInt8](try Data(contentsOf: URL(filePath: file)))
      let filters = #"[{"filter": "resize", "width": 24, "height": 24, "fit": "exact"}]"#
      return try Samples(file: Studio.develop(photo, filters))
    }
    for (file, picture) in zip(files, small) {
      try #require(picture.values.count == 24 * 24 * 3)
      let differences = zip(picture.values, small[0].values).map { abs($0 - $1) }
      let mean = Double(differences.reduce(0, +)) / Double(differences.count)
      #expect(mean < 9, "\(file): \(mean)")
    }
  }
}
