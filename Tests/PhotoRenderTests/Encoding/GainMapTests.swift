import FileStructure
import PhotoMetadata
import PhotoRecipes
import PhotoRender
import TestSupport
import Testing
import Vips

/// The gain map of a JPEG photo is cropped, rotated and resized together with the photo.
@Suite struct GainMapTests {
  private static let photo = Samples(96, 64) { x, y in [60 + x, 90 + y, 200 - x] }
  /// The sample of the map at a position of the stored photo, 0…1.
  private static func gain(_ x: Double, _ y: Double) -> Double { 20 + 120 * x + 90 * y }
  private static let map = Samples(48, 32) { x, y in
    [Int(gain((Double(x) + 0.5) / 48, (Double(y) + 0.5) / 32).rounded())]
  }

  private static func file(
    _ dialect: UltraHDRFile.Dialect = .adobe, orientation: Int = 1
  ) throws -> [UInt8] {
    let best: [String: Argument] = ["Q": .integer(98), "subsample-mode": .choice("off")]
    return UltraHDRFile.bytes(
      base: try photo.file(
        "jpegsave_target", best, fields: ["orientation": .integer(orientation)]),
      map: try map.file("jpegsave_target", best), dialect)
  }

  private static func rendered(
    _ file: [UInt8], _ filters: String, _ output: String = #""format": "jpeg""#
  ) throws -> (map: GainMap?, file: [UInt8], warnings: [String]) {
    let (files, report) = try Studio.render(file, Studio.recipe(filters, output: output))
    let bytes = try #require(files["out"])
    return (GainMap(of: .bytes(bytes)), bytes, report.warnings)
  }

