import Foundation
import PhotoRecipes
import TestSupport
import Testing

/// A screen of one colour behind the subject becomes transparent.
@Suite struct ChromaKeyTests {
  /// OKLab of a display-encoded colour.
  ///
  /// - Source: B. Ottosson, "A perceptual color space for image processing", 2020.
  private static func lab(_ pixel: [Double]) -> [Double] {
    let cones = PointFormulas.times(
      [
        [0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
      ], pixel.map(PointFormulas.light))
    return PointFormulas.times(
      [
        [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
      ], cones.map(cbrt))
  }

  private static func pixel(_ lab: [Double]) -> [Double] {
    let cones = PointFormulas.times(
      [
        [1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728],
        [1, -0.0894841775, -1.2914855480],
      ], lab)
    let light = PointFormulas.times(
      [
        [4.0767416621, -3.3077115913, 0.2309699292], [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
      ], cones.map { $0 * $0 * $0 })
    return light.map(PointFormulas.display)
  }

  private struct Key {
    var colour: [Double]
    var tolerance = 0.1
    var softness = 0.1
    var lightness = 0.3
    var spill = 0.5

    init(_ colour: [Double]) { self.colour = colour }

    func callAsFunction(_ colour: [Double]) -> [Double] {
      let (key, lab) = (ChromaKeyTests.lab(self.colour), ChromaKeyTests.lab(colour))
      let way = zip(lab, key).map { $0 - $1 }
      let distance = hypot(lightness * way[0], hypot(way[1], way[2]))
      let part = min(1, max(0, (distance - tolerance) / softness))
      let chroma = hypot(key[1], key[2])
      let unit: [Double] = chroma < 0.02 ? [0, 0] : [key[1] / chroma, key[2] / chroma]
      let along = lab[1] * unit[0] + lab[2] * unit[1]
      let across = abs(lab[2] * unit[0] - lab[1] * unit[1])
      let lost = spill * max(0, along - 3.squareRoot() * across)
      let rest = [lab[0], lab[1] - lost * unit[0], lab[2] - lost * unit[1]]
      return ChromaKeyTests.pixel(rest) + [part * part * (3 - 2 * part)]
    }
  }

  private static let keys: [(settings: String, key: Key)] = {
    let green = Key([0, 177 / 255.0, 64 / 255.0])
    var blue = Key([0, 71 / 255.0, 187 / 255.0])
    (blue.spill, blue.tolerance) = (1, 0.02)
    var grey = Key(Array(repeating: 128 / 255.0, count: 3))
    (grey.lightness, grey.softness) = (1, 0.3)
    return [
      ("", green),
      (##""colour": "#0047bb", "spill": 1, "tolerance": 0.02"##, blue),
      (##""colour": "#808080", "lightness": 1, "softness": 0.3"##, grey),
    ]
  }()

  /// Compares with the formula in double precision.
  ///
  /// The colours of nearly transparent pixels are not compared.
  @Test(arguments: [255, 65_535], 0..<3)
  func alphaAndColoursMatchTheFormula(_ maximum: Int, _ number: Int) throws {
    let (settings, key) = Self.keys[number]
    let chart = PointChart.samples(maximum: maximum)
    let depth = maximum == 255 ? 8 : 16
    let step = ChromaKey.step(settings)
    let found = try Samples(
      file: Studio.develop(
        chart.file(), "[\(step)]", output: #""format": "png", "bitDepth": "\#(depth)""#))
    try #require(found.bands == 4 && found.maximum == maximum)
    let bound = maximum == 255 ? 1.001 : 4.001
    var (worst, clear) = (0.0, 0)
    for y in 0..<chart.height {
      for x in 0..<chart.width {
        let wanted = key(chart[x, y].map { Double($0) / Double(maximum) })
          .map { min(1, max(0, $0)) * Double(maximum) }
        worst = max(worst, abs(Double(found[x, y, 3]) - wanted[3]))
        if wanted[3] < 1 { clear += 1 }
        if wanted[3] < Double(maximum) / 4 { continue }
        for c in 0..<3 { worst = max(worst, abs(Double(found[x, y][c]) - wanted[c])) }
      }
    }
    #expect(worst <= bound, "\(worst)")
    #expect(clear > 3)
  }

  private static let subject = Samples(60, 40) { x, y in
    (x - 30) * (x - 30) + (y - 20) * (y - 20) < 150 ? [210, 150, 120] : [10, 170 + x % 8, 70]
  }

  @Test func aBackgroundColourShowsInPlaceOfTheScreen() throws {
    let file = try Self.subject.file()
    let behind = ##"{"filter": "background", "colour": "#102030"}"##
    let found = try Samples(file: Studio.develop(file, "[\(ChromaKey.step("")), \(behind)]"))
    #expect(found.bands == 3 && found[2, 2] == [16, 32, 48] && found[57, 37] == [16, 32, 48])
    #expect(zip(found[30, 20], [210, 150, 120]).allSatisfy { abs($0 - $1) <= 1 })
    // In a format without alpha, the background is white.
    let jpeg = try Samples(
      file: Studio.develop(
        file, "[\(ChromaKey.step(""))]", output: #""format": "jpeg", "quality": 95"#))
    #expect(jpeg.bands == 3 && jpeg[2, 2].allSatisfy { $0 >= 254 })
  }

  /// The alpha of the key multiplies the photo's own alpha.
  ///
  /// The step's opacity and mask reduce the effect of the key.
  @Test func theKeysAlphaMultipliesThePhotosAlpha() throws {
    let half = Samples(20, 10) { x, _ in [0, 177, 64, x < 10 ? 128 : 0] }
    #expect(try ChromaKey.applied(to: half)[3, 3][3] == 0)
    let far = Samples(20, 10) { _, _ in [200, 120, 90, 128] }
    #expect(try ChromaKey.applied(to: far)[3, 3] == [200, 120, 90, 128])
    let screen = Samples.flat([0, 177, 64], 20, 10)
    #expect(abs(try ChromaKey.applied(to: screen, #""opacity": 0.5"#)[3, 3][3] - 128) <= 1)
    let masked = try ChromaKey.applied(
      to: screen, #""mask": {"polygon": {"points": [[0, -1], [0.5, -1], [0.5, 2], [0, 2]]}}"#)
    #expect(masked[3, 3, 3] == 0 && masked[16, 3] == [0, 177, 64, 255])
  }

  @Test func theEdgeOfTheSubjectLosesTheColourOfTheScreen() throws {
    // A mixture of half screen colour and half skin colour.
    let edge = Samples.flat([105, 163, 92], 12, 8)
    let found = try ChromaKey.applied(to: edge, #""spill": 1, "tolerance": 0.05, "softness": 0.05"#)
    let (before, after) = (edge[3, 3], found[3, 3])
    #expect(before[1] - before[0] > 50 && after[1] - after[0] < 25, "\(after)")
  }
}
