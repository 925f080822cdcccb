import Foundation
import TestReference
import Testing
import Vips

/// `phbatch_unsharp`, compared with its formula in double precision.
@Suite struct UnsharpTests {
  /// A picture of noise; with four bands, the colours are multiplied by alpha, and a third of the
  /// pixels are transparent.
  private static func picture(_ width: Int, _ height: Int, bands: Int) -> Raster {
    let noise = Raster.noise(width, height, bands: bands)
    return bands == 3 ? noise : noise.cutOut { x, y in noise.value(x, y, 3) }
  }

  private static func sharpened(
    _ input: Raster, sigma: Double, amount: Double, threshold: Double
  ) -> Raster {
    let luma = input.straightLuma
    let blurred = input.mean(luma) { $0.blurred(sigma: sigma) }
    return input.mapped { x, y, band in
      let value = input.value(x, y, band)
      guard band < 3 else { return value }
      let difference = luma.value(x, y, 0) - blurred.value(x, y, 0)
      let soft = max(0, abs(difference) - threshold)
      return value + input.weight(x, y) * amount * (difference < 0 ? -soft : soft)
    }
  }

  @Test(
    arguments: [(29, 17), (1, 1), (1, 40), (40, 1), (600, 2)],
    [(0.3, 1.0, 0.0), (0.8, 0.5, 0.05), (3.0, 10.0, 0.25), (2.0, 0.0, 0.0)])
  func theUnsharpKernelMatchesItsFormula(
    _ size: (Int, Int), _ settings: (Double, Double, Double)
  ) throws {
    let (sigma, amount, threshold) = settings
    for bands in [3, 4] {
      for from in SampleFormat.allCases {
        let input = Self.picture(size.0, size.1, bands: bands).stored(as: from)
        let expected = Self.sharpened(
          input, sigma: sigma, amount: amount, threshold: threshold)
        for to in SampleFormat.allCases {
          let output = try input.image(as: from).applying(
            "phbatch_unsharp",
            [
              "sigma": .number(sigma), "amount": .number(amount), "threshold": .number(threshold),
              "format": .choice(to.rawValue),
            ])
          let distance = try expected.distance(to: output, as: to)
          #expect(distance <= to.tolerance, "\(bands) bands, \(from) to \(to)")
        }
      }
    }
  }

  /// The extremes within `reach` pixels, averaged over `spread` pixels on both sides; first
  /// vertically, then horizontally.
  private static func extremes(
    of luma: Raster, reach: Int, spread: Int, _ extreme: @escaping (Double, Double) -> Double
  ) -> Raster {
    func averaged(_ value: (Int) -> Double) -> Double {
      let found = (-spread...spread).map { place in
        (-reach...reach).map { value(place + $0) }.reduce(value(place), extreme)
      }
      return found.reduce(0, +) / Double(found.count)
    }
    let down = luma.mapped { x, y, _ in averaged { luma.nearest(x, y + $0, 0) } }
    return down.mapped { x, y, _ in averaged { down.nearest(x + $0, y, 0) } }
  }

