import TestReference
import Testing
import Vips

/// `phbatch_resize`, compared with a direct sum over rectangles in double precision.
@Suite(.serialized) struct ResizeTests {
  private static func resized(
    _ image: Image, _ width: Int, _ height: Int, _ kernel: ResizeKernel = .lanczos3,
    of part: ResizePart = .whole, to format: SampleFormat = .uchar, linear: Bool = false
  ) throws -> Image {
    try image.applying(
      "phbatch_resize",
      [
        "width": .integer(width), "height": .integer(height), "kernel": .choice(kernel.rawValue),
        "format": .choice(format.rawValue), "linear": .flag(linear), "left": .number(part.left),
        "top": .number(part.top), "across": .number(part.across), "down": .number(part.down),
      ])
  }

  /// Noise; alpha is at least 0.6, so that no kernel can reduce it to 0.
  private static func pixels(_ width: Int, _ height: Int, bands: Int) -> Raster {
    let noise = Raster.noise(width, height, bands: bands)
    return Raster(width, height, bands: bands) { x, y, band in
      let value = noise.value(x, y, band)
      return bands.isMultiple(of: 2) && band == bands - 1 ? 0.6 + 0.4 * value : value
    }
  }

  @Test(
    arguments: ResizeKernel.allCases, [(12, 9), (29, 17), (47, 5), (7, 40), (70, 33), (1, 1)])
  func theResizeKernelMatchesADirectSum(_ kernel: ResizeKernel, _ size: (Int, Int)) throws {
    for bands in 1...4 {
      for from in SampleFormat.allCases {
        let input = Self.pixels(29, 17, bands: bands).stored(as: from)
        let expected = input.resizedAsPixels(size.0, size.1, kernel)
        for to in SampleFormat.allCases {
          let output = try Self.resized(input.image(as: from), size.0, size.1, kernel, to: to)
          let distance = try expected.distance(to: output, as: to)
          #expect(distance <= to.tolerance, "\(bands) bands, \(from) to \(to)")
        }
      }
    }
  }

  /// The part begins and ends between samples, or exceeds the image.
  @Test(
    arguments: [
      ResizePart(0.013, -0.021, 0.7, 1.01), ResizePart(0.31, 0.27, 0.5, 0.5),
      ResizePart(-0.017, 0.009, 1, 1),
    ], [(12, 9), (29, 17), (47, 40)])
  func aPartOfAnImageIsResizedAsByADirectSum(_ part: ResizePart, _ size: (Int, Int)) throws {
    for kernel in ResizeKernel.allCases {
      let input = Self.pixels(29, 17, bands: 4).stored(as: .ushort)
      let expected = input.resizedAsPixels(size.0, size.1, kernel, of: part)
      let output = try Self.resized(
        input.image(as: .ushort), size.0, size.1, kernel, of: part, to: .ushort)
      let distance = try expected.distance(to: output, as: .ushort)
      #expect(distance <= SampleFormat.ushort.tolerance, "\(kernel)")
    }
  }

  @Test(arguments: [(12, 9), (70, 33)], 1...4)
  func linearResizingAveragesLight(_ size: (Int, Int), _ bands: Int) throws {
    for from in SampleFormat.allCases {
      let input = Self.pixels(29, 17, bands: bands).stored(as: from)
      let expected = input.resizedAsPixels(size.0, size.1, .lanczos3, linear: true)
      for to in SampleFormat.allCases {
        let output = try Self.resized(
          input.image(as: from), size.0, size.1, to: to, linear: true)
        #expect(try expected.distance(to: output, as: to) <= to.tolerance, "\(from) to \(to)")
      }
    }
  }

  /// Extreme sizes: one pixel, one row, one column, a row of 65,536 pixels, and reductions of 5000
  /// pixels to one or two.
  @Test(
    arguments: [
      ((1, 1), (5, 3)), ((1, 90), (1, 7)), ((90, 1), (200, 1)), ((5000, 3), (1, 2)),
      ((3, 5000), (2, 1)), ((65_536, 2), (1021, 1)), ((2, 3), (90, 1)), ((700, 40), (3, 80)),
      ((3, 2), (400, 301)),
    ], [ResizeKernel.linear, .lanczos3])
  func extremeSizesMatchADirectSum(
    _ sizes: (from: (Int, Int), to: (Int, Int)), _ kernel: ResizeKernel
  ) throws {
    let (from, to) = sizes
    let input = Self.pixels(from.0, from.1, bands: 3).stored(as: .ushort)
    let expected = input.resizedAsPixels(to.0, to.1, kernel)
    let output = try Self.resized(input.image(as: .ushort), to.0, to.1, kernel, to: .ushort)
    #expect(output.width == to.0 && output.height == to.1)
    #expect(try expected.distance(to: output, as: .ushort) <= SampleFormat.ushort.tolerance)
  }

  @Test(arguments: ResizeKernel.allCases, [(9, 5), (23, 41), (57, 43)])
  func aResizedFlatImageStaysFlat(_ kernel: ResizeKernel, _ size: (Int, Int)) throws {
    for level in 0..<256 {
      for linear in [false, true] {
        let value = Double(level) / 255
        let image = try Raster(23, 19, bands: 3) { _, _, _ in value }.image(as: .uchar)
        let output = try Self.resized(image, size.0, size.1, kernel, linear: linear)
        #expect(try output.pixels().allSatisfy { Int($0) == level }, "\(level) \(linear)")
      }
    }
  }

