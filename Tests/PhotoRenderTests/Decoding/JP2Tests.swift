import Foundation
import PhotoMetadata
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// JPEG 2000 files that the loader of libvips 8.14 reads wrongly, or not at all.
@Suite struct JP2Tests {
  private static let (width, height) = (32, 16)

  /// A picture in which `colour` returns the colour of each pixel from its position.
  private static func picture(_ colour: (Int, Int) -> [Int]) -> Samples {
    let pixels = (0..<height).flatMap { y in (0..<width).map { x in colour(x, y) } }
    return Samples(
      width: width, height: height, bands: pixels[0].count, maximum: 255,
      values: Array(pixels.joined()))
  }

  private static let rgb = picture { x, y in [x * 8, y * 16, 255 - x * 4] }

  private static func read(_ file: [UInt8]) throws -> Samples {
    try Samples(file: Studio.develop(file, "[]"))
  }

  @Test func thePaletteOfAJPEG2000FileIsApplied() throws {
    let entries = (0..<64).map { [$0 * 4, 255 - $0 * 3, $0 * $0 % 256] }
    let indices = Self.picture { x, y in [(x + 2 * y) % 64] }
    let file = try JP2File.file(indices, [JP2File.colours(16)] + JP2File.palette(entries))
    let wanted = Self.picture { x, y in entries[(x + 2 * y) % 64] }
    #expect(try Self.read(file).difference(from: wanted) == 0)
    // The pixels' indices exceed the 40 palette entries; then the palette ends early, as in the
    // corpus's file broken/libvips/issue412.jp2.
    let short = try JP2File.file(
      indices, [JP2File.colours(16)] + JP2File.palette(Array(entries.prefix(40))))
    #expect(try Self.read(short).bands == 3)
    var boxes = JP2File.palette(entries)
    boxes[0] = Array(boxes[0].dropLast(9))
    boxes[0][3] = UInt8(boxes[0].count)
    let cut = try JP2File.file(indices, [JP2File.colours(16)] + boxes)
    #expect(throws: RenderError.self) { try Self.read(cut) }
  }

  /// The result is compared with a TIFF file that has the same inks and is read by another decoder.
  @Test func theInksOfAJPEG2000FileEqualThoseOfATIFFFile() throws {
    let inks = Self.picture { x, y in [x * 8, y * 8, 100, (x + y) * 2] }
    let file = try JP2File.file(inks, [JP2File.colours(12)])
    let tiff = Target()
    try inks.image().applying("copy", ["interpretation": .choice("cmyk")])
      .save(to: tiff, as: "tiffsave_target", [:])
    let (found, wanted) = (try Self.read(file), try Self.read(tiff.bytes()))
    #expect(found.difference(from: wanted) <= 1)
    #expect(found[0, 0, 0] > 200 && found[31, 0, 0] < 100)
  }

  /// The luma and colour differences of an RGB colour, as levels of 255.
  ///
  /// - Source: the equations of JFIF, which are those of sYCC.
  private static func ycc(_ colour: [Int]) -> [Int] {
    let (r, g, b) = (Double(colour[0]), Double(colour[1]), Double(colour[2]))
    let y = 0.299 * r + 0.587 * g + 0.114 * b
    return [y, (b - y) / 1.772 + 128, (r - y) / 1.402 + 128].map {
      min(255, max(0, Int($0.rounded())))
    }
  }

  @Test func lumaAndColourDifferencesAreConvertedToRGB() throws {
    let stored = Self.picture { x, y in Self.ycc(Self.rgb[x, y]) }
    let file = try JP2File.file(stored, [JP2File.colours(18)])
    #expect(try Self.read(file).difference(from: Self.rgb) <= 3)
  }

  /// Colour differences that libvips's encoder stored at half the resolution are enlarged to the
  /// size of the picture.
  @Test func subsampledColourDifferencesAreEnlargedToThePicture() throws {
    let colours = [[200, 30, 40], [20, 180, 60], [30, 60, 220], [240, 240, 20]]
    let blocks = Self.picture { x, y in colours[x / 16 + 2 * (y / 8)] }
    let file = try blocks.file(
      "jp2ksave_target", ["Q": .integer(100), "subsample-mode": .choice("on")])
    let found = try Self.read(file)
    for (x, y) in [(4, 4), (24, 4), (4, 12), (28, 12)] {
      let pair = zip(found[x, y], blocks[x, y])
      #expect(pair.allSatisfy { abs($0 - $1) < 12 }, "\(found[x, y]), not \(blocks[x, y])")
    }
  }

  /// A file in which all components have only one sample for each block of 2 × 2 pixels is enlarged
  /// to the size of the picture.
  @Test func componentsOfHalfResolutionAreEnlargedToThePicture() throws {
    var stream = try JP2File.codestream(Self.rgb)
    // Changes the SIZ segment: the sizes of the picture and the tile, then the sample distances of
    // each component.
    for place in [8, 12, 24, 28] {
      stream.replaceSubrange(
        place..<place + 4, with: [0, 0, 0, place == 8 || place == 24 ? 64 : 32])
    }
    for component in 0..<3 {
      stream.replaceSubrange(43 + 3 * component..<45 + 3 * component, with: [2, 2])
    }
    let file = JP2File.file(stream, width: 64, height: 32, components: 3, [JP2File.colours(16)])
    let found = try Self.read(file)
    #expect((found.width, found.height) == (64, 32))
    for (x, y) in [(0, 0), (63, 31), (20, 11), (33, 8)] {
      #expect(found[x, y] == Self.rgb[x / 2, y / 2])
    }
  }

