import Foundation
import TestReference
import Testing
import Vips

/// Tests `phbatch_pixelate` and `phbatch_censor`: their squares are compared with directly computed
/// means.
@Suite struct CensorTests {
  /// The means of the pixels with centres in the same square.
  private static func squares(_ input: Raster, size: Double) -> Raster {
    func square(_ pixel: Int) -> Int { Int((Double(pixel) + 0.5) / size) }
    func pixels(_ length: Int) -> [Int: [Int]] { Dictionary(grouping: 0..<length, by: square) }
    let (columns, rows) = (pixels(input.width), pixels(input.height))
    return input.mapped { x, y, band in
      var (sum, count) = (0.0, 0.0)
      for row in rows[square(y)] ?? [] {
        for column in columns[square(x)] ?? [] {
          sum += input.value(column, row, band)
          count += 1
        }
      }
      return sum / count
    }
  }

  @Test(arguments: [(29, 17), (1, 1), (70, 5)], [1, 1.3, 2, 2.5, 7, 7.77, 16, 1000])
  func pixelatedSquaresAreMeansOfTheirPixels(_ size: (Int, Int), _ side: Double) throws {
    for bands in 1...4 {
      for format in SampleFormat.allCases {
        let input = Raster.noise(size.0, size.1, bands: bands).stored(as: format)
        let output = try input.image(as: format).applying(
          "phbatch_pixelate", ["size": .number(side), "format": .choice(format.rawValue)])
        let expected = Self.squares(input, size: side)
        #expect(try expected.distance(to: output, as: format) <= format.tolerance, "\(format)")
      }
    }
  }

  /// The rectangle from (10, 9) to (30, 27) in 40 × 36 pixels, as fractions.
  private static let rectangle: [String: Argument] = [
    "left": .number(0.25), "top": .number(0.25), "width": .number(0.5), "height": .number(0.5),
  ]

  private static func isInside(_ x: Int, _ y: Int) -> Bool {
    (10..<30).contains(x) && (9..<27).contains(y)
  }

  private static let methods: [[String: Argument]] = [
    ["size": .number(6)], ["sigma": .number(3)], ["sigma": .number(20)],
    ["colour": .numbers([1, 0.5, 0])],
  ]

  @Test(arguments: SampleFormat.allCases) func onlyTheCensoredRectangleIsCovered(
    _ format: SampleFormat
  ) throws {
    let input = Raster.noise(40, 36, bands: 3).stored(as: format)
    let part = Raster(20, 18, bands: 3) { x, y, band in input.value(x + 10, y + 9, band) }
    let covers = [
      Self.squares(part, size: 6), part.blurred(sigma: 3), nil,
      part.mapped { _, _, band in [1, 0.5, 0][band] },
    ]
    for (method, cover) in zip(Self.methods, covers) {
      guard let cover else { continue }
      let arguments = Self.rectangle.merging(method) { $1 }
        .merging(["format": .choice(format.rawValue)]) { $1 }
      let output = try input.image(as: format).applying("phbatch_censor", arguments)
      let expected = input.mapped { x, y, band in
        Self.isInside(x, y) ? cover.value(x - 10, y - 9, band) : input.value(x, y, band)
      }
      #expect(try expected.distance(to: output, as: format) <= format.tolerance, "\(method)")
    }
  }

  /// Pixels outside a censored rectangle do not affect the colours with which the rectangle is
  /// covered.
  @Test(arguments: 0..<4) func pixelsOutsideTheRectangleDoNotChangeTheCover(_ method: Int) throws {
    let one = Raster.noise(40, 36, bands: 3)
    let two = one.mapped { x, y, band in
      Self.isInside(x, y) ? one.value(x, y, band) : 1 - one.value(x, y, band)
    }
    let arguments = Self.rectangle.merging(Self.methods[method]) { $1 }
      .merging(["format": .choice("float")]) { $1 }
    let results = try [one, two].map { raster in
      Raster(
        width: 40, height: 36, bands: 3,
        values: Raster.values(
          of: try raster.image(as: .float).applying("phbatch_censor", arguments).pixels(),
          as: .float))
    }
    for y in 0..<36 {
      for x in 0..<40 where Self.isInside(x, y) {
        #expect(results[0].value(x, y, 0) == results[1].value(x, y, 0))
      }
    }
  }

  @Test func anEmptyRectangleCoversNothing() throws {
    let input = Raster.noise(20, 20, bands: 3)
    for method in Self.methods {
      var arguments = Self.rectangle.merging(method) { $1 }
      arguments["width"] = .number(0)
      arguments["format"] = .choice("float")
      let output = try input.image(as: .float).applying("phbatch_censor", arguments)
      #expect(try output.pixels().firstDifference(from: input.bytes(as: .float)) == nil)
    }
  }
}