  /// Computes the sharpening to add to the photo, weights it by the local contrast, and then limits
  /// halos, first those of smoothed luma.
  private static func refined(
    _ input: Raster, sigma: Double, edges: Double, falloff: Double, halo: Double,
    smoothing: Double = 0
  ) -> Raster {
    let luma = input.straightLuma
    let squares = luma.mapped { x, y, _ in luma.value(x, y, 0) * luma.value(x, y, 0) }
    let mean = input.mean(luma) { $0.blurred(sigma: sigma) }
    let square = input.mean(squares) { $0.blurred(sigma: sigma) }
    let reach = max(1, Int(sigma + 0.5))
    let isSmoothed = smoothing * sigma >= 0.3
    let fine = isSmoothed ? Int((3 * smoothing * sigma).rounded(.up)) : 0
    let spread = min(reach, Int((3 * sigma).rounded(.up)) - reach - fine)
    // Transparent pixels are never the extreme of a square that contains a visible pixel.
    func visible(_ other: Double) -> Raster {
      luma.mapped { x, y, _ in input.weight(x, y) > 0 ? luma.value(x, y, 0) : other }
    }
    let low = extremes(of: visible(1e6), reach: reach, spread: spread, min)
    let high = extremes(of: visible(-1e6), reach: reach, spread: spread, max)
    func change(_ here: Double, _ x: Int, _ y: Int) -> Double {
      let middle = mean.value(x, y, 0)
      if edges == 0 { return 2 * (here - middle) }
      let deviation = max(0, square.value(x, y, 0) - middle * middle).squareRoot()
      let edge = 0.1 * edges
      return 2 * (here - middle)
        * smoothStep(edge * (1 - falloff), edge * (1 + falloff) + 1e-12, deviation)
    }
    func excess(_ value: Double, _ x: Int, _ y: Int, _ low: Raster, _ high: Raster) -> Double {
      value - min(max(value, low.value(x, y, 0)), high.value(x, y, 0))
    }
    let coarse = input.mean(luma) { isSmoothed ? $0.blurred(sigma: smoothing * sigma) : $0 }
    let cover = luma.mapped { x, y, _ in input.weight(x, y) }
    let coverage = isSmoothed ? cover.blurred(sigma: smoothing * sigma) : cover
    func visibleCoarse(_ other: Double) -> Raster {
      coarse.mapped { x, y, _ in coverage.value(x, y, 0) > 0 ? coarse.value(x, y, 0) : other }
    }
    let coarseLow = extremes(of: visibleCoarse(1e6), reach: reach, spread: spread, min)
    let coarseHigh = extremes(of: visibleCoarse(-1e6), reach: reach, spread: spread, max)
    return input.mapped { x, y, band in
      guard band < 3 else { return input.value(x, y, band) }
      let here = luma.value(x, y, 0)
      let free = here + change(here, x, y)
      let own = excess(free, x, y, low, high)
      var removed = own
      if isSmoothed {
        let smooth = coarse.value(x, y, 0)
        removed = excess(smooth + change(smooth, x, y), x, y, coarseLow, coarseHigh)
        if own > 0 { removed = max(removed, own) }
        if own < 0 { removed = min(removed, own) }
      }
      return input.value(x, y, band) + input.weight(x, y) * (free - halo * removed - here)
    }
  }

  /// The settings are sigma, edges, falloff, halo and smoothing.
  @Test(
    arguments: [(29, 17), (1, 1), (1, 40), (600, 2)],
    [
      (0.8, 0.5, 0.5, 0.0, 0.15), (2.3, 0.8, 0.3, 0.7, 0.0), (1.2, 0.0, 0.5, 1.0, 0.1),
      (1.0, 1.0, 1.0, 0.4, 0.3), (2.3, 0.8, 0.3, 0.7, 0.15), (5.0, 0.0, 0.5, 1.0, 0.15),
      (3.1, 0.4, 0.5, 0.8, 0.3),
    ])
  func sharpeningProtectsFlatAreasAndLimitsHalos(
    _ size: (Int, Int), _ settings: (Double, Double, Double, Double, Double)
  ) throws {
    let (sigma, edges, falloff, halo, smoothing) = settings
    for bands in [3, 4] {
      // Half of the picture is nearly flat; the other half has strong noise.
      let noise = Raster.noise(size.0, size.1, bands: bands, in: -1...1)
      let colours = noise.mapped { x, y, band in
        0.5 + noise.value(x, y, band) * (x < size.0 / 2 ? 0.05 : 0.4)
      }
      let input = (bands == 3 ? colours : colours.cutOut { x, y in abs(noise.value(x, y, 3)) })
        .stored(as: .float)
      let expected = Self.refined(
        input, sigma: sigma, edges: edges, falloff: falloff, halo: halo, smoothing: smoothing)
      let output = try input.image(as: .float).applying(
        "phbatch_unsharp",
        [
          "sigma": .number(sigma), "amount": .number(2), "threshold": .number(0),
          "edges": .number(edges), "falloff": .number(falloff), "halo": .number(halo),
          "smoothing": .number(smoothing), "format": .choice("float"),
        ])
      // The tolerance is larger than in the other tests, because the variance is a small difference
      // of large values.
      #expect(try expected.distance(to: output, as: .float) <= 1e-4, "\(bands) bands")
    }
  }

