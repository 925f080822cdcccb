import Foundation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

/// Pyramids of tiles: the tests unpack them and assemble their levels.
@Suite struct DeepZoomTests {
  /// The files of an archive, as listed by its directory.
  struct Archive {
    private(set) var files: [String: [UInt8]] = [:]
    private(set) var names: [String] = []

    init(_ bytes: [UInt8]) throws {
      func number(_ at: Int, _ count: Int) -> Int {
        bytes[at..<at + count].reversed().reduce(0) { (sum: Int, byte: UInt8) -> Int in
          sum << 8 | Int(byte)
        }
      }
      let end = bytes.count - 22
      try #require(end > 0 && number(end, 4) == 0x0605_4B50)
      var entry = number(end + 16, 4)
      for _ in 0..<number(end + 10, 2) {
        try #require(number(entry, 4) == 0x0201_4B50)
        #expect(number(entry + 10, 2) == 0, "stored")
        let (length, name) = (number(entry + 20, 4), number(entry + 28, 2))
        let head = number(entry + 42, 4)
        try #require(number(head, 4) == 0x0403_4B50)
        #expect(Array(bytes[head + 14..<head + 26]) == Array(bytes[entry + 16..<entry + 28]))
        let text = String(decoding: bytes[entry + 46..<entry + 46 + name], as: UTF8.self)
        let start = head + 30 + number(head + 26, 2) + number(head + 28, 2)
        names.append(text)
        files[text] = Array(bytes[start..<start + length])
        entry += 46 + name + number(entry + 30, 2)
      }
      #expect(entry == end)
      #expect(files.count == names.count)
    }
  }

