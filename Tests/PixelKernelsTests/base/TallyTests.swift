import Foundation
import PixelKernels
import TestReference
import Testing
import Vips

/// The kernels' counts of clipped pixels, compared with a simple count.
@Suite(.serialized) struct TallyTests {
  /// The range 0…1, extended by half an 8-bit step at both ends.
  private static let range = Float(-0.5) / 255...Float(255.5) / 255

  /// Values next to the bounds, and values that are not finite.
  private static let edges: [Float] = [
    range.lowerBound, range.lowerBound.nextDown, range.upperBound, range.upperBound.nextUp, 0, 1,
    -.infinity, .infinity, .nan, -0.0, .leastNonzeroMagnitude, 0.5,
  ]

  /// Samples that are mostly inside the range.
  ///
  /// The values of `edges` are distributed over the colours, and sometimes over alpha.
  private static func photo(_ width: Int, _ height: Int, bands: Int) -> [Float] {
    let noise = Raster.noise(width, height, bands: bands, in: -0.02...1.02).values.map { Float($0) }
    return noise.enumerated().map { $0 % 17 == 5 ? edges[$0 / 17 % edges.count] : $1 }
  }

  /// The number of pixels with a colour outside the range; the last of two or four bands is alpha.
  private static func clipped(_ samples: [Float], bands: Int) -> Int {
    TallyReference.pixels(of: samples, bands: bands, outside: range)
  }

  private static let nothing = Argument.blob(PointProgram(instructions: []).bytes)

  @Test(arguments: [1, 7, 64, 511, 512, 513, 1027], [3, 4])
  func theTallyEqualsASimpleCountOfClippedPixels(_ width: Int, _ bands: Int) throws {
    let samples = Self.photo(width, 31, bands: bands)
    let image = try Image(samples: samples, width: width, height: 31, bands: bands)
    let wanted = Self.clipped(samples, bands: bands)
    for format in SampleFormat.allCases {
      var arguments = ["program": Self.nothing, "format": .choice(format.rawValue)]
      let plain = try image.applying("phbatch_point", arguments).pixels()
      for loops in 0...2 {
        let tally = Tally()
        arguments["tally"] = .tally(tally)
        arguments["portable"] = .flag(loops == 2)
        phbatch_kernels_keep_to_avx2(loops == 1 ? 1 : 0)
        defer { phbatch_kernels_keep_to_avx2(0) }
        let counted = try image.applying("phbatch_point", arguments).pixels()
        #expect(counted.firstDifference(from: plain) == nil)
        // Float output is not clipped.
        #expect(tally.written == (format == .float ? 0 : width * 31))
        #expect(tally.clipped == (format == .float ? 0 : wanted), "\(format), loops \(loops)")
      }
    }
  }

  @Test(arguments: [SampleFormat.uchar, .ushort], [1, 4])
  func theTallyDoesNotDependOnThreadsAndTiles(_ format: SampleFormat, _ threads: Int) throws {
    let samples = Self.photo(701, 333, bands: 3)
    let image = try Image(samples: samples, width: 701, height: 333, bands: 3).applying("copy")
    let tally = Tally()
    _ = try Threads.with(threads) {
      try image.applying(
        "phbatch_point",
        ["program": Self.nothing, "format": .choice(format.rawValue), "tally": .tally(tally)]
      ).applying(
        "tilecache",
        [
          "tile_width": .integer(37), "tile_height": .integer(29), "threaded": .flag(true),
          "max_tiles": .integer(-1),
        ]
      ).pixels()
    }
    #expect(tally.written == 701 * 333)
    #expect(tally.clipped == Self.clipped(samples, bands: 3))
  }

  /// Pixels that a program on integer samples clips are counted, even if the program uses a lookup
  /// table.
  @Test(arguments: [SampleFormat.uchar, .ushort]) func pixelsThatAPointProgramClipsAreCounted(
    _ from: SampleFormat
  ) throws {
    let photo = Raster.noise(400, 50, bands: 3).stored(as: from)
    let gain = [.init(.gain, [1.25, 1, 1, 0, 0, -0.11])] as [PointProgram.Instruction]
    let table = PointProgram.Instruction(
      .table, (0..<768).map { Float($0 % 256) / 255 * ($0 < 256 ? 1.25 : 1) })
    var programs = [gain]
    if from == .uchar { programs.append([table, .init(.gain, [1, 1, 1, 0, 0, -0.11])]) }
    for program in programs {
      let tally = Tally()
      _ = try photo.image(as: from).applying(
        "phbatch_point",
        [
          "program": .blob(PointProgram(instructions: program).bytes), "format": .choice("uchar"),
          "tally": .tally(tally),
        ]
      ).pixels()
      let wanted = stride(from: 0, to: photo.values.count, by: 3).count {
        photo.values[$0] * 1.25 > 255.5 / 255 || photo.values[$0 + 2] - 0.11 < -0.5 / 255
      }
      #expect(wanted > 1000 && tally.clipped == wanted)
    }
  }

