import Foundation
import PhotoRender
import TestSupport
import Testing
import Vips

/// Converts colours with the corpus's profiles, and compares them with Little CMS in double
/// precision by the colour difference CIEDE2000.
@Suite struct ProfileOracleTests {
  private struct Table {
    /// The device values of the tested colours, as levels of 255.
    let levels: [Int]
    /// The sRGB colours that each profile gives, as levels of 65,535.
    let results: [(profile: String, values: [Int])]

    init() throws {
      let folder = URL(filePath: #filePath).deletingLastPathComponent()
      let text = try String(
        contentsOf: folder.appending(path: "../../Oracles/icc.txt"), encoding: .utf8)
      let lines = text.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
      levels = lines.first?.compactMap { Int($0) } ?? []
      results = lines.dropFirst().map { words in
        (String(words[0]), words.dropFirst().compactMap { Int($0) })
      }
    }
  }

  private static func differences(_ a: [Int], _ b: [Int]) -> [Double] {
    func colours(_ values: [Int]) -> [SIMD3<Double>] {
      let levels = values.map { Double($0) / 65_535 }
      return stride(from: 0, to: levels.count, by: 3).map { start in
        SIMD3(levels[start], levels[start + 1], levels[start + 2])
      }
    }
    return zip(colours(a), colours(b)).map { ColourDifference.between(srgb: $0, $1) }
  }

  @Test(.enabled(if: Corpus.isHere)) func profilesOfTheCorpusGiveTheSameColoursAsLittleCMS() throws
  {
    let table = try Table()
    #expect(table.results.count >= 10)
    for (profile, wanted) in table.results {
      let path = "\(Corpus.folder ?? "")/icc/\(profile)"
      let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
      let chart = Samples(
        width: table.levels.count / 3, height: 1, bands: 3, maximum: 255, values: table.levels)
      let photo = try chart.file(fields: ["icc-profile-data": .blob(bytes)])
      let result = try Samples(
        file: Studio.develop(photo, "[]", output: #""format": "png", "bitDepth": "16""#))
      try #require(result.values.count == wanted.count)
      let differences = Self.differences(result.values, wanted)
      let mean = differences.reduce(0, +) / Double(differences.count)
      let worst = differences.max() ?? 0
      #expect(mean <= 0.3, "\(profile): \(mean)")
      #expect(worst <= 1, "\(profile): \(worst)")
    }
  }

  /// Pairs of CIELAB colours and their differences from table 1 of the paper on CIEDE2000 that
  /// `ColourDifference` names.
  @Test(
    arguments: [
      ([50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425),
      ([50, -1.3802, -84.2814], [50, 0, -82.7485], 1.0000),
      ([50, 2.5, 0], [73, 25, -18], 27.1492),
      ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
      ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
    ] as [([Double], [Double], Double)])
  func colourDifferencesEqualThePublishedValues(_ a: [Double], _ b: [Double], _ wanted: Double) {
    let found = ColourDifference.between(
      lab: SIMD3(a[0], a[1], a[2]), SIMD3(b[0], b[1], b[2]))
    #expect(abs(found - wanted) < 0.0001)
  }
}

/// The colour difference CIEDE2000.
///
/// - Source: G. Sharma, W. Wu, E. N. Dalal, "The CIEDE2000 Color-Difference Formula", Color
///   Research and Application 30 (2005), equations 2 to 22.
enum ColourDifference {
  /// The difference between two display-encoded sRGB colours, 0…1.
  static func between(srgb a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    between(lab: lab(a), lab(b))
  }

  /// The colour in CIELAB under D65.
  private static func lab(_ colour: SIMD3<Double>) -> SIMD3<Double> {
    let r = PointFormulas.light(colour.x)
    let g = PointFormulas.light(colour.y)
    let b = PointFormulas.light(colour.z)
    func root(_ t: Double) -> Double {
      t > 216 / 24_389.0 ? cbrt(t) : (24_389 / 27.0 * t + 16) / 116
    }
    let x = root((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047)
    let y = root(0.2126729 * r + 0.7151522 * g + 0.0721750 * b)
    let z = root((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883)
    return SIMD3(116 * y - 16, 500 * (x - y), 200 * (y - z))
  }

  static func between(lab a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    func seventh(_ chroma: Double) -> Double {
      let power = pow(chroma, 7)
      return (power / (power + pow(25, 7))).squareRoot()
    }
    let g = 0.5 * (1 - seventh((hypot(a.y, a.z) + hypot(b.y, b.z)) / 2))
    let (a1, b1) = ((1 + g) * a.y, (1 + g) * b.y)
    let (c1, c2) = (hypot(a1, a.z), hypot(b1, b.z))
    func angle(_ x: Double, _ y: Double) -> Double {
      if x == 0 && y == 0 { return 0 }
      let angle = atan2(y, x) * 180 / .pi
      return angle < 0 ? angle + 360 : angle
    }
    let (h1, h2) = (angle(a1, a.z), angle(b1, b.z))
    let isGrey = c1 * c2 == 0
    let turn = isGrey ? 0 : abs(h2 - h1) <= 180 ? h2 - h1 : h2 > h1 ? h2 - h1 - 360 : h2 - h1 + 360
    let lightness = b.x - a.x
    let chroma = c2 - c1
    let hue = 2 * (c1 * c2).squareRoot() * sin(turn / 2 * .pi / 180)
    let meanLightness = (a.x + b.x) / 2
    let meanChroma = (c1 + c2) / 2
    let sum = h1 + h2
    let meanHue =
      isGrey ? sum : abs(h1 - h2) <= 180 ? sum / 2 : sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2
    func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
    let t =
      1 - 0.17 * cosine(meanHue - 30) + 0.24 * cosine(2 * meanHue)
      + 0.32 * cosine(3 * meanHue + 6) - 0.2 * cosine(4 * meanHue - 63)
    let away = (meanLightness - 50) * (meanLightness - 50)
    let scaled = SIMD3(
      lightness / (1 + 0.015 * away / (20 + away).squareRoot()),
      chroma / (1 + 0.045 * meanChroma), hue / (1 + 0.015 * meanChroma * t))
    let step = (meanHue - 275) / 25
    let rotation = -sin(60 * exp(-step * step) * .pi / 180) * 2 * seventh(meanChroma)
    return ((scaled * scaled).sum() + rotation * scaled.y * scaled.z).squareRoot()
  }
}