  private static func archive(
    _ photo: [UInt8], _ settings: String = "", filters: String = "[]"
  ) throws -> Archive {
    try Archive(
      Studio.develop(photo, filters, output: #""format": "dzi""# + settings))
  }

  /// Assembles one level from its tiles.
  private static func level(
    _ number: Int, of archive: Archive, width: Int, height: Int, tile: Int, overlap: Int,
    suffix: String
  ) throws -> Samples {
    var whole = Samples.flat([-1, -1, -1], width, height)
    for row in 0...(height - 1) / tile {
      for column in 0...(width - 1) / tile {
        let name = "image/image_files/\(number)/\(column)_\(row).\(suffix)"
        let part = try Samples(file: #require(archive.files[name], "\(name)"))
        let (left, top) = (max(0, column * tile - overlap), max(0, row * tile - overlap))
        #expect(part.width == min(width, (column + 1) * tile + overlap) - left, "\(name)")
        #expect(part.height == min(height, (row + 1) * tile + overlap) - top, "\(name)")
        for y in 0..<part.height {
          for x in 0..<part.width {
            let place = ((top + y) * width + left + x) * 3
            // Overlapping pixels are identical in both tiles.
            if whole.values[place] >= 0 {
              #expect(suffix != "png" || whole[left + x, top + y] == part[x, y])
            }
            whole.values.replaceSubrange(place..<place + 3, with: part[x, y])
          }
        }
      }
    }
    return whole
  }

  /// The picture at half its size: the means of 2 × 2 pixels.
  ///
  /// If a side is odd, its last row or column is used twice.
  private static func half(_ picture: Samples) -> Samples {
    let (width, height) = ((picture.width + 1) / 2, (picture.height + 1) / 2)
    var values: [Int] = []
    for y in 0..<height {
      for x in 0..<width {
        let (right, below) = (min(2 * x + 1, picture.width - 1), min(2 * y + 1, picture.height - 1))
        let four = [
          picture[2 * x, 2 * y], picture[right, 2 * y], picture[2 * x, below],
          picture[right, below],
        ]
        for band in 0..<3 {
          let sum = four.reduce(0) { (sum: Int, pixel: [Int]) -> Int in sum + pixel[band] }
          values.append((sum + 2) / 4)
        }
      }
    }
    return Samples(width: width, height: height, bands: 3, maximum: 255, values: values)
  }

  @Test(arguments: [
    (1, 1, 254, 1), (70, 1, 64, 1), (1, 130, 64, 0), (200, 131, 64, 0), (199, 130, 64, 1),
    (129, 257, 64, 5), (300, 140, 100, 2), (128, 128, 64, 1), (127, 64, 65, 64),
  ])
  func aPyramidContainsEveryLevelInTiles(
    _ width: Int, _ height: Int, _ tile: Int, _ overlap: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(width * 1000 + height))
    let noise = (0..<width * height * 3).map { _ in Int(random.next() % 256) }
    var picture = Samples(width: width, height: height, bands: 3, maximum: 255, values: noise)
    let archive = try Self.archive(
      picture.file(), #", "tileSize": \#(tile), "overlap": \#(overlap), "suffix": "png""#)
    var number = 0
    while 1 << number < max(width, height) { number += 1 }
    var files = 1
    for level in (0...number).reversed() {
      files += ((picture.width - 1) / tile + 1) * ((picture.height - 1) / tile + 1)
      let made = try Self.level(
        level, of: archive, width: picture.width, height: picture.height, tile: tile,
        overlap: overlap, suffix: "png")
      #expect(made == picture, "level \(level)")
      if level > 0 { picture = Self.half(picture) }
    }
    #expect(picture.width == 1 && picture.height == 1)
    #expect(archive.files.count == files)
  }

  @Test func theXMLDescriptionStatesTheTileLayout() throws {
    let archive = try Self.archive(SyntheticPhoto.jpeg(width: 321, height: 123))
    let text = String(decoding: try #require(archive.files["image/image.dzi"]), as: UTF8.self)
    #expect(archive.names.first == "image/image.dzi")
    let document = try XMLSummary(text)
    #expect(
      document.attributes == [
        "Image.TileSize": "254", "Image.Overlap": "1", "Image.Format": "jpg",
        "Image.xmlns": "http://schemas.microsoft.com/deepzoom/2008", "Size.Width": "321",
        "Size.Height": "123",
      ])
  }

  @Test(arguments: ["jpg", "webp"]) func tilesInLossyFormatsLookLikeThePhoto(
    _ suffix: String
  ) throws {
    let photo = try SyntheticPhoto.png(width: 500, height: 400)
    let archive = try Self.archive(photo, #", "suffix": "\#(suffix)", "quality": 95"#)
    let made = try Self.level(
      9, of: archive, width: 500, height: 400, tile: 254, overlap: 1, suffix: suffix)
    let wanted = try Samples(file: photo)
    let difference = zip(made.values, wanted.values).map { abs($0 - $1) }.reduce(0, +)
    #expect(difference < 2 * made.values.count)
    let tile = try Image.load(
      from: Source(bytes: #require(archive.files["image/image_files/9/0_0.\(suffix)"])))
    #expect(!tile.metadataNames.contains("icc-profile-data"))
  }

  @Test func tilesInAnotherColourSpaceContainItsProfile() throws {
    let archive = try Self.archive(
      SyntheticPhoto.png(width: 100, height: 80), #", "profile": "display-p3""#)
    let tile = try #require(archive.files["image/image_files/7/0_0.jpg"])
    let names = try Image.load(from: Source(bytes: tile)).metadataNames
    #expect(names.contains("icc-profile-data"))
  }

  @Test func tilesWithoutAlphaShowAWhiteBackground() throws {
    let clear = Samples.flat([0, 0, 0, 0], 80, 70)
    let archive = try Self.archive(clear.file(), #", "suffix": "png""#)
    let tile = try #require(archive.files["image/image_files/7/0_0.png"])
    #expect(try Samples(file: tile) == .flat([255, 255, 255], 80, 70))
  }

  @Test func theSamePhotoAlwaysGivesTheSamePyramid() throws {
    let photo = try SyntheticPhoto.jpeg(width: 700, height: 500)
    let output = #""format": "dzi", "suffix": "webp""#
    #expect(
      try Studio.develop(photo, "[]", output: output)
        == Studio.develop(photo, "[]", output: output))
  }

  private static var isPythonHere: Bool {
    if FileManager.default.fileExists(atPath: "/usr/bin/python3") { return true }
    print("SKIPPED: python3 is not installed")
    return false
  }

  /// Python's `zipfile` module unpacks the archive of a pyramid, and finds all checksums correct.
  @Test(.enabled(if: isPythonHere)) func pythonUnpacksTheArchiveOfAPyramid() throws {
    let file = try Studio.develop(
      SyntheticPhoto.jpeg(width: 900, height: 700), "[]", output: #""format": "dzi""#)
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).szi")
    try Data(file).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-m", "zipfile", "-t", path.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && output.contains("Done testing"), "\(output)")
  }

  @Test func aPyramidCannotBeTheCurrentRendition() throws {
    #expect(throws: (any Error).self) {
      try Studio.recipe("[]", output: #""format": "dzi", "current": true"#)
    }
  }
}

/// The attributes of all elements of an XML document; the keys have the form `Element.attribute`.
private struct XMLSummary {
  private(set) var attributes: [String: String] = [:]

  init(_ text: String) throws {
    let tag = try Regex(#"<(\w+)((?:\s+[\w:]+="[^"]*")*)\s*/?>"#)
    let attribute = try Regex(#"([\w:]+)="([^"]*)""#)
    for match in text.matches(of: tag) {
      let (name, list) = (match[1].substring ?? "", match[2].substring ?? "")
      for pair in list.matches(of: attribute) {
        attributes["\(name).\(pair[1].substring ?? "")"] = pair[2].substring.map(String.init)
      }
    }
  }
}
