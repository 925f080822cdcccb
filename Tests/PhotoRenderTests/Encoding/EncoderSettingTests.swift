import Foundation
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// The effect of encoder settings on files, as other readers decode them.
@Suite struct EncoderSettingTests {
  /// A ramp with many colours.
  private static let photo = Samples(96, 64) { x, y in [2 * x, 3 * y, (x * y) % 256] }

  private static func file(_ output: String, _ photo: Samples = photo) throws -> [UInt8] {
    try Studio.develop(photo.file(), "[]", output: output)
  }

  private static func colours(_ samples: Samples) -> Set<[Int]> {
    Set(
      (0..<samples.width * samples.height).map { samples[$0 % samples.width, $0 / samples.width] })
  }

  /// A PNG file with a palette of `colours` colours stores each pixel in as few bits as possible,
  /// up to 8.
  @Test(arguments: [(2, 1), (3, 2), (16, 4), (17, 8), (256, 8)])
  func aPNGPaletteHasAtMostTheRequestedNumberOfColours(_ colours: Int, _ bits: UInt8) throws {
    let own = #""format": "png", "palette": true, "errorDiffusion": 0, "profile": "display-p3""#
    let file = try Self.file(own + #", "colours": \#(colours)"#)
    #expect(file[24] == bits && file[25] == 3)
    let found = Self.colours(try Samples(file: file)).count
    #expect(found <= 1 << Int(bits) && found > 1 << (Int(bits) - 2), "\(found)")
    let image = try Image.load(from: Source(bytes: file))
    #expect(image.blob("icc-profile-data") == StandardProfile.displayP3.bytes)
  }

  @Test func aPNGWithAPaletteKeepsAlphaAndIsDithered() throws {
    let values = (0..<64 * 64).flatMap { [200, 40, 90, $0 % 64 < 32 ? 0 : 255] }
    let cut = Samples(width: 64, height: 64, bands: 4, maximum: 255, values: values)
    let clear = try Samples(file: Self.file(#""format": "png", "palette": true"#, cut))
    #expect(clear.bands == 4 && clear[5, 5, 3] == 0 && clear[50, 5] == [200, 40, 90, 255])
    let few = #""format": "png", "palette": true, "colours": 4, "interlace": true"#
    let (rough, fine) = (
      try Self.file(few + #", "errorDiffusion": 0"#), try Self.file(few)
    )
    #expect(rough[28] == 1 && fine.count > rough.count)
    // A 16-bit photo and a grey output give a palette too.
    let deep = Samples(
      width: 96, height: 64, bands: 3, maximum: 65_535, values: Self.photo.values.map { $0 * 257 })
    #expect(try Self.file(few, deep)[24] == 2)
    #expect(try Self.file(few + #", "profile": "grey""#)[25] == 3)
  }

  @Test func aLowerQualityGivesAPaletteWithFewerColours() throws {
    // A ramp of one hue, which few palette colours represent well.
    let row: [Int] = (0..<200).flatMap { (x: Int) -> [Int] in [x + 40, x, x / 2] }
    let values: [Int] = (0..<80).flatMap { _ in row }
    let ramp = Samples(width: 200, height: 80, bands: 3, maximum: 255, values: values)
    let own = #""format": "png", "palette": true, "errorDiffusion": 0"#
    let all = try Self.colours(Samples(file: Self.file(own, ramp)))
    let few = try Self.colours(Samples(file: Self.file(own + #", "quality": 30"#, ramp)))
    #expect(few.count < all.count / 2, "\(few.count) and \(all.count)")
  }

  @Test(arguments: ["default", "picture", "photo", "drawing", "icon", "text"])
  func aWebPPresetChangesTheFile(_ preset: String) throws {
    let file = try Self.file(#""format": "webp", "preset": "\#(preset)", "smartSubsample": true"#)
    let usual = try Self.file(#""format": "webp", "smartSubsample": true"#)
    #expect((preset == "default") == (file == usual) || preset == "picture")
    #expect(try Samples(file: file).width == 96)
  }

  @Test(arguments: ["minSize", "mixed"]) func animationSettingsOfWebPMakeTheFileSmaller(
    _ setting: String
  ) throws {
    func animation(_ more: String) throws -> [UInt8] {
      let recipe = try Studio.recipe(
        text: """
          {"identifier": "org.example.test", "version": "1.0.0", "inputs": {"frames": "all"},
           "outputs": [{"name": "out", "format": "webp"\(more)}]}
          """)
      let photo = try AnimationOutputTests.written("gif")
      return try #require(try Studio.render(photo, recipe).files["out"])
    }
    let file = try animation(#", "\#(setting)": true"#)
    #expect(try file.count <= animation("").count)
    #expect(try Image.load(from: Source(bytes: file)).integer("n-pages") == 3)
  }

  @Test(
    .enabled(if: ExifTool.isHere),
    arguments: [
      ("none", "1"), ("lzw", "5"), ("deflate", "8"), ("zstd", "50000"),
      ("packbits", "32773"), ("jpeg", "7"), ("webp", "50001"),
      ("ccittfax4", "4"),
    ]) func aTIFFFileHasTheRequestedCompression(_ name: String, _ called: String) throws
  {
    let isFax = name == "ccittfax4"
    for more in ["", #", "tile": true"#, #", "pyramid": true, "tileWidth": 32, "tileHeight": 32"#] {
      let file = try Self.file(#""format": "tiff", "compression": "\#(name)""# + more)
      let tags = try ExifTool.tags(of: file)
      #expect(tags["IFD0:Compression"] == called, "\(tags)")
      let result = try Samples(file: file)
      if isFax {
        #expect(result.bands == 1 && Set(result.values) == [0, 255])
        #expect(tags["IFD0:BitsPerSample"] == "1")
        #expect(result[0, 0] == [0] && result[95, 63] == [255])
      } else {
        let isExact = !["jpeg", "webp"].contains(name)
        #expect(result.bands == 3)
        #expect(isExact == (result == Self.photo))
      }
    }
  }

  @Test func theTIFFCompressionLimitsTheColoursThatAreStored() throws {
    // CCITT Group 4 stores only black and white: transparent pixels become white, and no colour
    // profile is written.
    let clear = Samples.flat([10, 10, 10, 0], 40, 30)
    let fax = #""format": "tiff", "compression": "ccittfax4""#
    #expect(try Samples(file: Self.file(fax, clear)) == .flat([255], 40, 30))
    let black = Samples.flat([10, 10, 10], 40, 30)
    #expect(
      try Samples(file: Self.file(fax + #", "miniswhite": true"#, black)) == .flat([0], 40, 30))
    let webp = #""format": "tiff", "compression": "webp""#
    #expect(try Samples(file: Self.file(webp + #", "lossless": true"#)) == Self.photo)
    #expect(try Samples(file: Self.file(webp, clear)).bands == 4)
    #expect(try Samples(file: Self.file(webp + #", "profile": "grey""#)).bands == 3)
    let zstd = #""format": "tiff", "compression": "zstd", "level": "#
    #expect(try Self.file(zstd + "19").count <= Self.file(zstd + "1").count)
  }

  @Test(.enabled(if: ExifTool.isHere)) func aTIFFPyramidHasTheRequestedTilesAndMetadata() throws {
    let own = #""format": "tiff", "pyramid": true, "tileWidth": 16, "tileHeight": 16, "metadata": "#
    let photo = try ExifTool.writing(["-EXIF:Artist=Ada"], into: Self.photo.file(), "png")
    func pages(_ more: String) throws -> (Int, [String: String]) {
      let file = try Studio.develop(photo, "[]", output: own + #""all""# + more)
      return (
        try Image.load(from: Source(bytes: file)).integer("n-pages") ?? 1,
        try ExifTool.tags(of: file)
      )
    }
    #expect(try pages("").0 == 4)
    #expect(try pages(#", "depth": "onepixel""#).0 == 7)
    #expect(try pages(#", "depth": "one""#).0 == 1)
    let (count, tags) = try pages(#", "subifd": true, "regionShrink": "nearest""#)
    #expect(count == 1 && tags["SubIFD2:ImageWidth"] == "12" && tags["IFD0:Artist"] == "Ada")
  }

  @Test func jpegRestartMarkersFollowTheRequestedInterval() throws {
    func markers(_ more: String) throws -> Int {
      let file = try Self.file(#""format": "jpeg", "subsampling": "4:4:4""# + more)
      return zip(file, file.dropFirst()).filter { $0 == 0xFF && (0xD0...0xD7).contains($1) }.count
    }
    #expect(try markers("") == 0)
    // The picture has 8 rows of 12 blocks. With a restart marker after every 12 blocks except the
    // last 12, there are 7 markers.
    #expect(try markers(#", "restartInterval": 12"#) == 7)
  }

  @Test(arguments: [
    (#""format": "png", "palette": true, "bitDepth": 16"#, "a palette has at most 8 bits"),
    (#""format": "png", "colours": 16"#, "work only with a palette"),
    (#""format": "png", "palette": true, "colours": 1"#, "2 to 256"),
    (#""format": "webp", "preset": "sketch""#, "expected one of default, picture"),
    (#""format": "tiff", "compression": "webp", "bitDepth": 16"#, "can only store 8 bits"),
    (#""format": "tiff", "compression": "ccittfax4", "bitDepth": 16"#, "can only store 1 bit"),
    (#""format": "tiff", "compression": "ccittfax4", "profile": "adobe-rgb""#, "black and white"),
    (#""format": "tiff", "lossless": true"#, "webp compression"),
    (#""format": "tiff", "miniswhite": true"#, "ccittfax4"),
    (#""format": "tiff", "subifd": true"#, "'depth', 'subifd' and"),
    (#""format": "tiff", "compression": "zstd", "level": 20"#, "1 to 19"),
    (#""format": "jpeg", "restartInterval": -1"#, "0 to 65535"),
    (#""format": "jpeg", "subsampling": "4:1:1""#, "one of auto, 4:4:4, 4:2:2, 4:2:0"),
  ])
  func anErrorNamesEncoderSettingsThatCannotBeUsed(_ output: String, _ words: String) {
    Studio.expectRefusal(of: output, words)
  }
}