  /// Steps of a recipe; each is listed with a function from a position in the rendition to the
  /// position in the stored photo.
  private static let geometry: [(String, @Sendable (Double, Double) -> (Double, Double))] = [
    ("[]", { ($0, $1) }),
    (#"[{"filter": "resize", "width": 48}]"#, { ($0, $1) }),
    (
      #"[{"filter": "crop", "left": 24, "right": 24, "bottom": 32}]"#,
      { (0.25 + $0 / 2, $1 / 2) }
    ),
    (#"[{"filter": "rotate", "angle": 90}]"#, { ($1, 1 - $0) }),
    (#"[{"filter": "flip", "direction": "horizontal"}]"#, { (1 - $0, $1) }),
    (
      #"[{"filter": "rotate", "angle": 180}, {"filter": "exposure", "stops": 0.5}]"#,
      { (1 - $0, 1 - $1) }
    ),
  ]

  @Test(arguments: UltraHDRFile.Dialect.allCases)
  func theGainMapIsCroppedRotatedAndResizedWithThePhoto(
    _ dialect: UltraHDRFile.Dialect
  ) throws {
    for (filters, place) in Self.geometry {
      let found = try Self.rendered(Self.file(dialect), filters)
      try Self.check(found, place, filters)
    }
  }

  private static func check(
    _ found: (map: GainMap?, file: [UInt8], warnings: [String]),
    _ place: (Double, Double) -> (Double, Double), _ filters: String
  ) throws {
    #expect(!found.warnings.contains { $0.contains("gain map") }, "\(found.warnings)")
    let map = try #require(found.map, "\(filters)")
    let channel = try #require(map.description.channels.first)
    #expect(map.description.channels.count == 1)
    #expect(channel.minimum == -1 && channel.maximum == 3 && channel.gamma == 1)
    #expect(channel.baseOffset == 1.0 / 64 && channel.alternateOffset == 1.0 / 64)
    #expect(map.description.baseHeadroom == 0 && map.description.alternateHeadroom == 2.5)
    let gains = try Samples(file: map.picture)
    let whole = try Samples(file: found.file)
    #expect(gains.width <= whole.width / 2 && gains.width >= whole.width / 3)
    for y in stride(from: 1, to: gains.height - 1, by: 3) {
      for x in stride(from: 1, to: gains.width - 1, by: 3) {
        let (u, v) = place(
          (Double(x) + 0.5) / Double(gains.width), (Double(y) + 0.5) / Double(gains.height))
        #expect(abs(Double(gains[x, y, 0]) - gain(u, v)) <= 4, "\(filters): \(x), \(y)")
      }
    }
  }

  /// The map of a photo with an orientation tag is stored in the same orientation as the photo's
  /// pixels.
  @Test func theGainMapIsTurnedUprightWithThePhoto() throws {
    let found = try Self.rendered(Self.file(orientation: 6), "[]")
    try Self.check(found, { ($1, 1 - $0) }, "orientation 6")
  }

  /// A map with as many pixels as the photo keeps its details in a crop.
  @Test func aGainMapInFullResolutionKeepsItsDetailsInACrop() throws {
    func stripe(_ x: Int) -> Int { x / 3 % 2 == 0 ? 60 : 190 }
    let best: [String: Argument] = ["Q": .integer(98), "subsample-mode": .choice("off")]
    let file = UltraHDRFile.bytes(
      base: try Self.photo.file("jpegsave_target", best),
      map: try Samples(96, 64) { x, _ in [stripe(x)] }.file("jpegsave_target", best), .adobe)
    for (filter, width, first) in [
      (#"{"filter": "crop", "left": 25, "right": 23}"#, 48, 25),
      (#"{"filter": "crop", "left": 20}"#, 76, 20), ("", 96, 0),
    ] {
      let found = try Self.rendered(file, "[\(filter)]")
      let gains = try Samples(file: #require(found.map).picture)
      #expect(gains.width == width && gains.height == 64)
      for x in 0..<width {
        #expect(abs(gains[x, 31, 0] - stripe(first + x)) <= 20, "\(filter): \(x)")
      }
    }
    // A smaller rendition has a smaller map, with about the mean of the stripes.
    let small = try Self.rendered(file, #"[{"filter": "resize", "width": 16}]"#)
    let gains = try Samples(file: #require(small.map).picture)
    #expect(gains.width == 16)
    for x in 1..<15 { #expect(abs(gains[x, 5, 0] - 125) <= 35, "\(x): \(gains[x, 5, 0])") }
  }

  /// On a border around the photo the gain is 1; in a range of −1…3 stops, this is a quarter.
  @Test func theGainMapHasNoEffectOnABorder() throws {
    let found = try Self.rendered(
      Self.file(), ##"[{"filter": "border", "width": 32, "colour": "#ffffff"}]"##)
    let gains = try Samples(file: #require(found.map).picture)
    #expect(abs(gains[2, 2, 0] - 64) <= 2 && abs(gains[gains.width - 3, 20, 0] - 64) <= 2)
    let middle = gains[gains.width / 2, gains.height / 2, 0]
    #expect(abs(Double(middle) - Self.gain(0.5, 0.5)) <= 5)
  }

  /// Below a text, an image and rounded corners, the gain is 1, so their colours stay unchanged;
  /// the map then follows later changes of the geometry.
  @Test(arguments: [
    (
      ##"{"filter": "text", "content": "██████", "size": 0.5, "colour": "#ffffff"}"##,
      (0.5, 0.5), (0.5, 0.05)
    ),
    (#"{"filter": "roundCorners", "radius": "40%"}"#, (0.01, 0.01), (0.5, 0.5)),
    (
      #"{"filter": "watermark", "image": "m", "gravity": "northwest", "margin": 0, "scale": 0.5}"#,
      (0.2, 0.2), (0.8, 0.8)
    ),
  ])
  func theGainMapHasNoEffectOnTextsImagesAndCorners(
    _ filter: String, _ covered: (Double, Double), _ free: (Double, Double)
  ) throws {
    let mark = try Samples.flat([255, 255, 255], 40, 30).file()
    for (more, place) in [
      ("", { ($0, $1) }), (#", {"filter": "rotate", "angle": 90}"#, { (1 - $1, $0) }),
    ] as [(String, (Double, Double) -> (Double, Double))] {
      let recipe = try Studio.recipe("[\(filter)\(more)]", output: #""format": "jpeg""#)
      let (files, report) = try Studio.render(Self.file(), recipe, files: ["m": mark])
      #expect(!report.warnings.contains { $0.contains("gain map") }, "\(report.warnings)")
      let map = try #require(GainMap(of: .bytes(files["out"] ?? [])))
      let gains = try Samples(file: map.picture)
      func gain(_ position: (Double, Double)) -> Double {
        let (u, v) = place(position.0, position.1)
        return Double(
          gains[
            min(gains.width - 1, Int(u * Double(gains.width))),
            min(gains.height - 1, Int(v * Double(gains.height)))][0])
      }
      #expect(abs(gain(covered) - 64) <= 6, "\(filter): \(gain(covered))")
      #expect(abs(gain(free) - Self.gain(free.0, free.1)) <= 6, "\(filter): \(gain(free))")
    }
  }

  /// The index of pictures, the XMP and the segment of ISO 21496-1 describe the file correctly.
  @Test(.enabled(if: ExifTool.isHere)) func exifToolFindsTheGainMap() throws {
    let found = try Self.rendered(Self.file(), "[]", #""format": "jpeg", "metadata": "all""#)
    let tags = try ExifTool.tags(of: found.file)
    let map = try #require(found.map)
    #expect(tags["MPF0:NumberOfImages"] == "2", "\(tags)")
    #expect(tags["XMP-hdrgm:Version"] == "1" || tags["XMP-hdrgm:Version"] == "1.0")
    let start = try #require(tags["MPImage2:MPImageStart"].flatMap { Int($0) })
    let length = try #require(tags["MPImage2:MPImageLength"].flatMap { Int($0) })
    #expect(Array(found.file[start..<start + length]) == map.picture)
    #expect(start + length == found.file.count)
    #expect(tags["XMP-Container:DirectoryItemLength"]?.contains("\(length)") == true)
    #expect(try Samples(file: found.file).width == 96)
  }

  @Test(arguments: [
    (#"[{"filter": "invert"}]"#, #""format": "jpeg""#, "after the step 'invert'"),
    (
      #"[{"filter": "external", "command": ["echo"]}]"#, #""format": "jpeg""#,
      "after the step 'external'"
    ),
    ("[]", #""format": "png""#, "the gain map is not in 'out': phbatch writes none to png"),
    ("[]", #""format": "jpeg", "metadata": "none""#, #""metadata": "none" leaves it out"#),
  ])
  func outputsThatCannotContainAGainMapAreReported(
    _ filters: String, _ output: String, _ reason: String
  ) throws {
    let found = try Self.rendered(Self.file(), filters, output)
    #expect(found.map == nil)
    #expect(found.warnings.contains { $0.contains(reason) }, "\(found.warnings)")
    let text = String(decoding: found.file, as: UTF8.self)
    #expect(!text.contains("hdrgm") && !text.contains("MPF\0") && !text.contains("21496"))
  }

  @Test func anOutputCanDropTheGainMap() throws {
    let found = try Self.rendered(Self.file(), "[]", #""format": "jpeg", "gainMap": "drop""#)
    #expect(found.map == nil)
    #expect(!found.warnings.contains { $0.contains("gain map") }, "\(found.warnings)")
    Studio.expectRefusal(of: #""format": "png", "gainMap": "keep""#, "cannot store a gain map")
  }

  /// If the map is damaged, the rendition is written without a map.
  @Test func aDamagedGainMapIsLeftOut() throws {
    let whole = try Self.file()
    let start = try #require(GainMap(of: .bytes(whole))).picture.count
    for cut in [1, start / 2] {
      let found = try Self.rendered(Array(whole.dropLast(cut)), "[]")
      #expect(found.map == nil)
      #expect(found.warnings.contains { $0.contains("gain map") }, "\(found.warnings)")
    }
  }

  /// A map with the channels of inks, or with edges of more than 16,384 pixels, is left out.
  @Test func aGainMapOfInksOrOfTooLargeASizeIsLeftOut() throws {
    let inks = try Samples.flat([10, 20, 30, 40], 8, 8).image()
      .applying("copy", ["interpretation": .choice("cmyk")])
    let target = Target()
    try inks.save(to: target, as: "jpegsave_target", [:])
    let wide = try Samples.flat([90], 20_000, 2).file("jpegsave_target")
    for map in [target.bytes(), wide] {
      let photo = try Self.photo.file("jpegsave_target")
      let found = try Self.rendered(UltraHDRFile.bytes(base: photo, map: map, .adobe), "[]")
      #expect(found.map == nil)
      #expect(found.warnings.contains { $0.contains("channels") }, "\(found.warnings)")
    }
  }

  /// A limit on the bytes of an output includes the map.
  @Test func theByteBudgetIncludesTheGainMap() throws {
    let found = try Self.rendered(Self.file(), "[]", #""format": "jpeg", "maxBytes": 4500"#)
    #expect(found.map != nil && found.file.count <= 4500)
  }
}