  @Test func channelsAreReorderedByTheChannelDefinitions() throws {
    let bgr = Self.picture { x, y in Self.rgb[x, y].reversed() }
    let turned = JP2File.definitions([(0, 3), (0, 2), (0, 1)])
    let file = try JP2File.file(bgr, [JP2File.colours(16), turned])
    #expect(try Self.read(file) == Self.rgb)
    let argb = Self.picture { x, y in [200] + Self.rgb[x, y] }
    let first = JP2File.definitions([(1, 0), (0, 1), (0, 2), (0, 3)])
    let found = try Self.read(JP2File.file(argb, [JP2File.colours(16), first]))
    #expect(found == Self.picture { x, y in Self.rgb[x, y] + [200] })
  }

  @Test func premultipliedColoursAreDividedByAlpha() throws {
    let stored = Self.picture { x, y in Self.rgb[x, y].map { ($0 * 200 + 127) / 255 } + [200] }
    let last = JP2File.definitions([(0, 1), (0, 2), (0, 3), (2, 0)])
    let found = try Self.read(JP2File.file(stored, [JP2File.colours(16), last]))
    #expect(found.difference(from: Self.picture { x, y in Self.rgb[x, y] + [200] }) <= 1)
  }

  @Test func everyBitDepthIsScaledToTheFullRange() throws {
    let deep = Samples(
      width: Self.width, height: Self.height, bands: 3, maximum: 65_535,
      values: Self.rgb.values.map { $0 * 257 })
    #expect(try Self.read(JP2File.file(deep, [JP2File.colours(16)])) == deep)
    let grey = Self.picture { x, y in [x * 8] }
    #expect(try Self.read(JP2File.codestream(grey)).values == grey.values)
  }

  @Test func unsupportedColourSpacesAreRefused() throws {
    let lab = try JP2File.file(Self.rgb, [JP2File.colours(14)])
    let four = Self.picture { x, y in Self.rgb[x, y] + [x] }
    for (file, kind) in [
      (lab, UnreadColours.space("CIELab")),
      (try JP2File.file(four, [JP2File.colours(17)]), .channels(4)),
      (try JP2File.file(Self.rgb, [JP2File.colours(17)]), .channels(3)),
    ] {
      let error = #expect(throws: RenderError.self) { try Self.read(file) }
      #expect(error == .unsupportedColours(kind))
    }
  }

  /// A file written by OpenJPH 0.26.3 (imagecodecs 2026.3.6); at column x and row y, red is 17 x,
  /// green 36 y and blue 255 − 8 x.
  private static let highThroughput = """
    /0//UQAvQAAAAAAQAAAACAAAAAAAAAAAAAAAEAAAAAgAAAAAAAAAAAADBwEBBwEBBwEB/1AACAACAAAAA/9SAAwAAgABAQUEBEAB\
    /1wAEyBQWFhYWFhYWFhYWFhYUFBQ/2QAFwABT3BlbkpQSCBWZXIgMC4yNi4zLv+QAAoAAAAAAQsAAf+TwBKA+QDHdADAEoAQAYd0\
    AMARgCdzAAAAAMAJQOYAB3QAwAlAkQEHdADACUA2AYd0AMAJYATAQf4yMwCiogBCNADACWAE4McAITQAR4/+AGI0AMAJYATgmgBB\
    NABHj/4AYjQAwAmgBUgA0gIt5ABQCIL+AOSnVQDACaAFUGP8gAJ0AKGhUOgAAACnVgDACaAFUIrygIJ0AKGhUOgAAACnVgDAFXAF\
    oAAC4BJbbb0ttxgAohBCCCH+6AAAe/YAAey6AMATwBaI/3/mp0J1AMfjOI7jOP7oBCB79hCB7LoAwBUwBaIAAPDmCnACdgDH4ziO\
    4zj+6AQge/YQgey6AP/Z
    """

  @Test func highThroughputJPEG2000IsRead() throws {
    let file = Array(try #require(Data(base64Encoded: Self.highThroughput)))
    let found = try Self.read(file)
    #expect((found.width, found.height) == (16, 8))
    for y in 0..<8 { for x in 0..<16 { #expect(found[x, y] == [17 * x, 36 * y, 255 - 8 * x]) } }
  }

  /// A missing tile is an error, although OpenJPEG fills the tile with black and reports success.
  @Test func aMissingTileIsAnError() throws {
    let file = try SyntheticPhoto.bytes(
      Self.rgb.image(), "jp2ksave_target",
      ["tile-width": .integer(16), "tile-height": .integer(16), "lossless": .flag(true)])
    #expect(try Self.read(file).difference(from: Self.rgb) == 0)
    let parts = file.indices.dropLast(12).filter {
      file[$0..<$0 + 4].elementsEqual([0xFF, 0x90, 0, 10])
    }
    let last = try #require(parts.last)
    #expect(parts.count == 2)
    let length = file[last + 6..<last + 10].reduce(0) { $0 << 8 | Int($1) }
    #expect(throws: RenderError.self) {
      try Self.read(Array(file[..<last] + file[(last + length)...]))
    }
  }
}
