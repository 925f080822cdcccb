import Foundation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

/// PNG files written by phbatch's own writer and read by libpng.
@Suite struct PNGTests {
  private static let sizes = [(1, 1), (1, 9), (9, 1), (31, 3), (33, 40), (257, 65)]

  /// Noise on a ramp; pictures of the same shape are identical.
  private static func picture(
    _ width: Int, _ height: Int, _ bands: Int, maximum: Int
  ) -> Samples {
    var random = SeededGenerator(seed: UInt64(width * 7 + height * 3 + bands))
    let values = (0..<width * height * bands).map { (index: Int) -> Int in
      let ramp = maximum * (index / bands % width) / max(1, width)
      let noise = Int(random.next() % UInt64(maximum / 5 + 1))
      return min(maximum, ramp + noise)
    }
    return Samples(width: width, height: height, bands: bands, maximum: maximum, values: values)
  }

  private static func file(
    _ picture: Samples, _ arguments: [String: Argument] = [:],
    fields: [String: Vips.Field?] = [:]
  ) throws -> [UInt8] {
    try picture.file("phbatch_pngsave", arguments, fields: fields)
  }

  @Test(arguments: [1, 2, 3, 4], [255, 65_535])
  func libpngReadsEveryPixelFormatThatTheWriterStores(_ bands: Int, _ maximum: Int) throws {
    for (width, height) in Self.sizes {
      let picture = Self.picture(width, height, bands, maximum: maximum)
      for level in [0, 1, 6, 9] {
        for whole in [0, 1 << 30] {
          let file = try Self.file(
            picture, ["compression": .integer(level), "whole": .integer(whole)])
          #expect(
            try Samples(file: file) == picture, "\(width)×\(height), \(level), \(whole)")
          try Self.check(file)
        }
      }
    }
  }

  @Test func theSamePixelsAlwaysGiveTheSamePNGBytes() throws {
    let picture = Self.picture(300, 200, 3, maximum: 255)
    let file = try Self.file(picture)
    #expect(try Self.file(picture) == file)
    #expect(try Self.file(picture, ["portable": .flag(true)]) == file)
    let deep = Self.picture(301, 77, 4, maximum: 65_535)
    #expect(try Self.file(deep, ["portable": .flag(true)]) == Self.file(deep))
  }

  /// Any single row filter turns a ramp into rows of one constant value; without a filter the rows
  /// contain all values.
  @Test func rowsOfAPNGFileAreFiltered() throws {
    let slope = (0..<256 * 64 * 3).map { (index: Int) -> Int in
      (index / 3 % 256 + index / 768 * 3) % 256
    }
    let picture = Samples(width: 256, height: 64, bands: 3, maximum: 255, values: slope)
    let filtered = try Self.file(picture).count
    let plain = try picture.file("pngsave_target", ["compression": .integer(6)]).count
    #expect(filtered * 3 < plain, "\(filtered), \(plain)")
    #expect(try Self.file(picture, ["compression": .integer(0)]).count > 256 * 64 * 3)
  }

  @Test func aPNGFileContainsThePicturesProfile() throws {
    let standard = try Image.load(from: Source(bytes: Studio.develop(SyntheticPhoto.jpeg(), "[]")))
    let profile = try #require(Self.blob(standard, "icc-profile-data"))
    let file = try Self.file(
      Self.picture(40, 30, 3, maximum: 255), fields: ["icc-profile-data": .blob(profile)])
    try Self.check(file)
    let image = try Image.load(from: Source(bytes: file))
    #expect(Self.blob(image, "icc-profile-data") == profile)
  }

  private static func blob(_ image: Image, _ name: String) -> [UInt8]? {
    if case .blob(let bytes)? = image.field(name) { bytes } else { nil }
  }

  @Test func aPNGFileStatesItsDensityInPixelsPerMetre() throws {
    let output = #""format": "png", "dpi": 300"#
    let file = try Studio.develop(SyntheticPhoto.jpeg(), "[]", output: output)
    let chunk = try #require(try Self.chunks(file).first { $0.type == "pHYs" })
    #expect(chunk.bytes == [0, 0, 0x2E, 0x23, 0, 0, 0x2E, 0x23, 1])
    #expect(try abs(Image.load(from: Source(bytes: file)).horizontalResolution - 11.811) < 0.001)
  }

  /// The PNG writer gives the photo's pixels, with and without interlacing.
  @Test(arguments: [#""format": "png""#, #""format": "png", "interlace": true"#])
  func aPNGRenditionHasThePixelsOfThePhoto(_ output: String) throws {
    let photo = try SyntheticPhoto.png(width: 203, height: 101, alpha: true)
    let file = try Studio.develop(photo, "[]", output: output)
    #expect(try Samples(file: file) == Samples(file: photo))
    #expect(file[28] == (output.contains("interlace") ? 1 : 0))
  }

  @Test func thePNGWriterRefusesFloatsAndFiveBands() throws {
    let wide = try Image(samples: [Float](repeating: 0, count: 12), width: 2, height: 2, bands: 3)
    #expect(throws: VipsError.self) { try wide.save(to: Target(), as: "phbatch_pngsave") }
    let deep = try Image(samples: [UInt8](repeating: 0, count: 20), width: 2, height: 2, bands: 5)
    #expect(throws: VipsError.self) { try deep.save(to: Target(), as: "phbatch_pngsave") }
  }

  private struct Chunk {
    let type: String
    let bytes: [UInt8]
  }

  /// The chunks of a file.
  ///
  /// Their checksums are checked with the polynomial of ISO 3309.
  private static func chunks(_ file: [UInt8]) throws -> [Chunk] {
    #expect(file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    var chunks: [Chunk] = []
    var place = 8
    func number(_ at: Int) -> Int {
      file[at..<at + 4].reduce(0) { (sum: Int, byte: UInt8) -> Int in sum << 8 | Int(byte) }
    }
    while place + 12 <= file.count {
      let count = number(place)
      try #require(place + 12 + count <= file.count)
      let type = file[place + 4..<place + 8]
      let bytes = Array(file[place + 8..<place + 8 + count])
      if count < 100_000 {
        #expect(sum(Array(type) + bytes) == number(place + 8 + count), "\(type)")
      }
      chunks.append(Chunk(type: String(decoding: type, as: UTF8.self), bytes: bytes))
      place += 12 + count
    }
    #expect(place == file.count)
    return chunks
  }

  private static func sum(_ bytes: [UInt8]) -> Int {
    var sum: UInt32 = .max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return Int(~sum)
  }

  private static func check(_ file: [UInt8]) throws {
    let types = try chunks(file).map(\.type)
    #expect(types.first == "IHDR" && types.last == "IEND")
    #expect(types.contains("IDAT"))
  }
}
