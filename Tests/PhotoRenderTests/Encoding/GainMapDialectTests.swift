import FileStructure
import Foundation
import Notation
import PhotoRecipes
import PhotoRender
import TestSupport
import Testing
import Vips

@testable import PhotoMetadata

/// Gain maps of all dialects are read, and written in each format that can store one.
@Suite struct GainMapDialectTests {
  private static let best: [String: Argument] = [
    "Q": .integer(98), "subsample-mode": .choice("off"),
  ]
  private static let photo = Samples(96, 64) { x, y in [60 + x, 90 + y, 200 - x] }
  /// The sample of the map at a position, 0…1.
  private static func level(_ x: Double, _ y: Double) -> Double { 20 + 120 * x + 90 * y }
  private static let map = Samples(48, 32) { x, y in
    [Int(level((Double(x) + 0.5) / 48, (Double(y) + 0.5) / 32).rounded())]
  }

  private static func file(describedBy segment: [UInt8]) throws -> [UInt8] {
    UltraHDRFile.bytes(
      base: try photo.file("jpegsave_target", best), map: try map.file("jpegsave_target", best),
      describedBy: segment)
  }

  /// Expects that the map's samples equal a function of their position.
  private static func expect(
    _ map: GainMap, within tolerance: Double, _ level: (Double, Double) -> Double
  ) throws {
    let found = try Samples(file: map.picture)
    // A HEIC file has at least 64 pixels a row, and the next rendition's map is made from this map.
    #expect(found.width >= 30 && found.width <= 64)
    for y in stride(from: 1, to: found.height - 1, by: 3) {
      for x in stride(from: 1, to: found.width - 1, by: 3) {
        let wanted = level(
          (Double(x) + 0.5) / Double(found.width), (Double(y) + 0.5) / Double(found.height))
        #expect(abs(Double(found[x, y, 0]) - wanted) <= tolerance, "\(x), \(y)")
      }
    }
  }

  private static func rendered(
    _ photo: [UInt8], _ format: String, _ filters: String = "[]"
  ) throws -> [UInt8] {
    let recipe = try Studio.recipe(
      filters, output: #""format": "\#(format)", "metadata": "all""#)
    let (files, report) = try Studio.render(photo, recipe)
    #expect(!report.warnings.contains { $0.contains("gain map") }, "\(report.warnings)")
    return try #require(files["out"])
  }

  /// A map in Apple's coding, `1 + (H − 1) light(sample)`, is converted to the coding of ISO
  /// 21496-1.
  @Test(arguments: [1.5, 4.532783, 8]) func aGainMapInApplesCodingIsConvertedToTheStandard(
    _ headroom: Double
  ) throws {
    let file = try Self.rendered(
      Self.file(describedBy: UltraHDRFile.apple(headroom: headroom)), "jpeg")
    let map = try #require(GainMap(of: .bytes(file)))
    let channel = try #require(map.description.channels.first)
    #expect(channel.minimum == 0 && channel.gamma == 1)
    #expect(abs(exp2(channel.maximum) - headroom) < 1e-6)
    #expect(channel.baseOffset == 0 && channel.alternateOffset == 0)
    try Self.expect(map, within: 4) { x, y in
      let sample = Self.level(x, y) / 255
      let light = sample < 0.081 ? sample / 4.5 : pow((sample + 0.099) / 1.099, 1 / 0.45)
      return 255 * log2(1 + (headroom - 1) * light) / log2(headroom)
    }
  }

  /// Without the headroom, the gains of Apple's coding are unknown: no format keeps the map, and
  /// all outputs say why.
  @Test func aGainMapOfUnknownHeadroomIsLeftOutWithAReason() throws {
    let photo = try Self.file(describedBy: UltraHDRFile.apple(headroom: nil))
    for output in [
      #""format": "jpeg", "metadata": "all""#, #""format": "avif", "metadata": "all""#,
      #""format": "avif", "hdr": "pq""#,
    ] {
      let (files, report) = try Studio.render(photo, Studio.recipe("[]", output: output))
      #expect(GainMap(of: .bytes(files["out"] ?? [])) == nil)
      #expect(
        report.warnings.contains {
          $0.contains("the gain map is not in 'out': its description states no gains")
        }, "\(report.warnings)")
      #expect(!report.warnings.contains { $0.contains("the photo's gain map") })
    }
    let lines = Renderer.description(of: .bytes(photo), InputSettings())
    #expect(lines.contains("in the file, but not in renditions: gain map"), "\(lines)")
  }

  /// HEIC stores maps of even edges, which are at most the rendition's; the encoder makes no map
  /// smaller than 64 × 64 pixels.
  @Test(
    .enabled(if: VipsRuntime.canEncodeHEVC),
    arguments: [
      (Size(131, 173), Size(130, 172)), (Size(101, 77), Size(100, 76)),
      (Size(13, 17), Size(64, 64)),
    ])
  func theMapOfAHEICFileIsNotLargerThanThePhoto(_ size: Size, _ wanted: Size) throws {
    let photo = UltraHDRFile.bytes(
      base: try Samples.flat([90, 120, 150], size.width, size.height)
        .file("jpegsave_target", Self.best),
      map: try Samples.flat([200], size.width, size.height).file("jpegsave_target", Self.best),
      .iso)
    let map = try #require(GainMap(of: .bytes(Self.rendered(photo, "heic"))))
    let found = try Samples(file: map.picture)
    #expect(Size(found.width, found.height) == wanted)
  }