  /// Checks only pixels away from the edges, where the repeated edge pixel bends a ramp.
  @Test(arguments: ResizeKernel.allCases, [100, 1000, 3001])
  func aResizedRampNeverDecreases(_ kernel: ResizeKernel, _ width: Int) throws {
    let ramp = Raster(1024, 1, bands: 1) { x, _, _ in Double(x * 64) / 65_535 }
    let output = try Self.resized(ramp.image(as: .ushort), width, 1, kernel, to: .ushort)
    let margin = 1 + 3 * max(width, 1024) / 1024 * max(1, width / 1024)
    let values = Raster.values(of: try output.pixels(), as: .ushort)[margin..<width - margin]
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
  }

  /// Transparent pixels neither contribute nor receive colour.
  @Test func transparentPixelsDoNotChangeOtherColours() throws {
    let input = Raster(64, 8, bands: 4) { x, _, band in
      let opaque = [0.8, 0.4, 0.2, 1]
      return x < 32 ? opaque[band] : [0.1, 1, 1, 0][band]
    }
    let output = try Self.resized(input.image(as: .uchar), 23, 3)
    let pixels = try output.pixels()
    for pixel in stride(from: 0, to: pixels.count, by: 4) {
      let alpha = pixels[pixel + 3]
      let wanted: [UInt8] = alpha == 0 ? [0, 0, 0] : [204, 102, 51]
      #expect(alpha == 0 || Array(pixels[pixel..<pixel + 3]) == wanted, "\(pixel / 4)")
    }
    #expect(pixels[3] == 255 && pixels[22 * 4 + 3] == 0)
    #expect(Array(pixels[22 * 4..<22 * 4 + 3]) == [0, 0, 0])
  }

  /// The result does not depend on the shape and order of the regions in which it is requested.
  ///
  /// The input is in memory, so that libvips does not cache strips of rows.
  @Test(arguments: [(61, 40), (433, 300)], [(37, 29), (1000, 1), (1, 50), (13, 8)])
  func theResultDoesNotDependOnTheRequestedRegions(_ size: (Int, Int), _ tile: (Int, Int)) throws {
    let image = try Raster.noise(211, 145, bands: 3).image(as: .uchar)
    let whole = try Self.resized(image, size.0, size.1)
    let tiled = try Threads.with(1) {
      try Self.resized(image, size.0, size.1).applying(
        "tilecache",
        [
          "tile_width": .integer(tile.0), "tile_height": .integer(tile.1),
          "max_tiles": .integer(1),
        ]
      ).applying("rot", ["angle": .choice("d270")]).applying("rot", ["angle": .choice("d90")])
        .pixels()
    }
    #expect(try tiled.firstDifference(from: whole.pixels()) == nil)
  }

  @Test func aResizedPartEqualsThePartOfTheWhole() throws {
    let image = try Raster.noise(211, 145, bands: 4).image(as: .ushort)
    let area: [String: Argument] = [
      "left": .integer(11), "top": .integer(21), "width": .integer(30), "height": .integer(17),
    ]
    for (width, height) in [(60, 45), (300, 200)] {
      let resized = try Self.resized(image, width, height, to: .float)
      let part = try resized.applying("extract_area", area).pixels()
      let whole = try Image(
        pixels: resized.pixels(), width: width, height: height, bands: 4, format: .float)
      #expect(try part.firstDifference(from: whole.applying("extract_area", area).pixels()) == nil)
    }
  }

  /// A file that can be decoded only from the top down gives the same pixels as an image in memory,
  /// whether the output is read in strips or in tiles.
  @Test(arguments: [1, 4], [(20, 1500), (20, 60), (90, 5003), (8, 2)])
  func aFileDecodedFromTheTopGivesTheSamePixels(_ threads: Int, _ size: (Int, Int)) throws {
    let image = try Raster.noise(64, 5000, bands: 3).image(as: .uchar)
    let plain = try Self.resized(image, size.0, size.1).pixels()
    let file = Target()
    try image.save(to: file, as: "pngsave_target", ["compression": .integer(1)])
    let bytes = file.bytes()
    try Threads.with(threads) {
      for tile in [(size.0, 16), (7, 128)] {
        let streamed = try Image.calling(
          "pngload_source",
          ["source": .source(Source(bytes: bytes)), "access": .choice("sequential")]
        ).image("out")
        let tiled = try Self.resized(streamed, size.0, size.1).applying(
          "tilecache",
          [
            "tile_width": .integer(tile.0), "tile_height": .integer(tile.1),
            "max_tiles": .integer(2), "threaded": .flag(true),
          ])
        #expect(try tiled.pixels().firstDifference(from: plain) == nil, "\(tile)")
      }
    }
  }

  @Test func unsupportedArgumentsThrow() throws {
    let image = try Raster.noise(8, 8, bands: 3).image(as: .uchar)
    for (name, value) in [
      ("kernel", Argument.choice("nearest")), ("width", .integer(0)), ("format", .choice("int")),
    ] {
      var arguments: [String: Argument] = [
        "width": .integer(4), "height": .integer(4), "format": .choice("uchar"),
      ]
      arguments[name] = value
      #expect(throws: VipsError.self, "\(name)") {
        try image.applying("phbatch_resize", arguments)
      }
    }
    let five = try Raster.noise(8, 8, bands: 5).image(as: .uchar)
    #expect(throws: VipsError.self) { try Self.resized(five, 4, 4) }
  }
}
