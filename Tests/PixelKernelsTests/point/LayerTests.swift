import Foundation
import TestRandom
import TestReference
import Testing
import Vips

/// Tests the instructions of `phbatch_point` that read images other than the photo, also with
/// alpha.
@Suite struct LayerTests {
  private static func run(
    _ instructions: [PointProgram.Instruction], on photo: Raster, as from: SampleFormat = .float,
    layers: [Raster] = [], layersAs format: SampleFormat = .float, maps: [Raster] = [],
    to: SampleFormat = .float, more: [String: Argument] = [:]
  ) throws -> Image {
    var arguments: [String: Argument] = [
      "program": .blob(PointProgram(instructions: instructions).bytes),
      "format": .choice(to.rawValue),
    ]
    if !layers.isEmpty {
      arguments["layers"] = .images(try layers.map { try $0.image(as: format) })
    }
    if !maps.isEmpty { arguments["maps"] = .images(try maps.map { try $0.image(as: .float) }) }
    return try photo.image(as: from).applying(
      "phbatch_point", arguments.merging(more) { $1 })
  }

  /// Compares each blend mode with its formula for pairs of a backdrop colour and a source colour:
  /// 0, 1, equal values, and values outside 0…1.
  @Test(arguments: 1...17) func blendModesFollowTheRecommendation(_ mode: Int) throws {
    let levels = [-0.5, 0, 0.1, 0.25, 0.3, 0.5, 0.51, 0.75, 0.9, 1, 1.5]
    let count = levels.count
    let backdrop = Raster(count * count, count, bands: 3) { x, y, band in
      levels[[y, x / count, (x + y) % count][band]]
    }
    let source = Raster(count * count, count, bands: 3) { x, y, band in
      levels[[x % count, (x * 7 + y * 3) % count, x / count][band]]
    }
    let instructions: [PointProgram.Instruction] = [
      .init(.save, [0]), .init(.layer, [0]), .init(.blend, [0, Float(mode)]),
    ]
    var reference = PointReference(instructions: instructions)
    reference.layers = [source]
    let output = try Self.run(instructions, on: backdrop, layers: [source])
    let distance = try reference.raster(backdrop).distance(to: output, as: .float)
    #expect(distance <= 1e-5)
  }

  @Test(arguments: SampleFormat.allCases, [3, 4])
  func layersOfEverySampleFormatAreRead(_ format: SampleFormat, _ bands: Int) throws {
    let photo = Raster.noise(1100, 5, bands: bands)
    let layer = Raster(1100, 5, bands: bands) { x, y, band in
      Double((x * 31 + y * 57 + band * 91) % 256) / 255
    }.stored(as: format)
    let output = try Self.run(
      [.init(.layer, [0])], on: photo, layers: [layer], layersAs: format, to: .float)
    #expect(try layer.distance(to: output, as: .float) <= 1e-6)
  }

  @Test(arguments: [(1, 1), (2, 1), (1, 5), (9, 6), (300, 200)])
  func mapsAreStretchedOverTheFrame(_ size: (Int, Int)) throws {
    let map = Raster.noise(size.0, size.1, bands: 2, in: -0.3...1.3)
    let planes: [[Float]] = [
      [0.5 / 61, 1 / 61.0, 0, 0.5 / 43, 0, 1 / 43.0], [1.1, -0.03, 0.001, -0.2, 0.002, 0.035],
    ]
    for plane in planes {
      let instructions: [PointProgram.Instruction] = [
        .init(.save, [0]), .init(.coverMap, [2, 1] + plane), .init(.gain, [0, 0, 0, 1, 2, 3]),
        .init(.mix, [0, 1, 2]),
      ]
      let photo = Raster.noise(61, 43, bands: 3)
      var reference = PointReference(instructions: instructions)
      reference.maps = [Raster.noise(1, 1, bands: 1), map]
      let output = try Self.run(instructions, on: photo, maps: reference.maps)
      #expect(try reference.raster(photo).distance(to: output, as: .float) <= 1e-3)
    }
  }

