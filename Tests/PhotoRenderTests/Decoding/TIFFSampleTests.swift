import Foundation
import PhotoMetadata
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// TIFF files with rare sample formats are read correctly, or refused with the name of their
/// format.
@Suite struct TIFFSampleTests {
  /// A TIFF file of zeros, with one strip, or with one tile for each channel.
  private static func tiff(bits: Int, format: Int, isTiled: Bool = false) -> [UInt8] {
    func number(_ value: Int, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(value >> (8 * $0) & 255) }
    }
    func entry(_ tag: Int, _ values: [Int], _ place: Int = 0) -> [UInt8] {
      let direct = values.count == 1 ? number(values[0], 4) : number(place, 4)
      return number(tag, 2) + number(3, 2) + number(values.count, 4) + direct
    }
    let (edge, data) = (16, 400)
    let bytes = edge * edge * bits / 8
    // The positions of the values that do not fit into a directory entry.
    let (bitsPlace, formatPlace, offsets, lengths) = (300, 310, 320, 330)
    let three = { (value: Int) in [value, value, value] }
    let starts = isTiled ? (0..<3).map { data + $0 * bytes } : [data]
    let sizes = isTiled ? three(bytes) : [3 * bytes]
    let entries =
      [
        entry(256, [edge]), entry(257, [edge]), entry(258, three(bits), bitsPlace), entry(259, [1]),
        entry(262, [2]), isTiled ? [] : entry(273, starts), entry(277, [3]),
        isTiled ? [] : entry(278, [edge]) + entry(279, sizes), entry(284, [isTiled ? 2 : 1]),
        isTiled
          ? entry(322, [edge]) + entry(323, [edge]) + entry(324, starts, offsets)
            + entry(325, sizes, lengths) : [],
        entry(339, three(format), formatPlace),
      ].flatMap(\.self)
    var file = Array("II*\0".utf8) + number(8, 4) + number(entries.count / 12, 2) + entries
    file += [UInt8](repeating: 0, count: data + 3 * bytes - file.count)
    for (place, values) in [
      (bitsPlace, three(bits)), (formatPlace, three(format)), (offsets, starts), (lengths, sizes),
    ] {
      for (index, value) in values.enumerated() where values.count > 1 {
        file.replaceSubrange(place + 2 * index..<place + 2 * index + 2, with: number(value, 2))
      }
    }
    return file
  }

  @Test(arguments: [
    (16, 3, false, UnreadTIFF.floats(bits: 16)), (64, 3, false, .floats(bits: 64)),
    (64, 1, false, .integers(bits: 64)), (12, 1, false, .integers(bits: 12)),
    (64, 6, false, .complexNumbers), (16, 1, true, .separateTiles), (8, 1, true, .separateTiles),
  ])
  func theErrorNamesAnUnsupportedSampleFormat(
    _ bits: Int, _ format: Int, _ isTiled: Bool, _ kind: UnreadTIFF
  ) throws {
    let file = Self.tiff(bits: bits, format: format, isTiled: isTiled)
    let error = #expect(throws: RenderError.self) {
      try Studio.develop(file, "[]")
    }
    #expect(error == .unsupportedTIFF(kind))
    #expect(error?.message.contains("\(kind)") == true)
  }

  /// A TIFF file of zeros, as the test creates it, is read if its sample format is supported.
  @Test(arguments: [(8, 1), (16, 1), (32, 3)]) func supportedSampleFormatsAreRead(
    _ bits: Int, _ format: Int
  ) throws {
    let picture = try Samples(file: Studio.develop(Self.tiff(bits: bits, format: format), "[]"))
    #expect(picture.width == 16 && picture.bands == 3)
  }

  /// 32-bit and signed integers give the same brightness as the usual sample formats.
  @Test(
    arguments: ["uint": 65_537, "int": 32_768.5, "short": 0.5, "char": 127 / 65_535.0], [1, 3, 4])
  func signedAnd32BitIntegersGiveTheSameBrightness(_ kind: (String, Double), _ bands: Int) throws {
    let (format, factor) = kind
    let colour = [52_000, 20_000, 9000, 65_535].prefix(bands)
    let space = bands == 1 ? "b-w" : "srgb"
    let image = try Samples.flat(Array(colour), 16, 8, maximum: 65_535).image()
      .applying("linear", ["a": .numbers([factor]), "b": .numbers([0])])
      .applying("cast", ["format": .choice(format)])
      .applying("copy", ["interpretation": .choice(space)])
    let photo = try SyntheticPhoto.bytes(image, "tiffsave_target")
    let pixel = try Samples(
      file: Studio.develop(photo, "[]", output: #""format": "png", "bitDepth": "16""#))[3, 3]
    #expect(pixel.count == bands)
    // For signed 8-bit samples, which have 7 bits of brightness, the tolerance is one step.
    let step = format == "char" ? 520 : 2
    #expect(zip(pixel, colour).allSatisfy { abs($0 - $1) <= step }, "\(format): \(pixel)")
  }

  /// Float colours premultiplied by alpha are divided by alpha 0…1; libvips would divide them as if
  /// alpha ranged from 0 to 255.
  @Test func premultipliedFloatsAreDividedByAlpha() throws {
    let (light, alpha) = ([0.5, 0.2, 0.1], 0.5)
    let pixel = (light.map { Float($0 * alpha) } + [Float(alpha)])
    let image = try Image(
      samples: (0..<16 * 8).flatMap { _ in pixel }, width: 16, height: 8, bands: 4
    ).applying("copy", ["interpretation": .choice("scrgb")])
    let found = try Samples(file: Studio.develop(MultipliedFile.tiff(image), "[]"))[3, 3]
    let wanted = light.map { 65_535 * (1.055 * pow($0, 1 / 2.4) - 0.055) } + [65_535 * alpha]
    #expect(zip(found, wanted).allSatisfy { abs(Double($0) - $1) < 150 }, "\(found)")
  }

  /// Photoshop saves selections as channels of no stated meaning; they are not transparency.
  @Test(arguments: [[120, 80, 40, 0], [90, 0]])
  func aChannelOfNoStatedMeaningIsNotAlpha(_ colour: [Int]) throws {
    let file = try MultipliedFile.tiff(Samples.flat(colour, 16, 8).image(), meaning: 0)
    let made = try Studio.render(file, Studio.recipe("[]", output: #""format": "png""#))
    let found = try Samples(file: #require(made.files["out"]))[3, 3]
    #expect(found == Array(colour.dropLast()))
    #expect(made.report.warnings == ["not in the renditions: channels of unknown meaning"])
  }

  /// Alpha is used if it is the first of several channels after the colours.
  @Test(arguments: [([0, 0], 3), ([0, 2], 3), ([2, 0], 4)])
  func furtherChannelsAreLeftOut(_ meanings: [UInt8], _ bands: Int) throws {
    var file = try SyntheticPhoto.bytes(
      Samples.flat([120, 80, 40, 200, 0], 16, 8).image()
        .applying("copy", ["interpretation": .choice("srgb")]), "tiffsave_target")
    // The field ExtraSamples with two 16-bit values, which libvips calls alpha.
    let field: [UInt8] = [0x52, 0x01, 3, 0, 2, 0, 0, 0]
    let place = try #require(file.indices.first { file[$0...].starts(with: field) })
    for (index, meaning) in meanings.enumerated() { file[place + 8 + 2 * index] = meaning }
    let made = try Studio.render(file, Studio.recipe("[]", output: #""format": "png""#))
    let found = try Samples(file: #require(made.files["out"]))[3, 3]
    #expect(found == Array([120, 80, 40, 200].prefix(bands)))
    #expect(made.report.warnings == ["not in the renditions: channels of unknown meaning"])
  }

  /// A blur would spread each such sample over its whole reach.
  @Test(arguments: [Float.nan, .infinity, -.infinity, 1e30], ["bloom", "denoise", "soften"])
  func samplesThatAreNotFiniteStaySmall(_ value: Float, _ filter: String) throws {
    var samples = [Float](repeating: 0.3, count: 160 * 120 * 3)
    func photo() throws -> [UInt8] {
      try SyntheticPhoto.bytes(
        Image(samples: samples, width: 160, height: 120, bands: 3)
          .applying("copy", ["interpretation": .choice("scrgb")]), "tiffsave_target")
    }
    let filters = #"[{"filter": "\#(filter)"}]"#
    let clean = try Samples(file: Studio.develop(photo(), filters))
    for channel in 0..<3 { samples[(60 * 160 + 80) * 3 + channel] = value }
    let found = try Samples(file: Studio.develop(photo(), filters))
    // Far away nothing changes, and nothing near becomes black.
    #expect(abs(found[5, 5][0] - clean[5, 5][0]) <= found.maximum / 100)
    let near = found[86, 60][0]
    #expect(near >= clean[86, 60][0] / 2, "\(filter): \(near)")
  }

  @Test func premultiplied32BitIntegersAreRefused() throws {
    let image = try Samples.flat([9000, 8000, 7000, 30_000], 16, 8, maximum: 65_535).image()
      .applying("cast", ["format": .choice("uint")])
      .applying("copy", ["interpretation": .choice("srgb")])
    let error = #expect(throws: RenderError.self) {
      try Studio.develop(MultipliedFile.tiff(image), "[]")
    }
    #expect(error == .unsupportedTIFF(.multipliedIntegers))
  }

  @Test func floatGreyWithAlphaIsRefused() throws {
    let image = try Samples.flat([90, 128], 16, 8).image()
      .applying("cast", ["format": .choice("float")])
    let error = #expect(throws: RenderError.self) {
      try Studio.develop(SyntheticPhoto.bytes(image, "tiffsave_target"), "[]")
    }
    #expect(error == .unsupportedTIFF(.floatsOfOtherColours))
  }

  /// If a file ends before the values of its fields, its sample format is unknown, so the error
  /// does not name a format.
  @Test func truncatedFilesHaveNoKnownSampleFormat() throws {
    let file = Self.tiff(bits: 16, format: 1)
    for end in [200, 290, 305] {
      let error = #expect(throws: RenderError.self) {
        try Studio.develop(Array(file.prefix(end)), "[]")
      }
      if case .unsupportedTIFF = error { Issue.record("cut at \(end): \(error?.message ?? "")") }
    }
  }

  /// CIELAB relative to D50, as in ICC profiles, and the sRGB colours for it.
  private static let labs: [(lab: [Float], srgb: [Int])] = [
    ([54.219, 38.2088, 46.2539], [200, 100, 50]), ([25.7623, 6.3493, -38.3634], [30, 60, 120]),
    ([1.3018, 1.0616, -1.707], [6, 4, 9]), ([98.2722, 0, 0], [250, 250, 250]),
    ([100, 0, 0], [255, 255, 255]),
  ]

  private static func lab(_ space: String) throws -> Image {
    try Image(samples: labs.flatMap(\.lab), width: labs.count, height: 1, bands: 3)
      .applying("copy", ["interpretation": .choice("lab")])
      .applying("colourspace", ["space": .choice(space)])
  }

  /// The tolerance for 8 bits is that of steps of 1 in a and b.
  @Test(arguments: [("labq", 3), ("labs", 1), ("lab", 1)])
  func labIsRelativeToD50(_ space: String, _ most: Int) throws {
    let found = try Samples(
      file: Studio.develop(
        SyntheticPhoto.bytes(Self.lab(space), "tiffsave_target"), "[]",
        output: #""format": "png", "bitDepth": "8""#))
    #expect(found[Self.labs.count - 1, 0] == [255, 255, 255])
    for (x, (lab, wanted)) in Self.labs.enumerated() {
      #expect(
        zip(found[x, 0], wanted).allSatisfy { abs($0 - $1) <= most }, "\(lab): \(found[x, 0])")
    }
  }

  @Test func labWithAlphaIsRefused() throws {
    let image = try Self.lab("labs").applying("bandjoin_const", ["c": .numbers([9000])])
      .applying("copy", ["interpretation": .choice("labs")])
    let error = #expect(throws: RenderError.self) {
      try Studio.develop(SyntheticPhoto.bytes(image, "tiffsave_target"), "[]")
    }
    #expect(error == .unsupportedColours(.channels(4)))
  }
}