  /// Dithering clamps colours to 0…1, so clipped pixels are counted before dithering.
  @Test func clippedPixelsAreCountedBeforeDithering() throws {
    let samples = Self.photo(600, 20, bands: 3).map { $0.isNaN ? 0.5 : $0 }
    let image = try Image(samples: samples, width: 600, height: 20, bands: 3)
    let tally = Tally()
    let program = PointProgram(instructions: [.init(.dither, [255, 3])])
    _ = try image.applying(
      "phbatch_point",
      ["program": .blob(program.bytes), "format": .choice("uchar"), "tally": .tally(tally)]
    ).pixels()
    #expect(tally.clipped == Self.clipped(samples, bands: 3))
  }

  /// Every kernel counts the pixels that it clips.
  ///
  /// The same call with float output shows the values before clipping.
  @Test(arguments: [3, 4], [SampleFormat.uchar, .ushort])
  func everyKernelCountsThePixelsThatItClips(_ bands: Int, _ format: SampleFormat) throws {
    let noise = Raster.noise(701, 133, bands: bands, in: -0.1...0.1)
    let photo = Raster(701, 133, bands: bands) { x, y, band in
      band == 3 ? 0.7 : Double(x) / 350 - 0.5 + noise.value(x, y, band)
    }
    let image = try photo.image(as: .float)
    let calls = InvarianceTests.calls().filter {
      !["phbatch_point", "phbatch_censor"].contains($0.operation)
    }
    #expect(calls.count > 12)
    for call in calls {
      var arguments = call.arguments
      arguments["format"] = .choice("float")
      let unclipped = try image.applying(call.operation, arguments)
      let wanted = Self.clipped(try unclipped.samples(as: Float.self), bands: bands)
      arguments["format"] = .choice(format.rawValue)
      let plain = try image.applying(call.operation, arguments).pixels()
      let tally = Tally()
      arguments["tally"] = .tally(tally)
      let counted = try image.applying(call.operation, arguments).pixels()
      #expect(counted.firstDifference(from: plain) == nil, "\(call.operation)")
      let pixels = unclipped.width * unclipped.height
      #expect(tally.written == pixels, "\(call.operation)")
      #expect(wanted > pixels / 8 && tally.clipped == wanted, "\(call.operation)")
    }
  }

  /// Pixels that the censored part covers are not counted as clipped.
  @Test(arguments: ["size", "sigma", "colour"]) func censoredPixelsAreNotCountedAsClipped(
    _ cover: String
  ) throws {
    let image = try Raster(100, 100, bands: 3) { x, _, _ in x < 50 ? 1.5 : 0.5 }.image(as: .float)
    let tally = Tally()
    var arguments: [String: Argument] = [
      "left": .number(0.2), "width": .number(0.6), "top": .number(0.5), "height": .number(0.3),
      "format": .choice("uchar"), "tally": .tally(tally),
    ]
    arguments[cover] = cover == "colour" ? .numbers([2, 2, 2]) : .number(8)
    _ = try image.applying("phbatch_censor", arguments).pixels()
    #expect(tally.written == 10_000)
    #expect(tally.clipped == 5000 - 30 * 30)
  }

  @Test(arguments: [1, 2]) func clippedPixelsOfGreyImagesAreCounted(_ bands: Int) throws {
    let samples = Self.photo(90, 70, bands: bands).map { $0.isFinite ? $0 : 2 }
    let image = try Image(samples: samples, width: 90, height: 70, bands: bands)
    let tally = Tally()
    // The kernel is `phbatch_pixelate`, because its squares of one pixel leave the samples
    // unchanged.
    _ = try image.applying(
      "phbatch_pixelate",
      ["size": .number(1), "format": .choice("ushort"), "tally": .tally(tally)]
    ).pixels()
    #expect(tally.written == 6300 && tally.clipped == Self.clipped(samples, bands: bands))
  }

  @Test func bytesThatAreNotATallyAreRefused() throws {
    let image = try Raster.noise(20, 10, bands: 3).image(as: .float)
    let bytes = Argument.blob([UInt8](repeating: 0, count: 16))
    #expect(throws: VipsError.self) {
      try image.applying(
        "phbatch_point", ["program": Self.nothing, "format": .choice("uchar"), "tally": bytes])
    }
    #expect(throws: VipsError.self) {
      try image.applying(
        "phbatch_point", ["program": .tally(Tally()), "format": .choice("uchar")])
    }
    let wide = try Raster.noise(20, 10, bands: 5).image(as: .float)
    let error = #expect(throws: VipsError.self) {
      try wide.applying(
        "phbatch_pixelate",
        ["size": .number(2), "format": .choice("uchar"), "tally": .tally(Tally())])
    }
    #expect(error.map { "\($0)".contains("5 bands are too many") } == true)
  }

  /// An image and the tally that counts its clipped pixels may be released in either order.
  @Test func imagesAndTheirTallyCanBeReleasedInAnyOrder() throws {
    let samples = Self.photo(60, 40, bands: 3)
    let tally = Tally()
    func image(_ tally: Tally) throws -> Image {
      try Image(samples: samples, width: 60, height: 40, bands: 3).applying(
        "phbatch_point",
        ["program": Self.nothing, "format": .choice("uchar"), "tally": .tally(tally)])
    }
    #expect(try image(Tally()).pixels().count == 7200)
    _ = try image(tally).pixels()
    #expect(tally.clipped == Self.clipped(samples, bands: 3))
    // This image is not computed, so it adds nothing to the tally.
    _ = try image(tally)
    #expect(tally.written == 2400)
  }
}