  /// A program that processes the sharpened colours further; one of its instructions depends on the
  /// position.
  static let program = PointProgram(instructions: [
    .init(.decode), .init(.matrix, [0.8, 0.2, 0, 0, 0, 1, 0, 0, 0, 0.1, 0.9, 0]),
    .init(.radial, [20, 40.5, 0.02, 0.03, 0.1, 1.2, -0.6]), .init(.encode),
  ])

  @Test(arguments: SampleFormat.allCases) func aPointProgramProcessesTheSharpenedColours(
    _ to: SampleFormat
  ) throws {
    var program = Self.program
    program.instructions.append(.init(.dither, [255, 3]))
    for bands in [3, 4] {
      let image = try Raster.noise(700, 40, bands: bands, in: -0.2...1.2).image(as: .float)
      var settings: [String: Argument] = [
        "sigma": .number(1.2), "amount": .number(2), "threshold": .number(0),
        "format": .choice("float"),
      ]
      let inTwo = try image.applying("phbatch_unsharp", settings).applying(
        "phbatch_point",
        ["program": .blob(program.bytes), "format": .choice(to.rawValue)])
      settings["program"] = .blob(program.bytes)
      settings["format"] = .choice(to.rawValue)
      let inOne = try image.applying("phbatch_unsharp", settings)
      #expect(try inOne.pixels().firstDifference(from: inTwo.pixels()) == nil, "\(bands) bands")
    }
  }

  @Test func aPointProgramThatReadsOtherImagesIsRefused() throws {
    let image = try Raster.noise(9, 9, bands: 3).image(as: .uchar)
    for instruction in [
      PointProgram.Instruction(.layer, [0]), .init(.table, [Float](repeating: 0, count: 768)),
    ] {
      #expect(throws: VipsError.self) {
        try image.applying(
          "phbatch_unsharp",
          [
            "sigma": .number(1), "amount": .number(1), "threshold": .number(0),
            "format": .choice("uchar"),
            "program": .blob(PointProgram(instructions: [instruction]).bytes),
          ])
      }
    }
  }

  /// A photo that is decoded from top to bottom, and has more rows than libvips keeps, gives the
  /// same pixels as a photo in memory.
  @Test func aPhotoReadFromTopToBottomGivesTheSamePixels() throws {
    let input = Raster.noise(8, 3000, bands: 3)
    let settings: [String: Argument] = [
      "sigma": .number(50), "amount": .number(1), "threshold": .number(0),
      "format": .choice("uchar"),
    ]
    let plain = try input.image(as: .uchar).applying("phbatch_unsharp", settings)
    let streamed = try input.image(as: .uchar).applying("sequential")
      .applying("phbatch_unsharp", settings)
    #expect(try streamed.pixels().firstDifference(from: plain.pixels()) == nil)
  }
}

extension Raster {
  /// The colours of this picture, multiplied by an alpha that is 0 where `value` is below a third,
  /// and 0.3…1 elsewhere.
  fileprivate func cutOut(_ value: (_ x: Int, _ y: Int) -> Double) -> Raster {
    mapped { x, y, band in
      let alpha = value(x, y) < 1.0 / 3 ? 0 : max(0.3, min(1, value(x, y)))
      return band < 3 ? alpha * self.value(x, y, band) : alpha
    }
  }

  /// Alpha; 1 for a picture without alpha.
  fileprivate func weight(_ x: Int, _ y: Int) -> Double { bands == 4 ? value(x, y, 3) : 1 }

  /// The luma of unpremultiplied colours; 0 for transparent pixels.
  fileprivate var straightLuma: Raster {
    let luma = self.luma
    return luma.mapped { x, y, _ in
      let weight = self.weight(x, y)
      return weight > 0 ? luma.value(x, y, 0) / weight : 0
    }
  }

  /// The blur of a plane, weighted by alpha.
  fileprivate func mean(_ plane: Raster, _ blur: (Raster) -> Raster) -> Raster {
    let weighted = plane.mapped { x, y, _ in plane.value(x, y, 0) * weight(x, y) }
    let (sum, weights) = (blur(weighted), blur(plane.mapped { x, y, _ in weight(x, y) }))
    return sum.mapped { x, y, _ in
      weights.value(x, y, 0) > 0 ? sum.value(x, y, 0) / weights.value(x, y, 0) : 0
    }
  }
}