  @Test func gainMapsOfFilesThatApplePhotosExportedAreRead() throws {
    let map = try #require(
      GainMap(of: .bytes(Self.rendered(Self.file(describedBy: UltraHDRFile.toneMap), "jpeg"))))
    let channel = try #require(map.description.channels.first)
    #expect(abs(channel.gamma - 0.712891) < 1e-9 && abs(channel.maximum - 1.676758) < 1e-9)
    #expect(abs(channel.baseOffset - 0.00001) < 1e-9 && map.description.baseHeadroom == 0)
    try Self.expect(map, within: 4, Self.level)
  }

  /// Each format keeps the map when the photo is rotated by 90°; phbatch then reads the map from
  /// the rendition.
  @Test(arguments: ["heic", "avif", "jxl"]) func everyFormatKeepsTheGainMapOfARotatedPhoto(
    _ format: String
  ) throws {
    if format == "heic" && !VipsRuntime.canEncodeHEVC { return }
    let original = UltraHDRFile.bytes(
      base: try Self.photo.file("jpegsave_target", Self.best),
      map: try Self.map.file("jpegsave_target", Self.best), .iso)
    let turned = try Self.rendered(
      original, format, #"[{"filter": "rotate", "angle": 90}]"#)
    let kept = try #require(GainMap(of: .bytes(turned)))
    #expect(kept.description == GainMap(of: .bytes(original))?.description)
    let size = try Renderer.header(of: .bytes(turned)).size
    #expect(size == Size(64, 96))
    let back = try Self.rendered(turned, "jpeg", #"[{"filter": "rotate", "angle": 270}]"#)
    let map = try #require(GainMap(of: .bytes(back)))
    #expect(map.description == kept.description)
    try Self.expect(map, within: 5, Self.level)
  }

  /// HEIC renditions have the structure of files of iOS 18: the map of ISO 21496-1 is also Apple's
  /// auxiliary picture.
  @Test(.enabled(if: VipsRuntime.canEncodeHEVC && ExifTool.isHere))
  func aHEICFileDescribesItsGainMapInBothWays() throws {
    let original = UltraHDRFile.bytes(
      base: try Self.photo.file("jpegsave_target", Self.best),
      map: try Self.map.file("jpegsave_target", Self.best), .iso)
    var metadata = Metadata(of: .bytes(original))
    let heic = try Self.rendered(original, "heic")
    var kept = try #require(GainMap(of: .bytes(heic)))
    kept.appleHeadroom = 3.25
    metadata.gainMap = kept
    let plain = try Studio.develop(
      Self.photo.file(), "[]", output: #""format": "heic", "metadata": "none""#)
    let both = try metadata.embedded(in: plain)
    #expect(GainMap(of: .bytes(both))?.appleHeadroom == 3.25)
    #expect(
      AuxiliaryTypes.all(in: .bytes(both)) == ["urn:com:apple:photo:2020:aux:hdrgainmap"])
    let lines = ContainerDescription.lines(of: .bytes(both))
    #expect(lines.contains { $0.contains(": tmap, 96x64, made of 1 and ") }, "\(lines)")
    // Properties of the map must not be read as properties of the photo.
    let again = Metadata(of: .bytes(try Self.rendered(both, "heic")))
    #expect(again.xmp?.properties.contains { $0.name.local.hasPrefix("HDRGainMap") } != true)
    #expect(GainMap(of: .bytes(try Self.rendered(both, "heic")))?.appleHeadroom == 3.25)
    // In other formats, one description suffices.
    #expect(GainMap(of: .bytes(try Self.rendered(both, "avif")))?.appleHeadroom == nil)
    #expect(GainMap(of: .bytes(try Self.rendered(both, "jpeg")))?.appleHeadroom == nil)
  }

  /// If any byte of the file is damaged, at most the map is lost.
  @Test(arguments: ["avif", "jxl"]) func damageOfAnyByteLosesAtMostTheGainMap(
    _ format: String
  ) throws {
    let original = UltraHDRFile.bytes(
      base: try Self.photo.file("jpegsave_target", Self.best),
      map: try Self.map.file("jpegsave_target", Self.best), .iso)
    let file = try Self.rendered(original, format)
    let places = Array(file.indices.prefix(1200)) + file.indices.suffix(200)
    for place in places {
      var damaged = file
      damaged[place] ^= 0x41
      _ = GainMap(of: .bytes(damaged))
      _ = PictureOutline.gainMap(of: .bytes(damaged))
    }
    for length in stride(from: 0, to: file.count, by: 97) {
      let cut = Array(file[..<length])
      #expect(GainMap(of: .bytes(cut)).map { $0.picture.count < length } ?? true)
    }
  }
}