  /// If a corner of a polygon is exactly on a row of pixels, a ray along this row must cross
  /// exactly one of the two edges at the corner.
  @Test func cornersOfPolygonsOnPixelRowsLeaveNoStreaks() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<400 {
      let height = Int.random(in: 3...40, using: &generator)
      let corners = (0..<5).flatMap { _ -> [Float] in
        let row = Int.random(in: 0..<height, using: &generator)
        return [
          Float.random(in: 0.2...0.8, using: &generator),
          (Float(row) + 0.5) / Float(height),
        ]
      }
      let plane: [Float] = [0.5 / 50, 1 / 50.0, 0, 0.5 / Float(height), 0, 1 / Float(height)]
      let instructions: [PointProgram.Instruction] = [
        .init(.save, [0]), .init(.coverPolygon, [0] + plane + [0.001, 5] + corners),
        .init(.gain, [0, 0, 0, 1, 1, 1]), .init(.mix, [0, 1, 0]),
      ]
      let photo = Raster(50, height, bands: 3) { _, _, _ in 0 }
      let pixels = Raster.values(of: try Self.run(instructions, on: photo).pixels(), as: .float)
      // The first and the last column are outside all polygons.
      for y in 0..<height {
        #expect(pixels[y * 150] == 0 && pixels[y * 150 + 149] == 0, "row \(y) of \(corners)")
      }
    }
  }

  /// Premultiplied colours are mixed, so that transparent pixels do not contribute colour.
  @Test func layersAreMixedWithPremultipliedColours() throws {
    let photo = Raster.noise(600, 3, bands: 4)
    let layer = Raster(600, 3, bands: 4) { x, y, band in
      band == 3 ? Double((x + y) % 5) / 4 : Double((x * 13 + y * 7 + band) % 50) / 49
    }
    let opacity = 0.3
    let output = try Self.run(
      [.init(.save, [0]), .init(.layer, [0]), .init(.mix, [0, Float(opacity), -1])], on: photo,
      layers: [layer])
    let wanted = Raster(600, 3, bands: 4) { x, y, band in
      let (below, above) = (photo.value(x, y, 3), layer.value(x, y, 3))
      let alpha = below * (1 - opacity) + above * opacity
      if band == 3 { return alpha }
      return
        (photo.value(x, y, band) * below * (1 - opacity)
        + layer.value(x, y, band) * above * opacity) / alpha
    }
    #expect(try wanted.distance(to: output, as: .float) <= 1e-5)
  }

  /// Where the photo is transparent, a layer that is blended with the photo keeps its own colour.
  @Test func aLayerOverATransparentPixelIsNotBlended() throws {
    let photo = Raster(4, 1, bands: 4) { x, _, band in band == 3 ? [0, 0.25, 0.5, 1][x] : 0.5 }
    let layer = Raster(4, 1, bands: 4) { _, _, band in band == 3 ? 0.5 : 0.8 }
    let output = try Self.run(
      [.init(.save, [0]), .init(.layer, [0]), .init(.blend, [0, 1])], on: photo, layers: [layer])
    let wanted = Raster(4, 1, bands: 4) { x, _, band in
      band == 3 ? 0.5 : [0.8, 0.6, 0.4, 0.4][x]
    }
    #expect(try wanted.distance(to: output, as: .float) <= 1e-6)
  }

  /// The compositions of pixels with all pairs of alphas, under a partial cover, follow Porter and
  /// Duff's formulas.
  ///
  /// Colours are compared only where the result is not transparent.
  @Test(arguments: CompositionReference.modes, SampleFormat.allCases)
  func compositionsFollowPorterAndDuff(_ mode: Int, _ format: SampleFormat) throws {
    let levels: [Double] = [0, 0.2, 0.4, 0.8, 1]
    func level(_ number: Int) -> Double { Double(number % 256) / 255 }
    let photo = Raster(300, 5, bands: 4) { x, y, band in
      band == 3 ? levels[y] : level(x * 29 + y * 41 + band * 83)
    }.stored(as: format)
    let layer = Raster(300, 5, bands: 4) { x, y, band in
      band == 3 ? levels[x % 5] : level(x * 31 + y * 57 + band * 91)
    }.stored(as: format)
    let program: [PointProgram.Instruction] = [
      .init(.save, [1]), .init(.coverLinear, [2, 0.1, 0.004, 0.1]), .init(.layer, [0]),
      .init(.compose, [1, 0.9, 2, Float(mode)]),
    ]
    let output = try Self.run(
      program, on: photo, as: format, layers: [layer], layersAs: format)
    let found = Raster.values(of: try output.pixels(), as: .float)
    var worst = 0.0
    for y in 0..<5 {
      for x in 0..<300 {
        func pixel(_ raster: Raster) -> SIMD4<Double> {
          SIMD4((0..<4).map { raster.value(x, y, $0) })
        }
        var source = pixel(layer)
        source.w *= 0.9 * CoverReference.smoothstep(0.1 + 0.004 * Double(x) + 0.1 * Double(y))
        let wanted = CompositionReference.composed(mode, pixel(photo), source)
        let start = 4 * (300 * y + x)
        for band in 0..<4 where band == 3 || wanted.w > 1e-3 {
          worst = max(worst, abs(found[start + band] - wanted[band]))
        }
      }
    }
    #expect(worst <= 1e-5)
  }

  /// Pixels outside a mask keep all their bits, and so does a photo that is mixed with an unchanged
  /// copy of itself.
  @Test(arguments: [3, 4]) func pixelsOutsideAMaskKeepTheirBits(_ bands: Int) throws {
    let photo = Raster.noise(900, 4, bands: bands, in: -3...3)
    let untouched = try photo.image(as: .float).pixels()
    let nowhere: [PointProgram.Instruction] = [
      .init(.save, [0]), .init(.coverLinear, [1, -1, 0, 0]),
      .init(.gain, [2, 3, 4, 0.1, 0.2, 0.3]), .init(.mix, [0, 1, 1]),
    ]
    #expect(try Self.run(nowhere, on: photo).pixels().firstDifference(from: untouched) == nil)
    let same: [PointProgram.Instruction] = [.init(.save, [0]), .init(.mix, [0, 0.37, -1])]
    #expect(try Self.run(same, on: photo).pixels().firstDifference(from: untouched) == nil)
  }

  private static let readers: [PointProgram.Instruction] = [
    .init(.save, [0]), .init(.coverMap, [0, 0] + PointTests.turned), .init(.layer, [1]),
    .init(.blend, [0, 9]), .init(.mix, [0, 0.8, 0]), .init(.save, [1]), .init(.layer, [0]),
    .init(.blend, [1, 14]), .init(.mix, [1, 0.5, -1]),
  ]

  @Test(arguments: [3, 4], [1, 4])
  func programsWithLayersDoNotDependOnTilesAndThreads(_ bands: Int, _ threads: Int) throws {
    let photo = Raster.noise(701, 203, bands: bands)
    let layers = [
      Raster.noise(701, 203, bands: bands, in: -0.2...1.2),
      Raster(701, 203, bands: bands) { x, y, band in Double((x * y + band) % 77) / 76 },
    ]
    let map = [Raster.noise(17, 9, bands: 1)]
    let whole = try Threads.with(1) {
      try Self.run(Self.readers, on: photo, layers: layers, maps: map).pixels()
    }
    let portable = try Self.run(
      Self.readers, on: photo, layers: layers, maps: map, more: ["portable": .flag(true)])
    #expect(try portable.pixels().firstDifference(from: whole) == nil)
    let tiled = try Threads.with(threads) {
      try Self.run(Self.readers, on: photo, layers: layers, maps: map).applying(
        "tilecache",
        [
          "tile_width": .integer(37), "tile_height": .integer(29), "max_tiles": .integer(3),
          "threaded": .flag(true),
        ]
      ).pixels()
    }
    #expect(tiled.firstDifference(from: whole) == nil)
  }

  @Test func layersOfAWrongSizeOrBandCountThrow() throws {
    let photo = Raster.noise(8, 6, bands: 3)
    let layer: [PointProgram.Instruction] = [.init(.layer, [0])]
    let map: [PointProgram.Instruction] = [.init(.coverMap, [0, 0] + PointTests.turned)]
    #expect(try Self.run(layer, on: photo, layers: [photo]).pixels().count == 8 * 6 * 12)
    for other in [(7, 6, 3), (8, 5, 3), (8, 6, 4), (8, 6, 1)] {
      let wrong = Raster.noise(other.0, other.1, bands: other.2)
      #expect(throws: VipsError.self, "\(other)") {
        try Self.run(layer, on: photo, layers: [wrong])
      }
    }
    for number: Float in [-1, 0.5, 2, 16, 1e9] {
      #expect(throws: VipsError.self) {
        try Self.run([.init(.layer, [number])], on: photo, layers: [photo, photo])
      }
      #expect(throws: VipsError.self) {
        try Self.run(
          [.init(.coverMap, [0, number] + PointTests.turned)], on: photo, maps: [photo, photo])
      }
    }
    #expect(throws: VipsError.self) { try Self.run(layer, on: photo, maps: [photo]) }
    #expect(throws: VipsError.self) { try Self.run(map, on: photo, layers: [photo]) }
    #expect(throws: VipsError.self) {
      try Self.run(
        map, on: photo, more: ["maps": .images([try photo.image(as: .uchar)])])
    }
    let many = Array(repeating: photo, count: 17)
    #expect(throws: VipsError.self) { try Self.run(layer, on: photo, layers: many) }
    #expect(throws: VipsError.self) { try Self.run(map, on: photo, maps: many) }
    #expect(try Self.run(layer, on: photo, layers: many.dropLast()).width == 8)
  }

  /// Values that are not finite cause no crash, whether they are in a map or are positions in a
  /// map.
  @Test func nonFiniteValuesNeverIndexAMap() throws {
    let strange: [Double] = [.nan, .infinity, -.infinity, 1e30, -1e30, 0.5]
    let map = Raster(3, 2, bands: 1) { x, y, _ in strange[y * 3 + x] }
    for plane: [Float] in [
      [3e38, 3e38, -3e38, -3e38, 3e38, 3e38], [0, 0.1, 0, 0, 0, 0.2], [-1e9, 1, 0, 1e9, 0, 1],
    ] {
      let program: [PointProgram.Instruction] = [
        .init(.save, [0]), .init(.coverMap, [0, 0] + plane),
        .init(.gain, [0, 0, 0, 1, 1, 1]), .init(.mix, [0, 1, 0]),
      ]
      let photo = Raster(6, 5, bands: 3) { x, _, _ in strange[x] }
      #expect(try Self.run(program, on: photo, maps: [map], to: .uchar).pixels().count == 90)
    }
  }
}
