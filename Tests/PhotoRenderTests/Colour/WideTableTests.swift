import Foundation
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Ink colours and scanner colours, converted to spaces larger than sRGB, compared with Little CMS.
@Suite(.enabled(if: Corpus.isHere)) struct WideTableTests {
  /// A chart of colours in the device values of a profile (such as inks), and the colours that the
  /// profile's tables give for them.
  private struct Chart {
    let path: String
    /// The device values, as levels of 255.
    let levels: [Int]
    /// The resulting colours as levels of 65,535, one entry for each output space.
    var results: [(space: String, values: [Int])] = []

    /// The chart as a picture of one row.
    var photo: [UInt8] { get throws { try photo(width: levels.count / bands) } }

    private var isInk: Bool { path.contains("cmyk") }
    private var bands: Int { isInk ? 4 : 3 }

    func photo(width: Int) throws -> [UInt8] {
      let bytes = try [UInt8](
        Data(contentsOf: URL(filePath: "\(Corpus.folder ?? "")/icc/\(path)")))
      let image = try Image(
        samples: levels.map { UInt8($0) }, width: width, height: levels.count / bands / width,
        bands: bands
      ).applying("copy", ["interpretation": .choice(isInk ? "cmyk" : "srgb")])
        .setting(["icc-profile-data": .blob(bytes)])
      return try SyntheticPhoto.bytes(image, "tiffsave_target")
    }
  }

  private static let spaces: [String: StandardProfile] = [
    "display-p3": .displayP3, "adobe-rgb": .adobeRGB, "prophoto": .proPhoto, "rec2020": .rec2020,
  ]

  private static func charts() throws -> [Chart] {
    let place = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Oracles/wide.txt")
    let lines = try String(contentsOf: place, encoding: .utf8).split(separator: "\n").dropFirst()
    var charts: [Chart] = []
    for words in lines.map({ $0.split(separator: " ") }) {
      let (name, values) = (String(words[0]), words.dropFirst().compactMap { Int($0) })
      if spaces[name] == nil {
        charts.append(Chart(path: name, levels: values))
      } else {
        charts[charts.count - 1].results.append((name, values))
      }
    }
    return charts
  }

  /// The CIELAB colours of 16-bit samples in a space.
  private static func labs(_ values: [Int], _ space: StandardProfile) throws -> [SIMD3<Double>] {
    let profile = try #require(ICCProfile(space.bytes))
    guard case .matrix(let curve, _, _, _) = profile else { return [] }
    let white = SIMD3(0.9642, 1, 0.8249)
    func root(_ t: Double) -> Double {
      t > 216 / 24_389.0 ? cbrt(t) : (24_389 / 27.0 * t + 16) / 116
    }
    return stride(from: 0, to: values.count, by: 3).map { start in
      let light = (0..<3).map { curve(Double(values[start + $0]) / 65_535) }
      let xyz = space.xyz50FromRGB(.init(light[0], light[1], light[2])) / white
      let (x, y, z) = (root(xyz.x), root(xyz.y), root(xyz.z))
      return SIMD3(116 * y - 16, 500 * (x - y), 200 * (y - z))
    }
  }

  private static func differences(
    _ a: [Int], _ b: [Int], _ space: StandardProfile
  ) throws -> (mean: Double, most: Double) {
    let all = try zip(labs(a, space), labs(b, space)).map {
      ColourDifference.between(lab: $0, $1)
    }
    return (all.reduce(0, +) / Double(all.count), all.max() ?? 0)
  }

  private static func recipe(_ spaces: [String]) throws -> Recipe {
    let outputs = spaces.map {
      let depth = $0 == "preserve" ? "auto" : "16"
      return """
        {"name": "\($0)", "format": "tiff", "bitDepth": "\(depth)", "profile": "\($0)"}
        """
    }
    return try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0",
         "outputs": [\(outputs.joined(separator: ", "))]}
        """)
  }

  private static func rendered(_ photo: [UInt8], _ spaces: [String]) throws -> [[Int]] {
    let files = try Studio.render(photo, recipe(spaces)).files
    return try spaces.map { try Samples(file: #require(files[$0])).values }
  }

  @Test func coloursOutsideSRGBAreKeptInAWiderOutputSpace() throws {
    let charts = try Self.charts()
    #expect(charts.count == 2)
    for chart in charts {
      let photo = try chart.photo
      for (name, wanted) in chart.results {
        let space = try #require(Self.spaces[name])
        let found = try #require(try Self.rendered(photo, [name]).first)
        let (mean, most) = try Self.differences(found, wanted, space)
        #expect(mean <= 0.3 && most <= 1, "\(chart.path) in \(name): \(mean), \(most)")
      }
    }
  }

  /// The results for several outputs are the same as for each output alone.
  ///
  /// The results differ a little from those of Little CMS, which samples its tables at other points
  /// in each space and clips colours outside the space.
  @Test func severalOutputsHaveTheSamePixelsAsEachOutputAlone() throws {
    for chart in try Self.charts() {
      let names = ["srgb"] + chart.results.map(\.space)
      let photo = try chart.photo
      for (name, found) in zip(names, try Self.rendered(photo, names)) {
        #expect(found == (try Self.rendered(photo, [name]).first), "\(chart.path) in \(name)")
        guard let wanted = chart.results.first(where: { $0.space == name }) else { continue }
        let (mean, most) = try Self.differences(
          found, wanted.values, #require(Self.spaces[name]))
        #expect(mean <= 0.3 && most <= 1, "\(chart.path) in \(name): \(mean), \(most)")
      }
    }
  }

  /// The photo is decoded once for all outputs.
  ///
  /// Its rows are converted to the space of each output; the output that preserves the inks gets
  /// the rows unchanged.
  @Test func aLargePhotoIsDecodedOnceForAllOutputSpaces() throws {
    let chart = try #require(try Self.charts().first)
    let inks = chart.levels.count / 4
    let levels = (0..<1200 * 900).flatMap { pixel in
      (0..<4).map { chart.levels[(pixel * 7 + pixel / 1200) % inks * 4 + $0] }
    }
    let large = Chart(path: chart.path, levels: levels)
    let photo = try large.photo(width: 1200)
    let names = ["rec2020", "adobe-rgb", "preserve", "srgb", "prophoto"]
    let recipe = try Self.recipe(names)
    let plan = try Renderer(recipe).plan(.bytes(photo)).pipeline
    #expect(plan.calls.count { $0.step.operation == .load } == 1)
    #expect(plan.tees.map(\.readers.count) == [names.count])
    #expect(plan.outputs.map(\.name) == names)
    for (name, found) in zip(names, try Self.rendered(photo, names)) {
      // Compares with `==`, because a failed `#expect` would print millions of values.
      let isSame = try found == Self.rendered(photo, [name]).first
      #expect(isSame, "\(name)")
      let isStored = found == levels
      #expect(isStored == (name == "preserve"), "\(name)")
    }
  }

  /// Filters compute in float, so colours outside sRGB are not clipped between two filters.
  @Test func filtersKeepColoursOutsideSRGB() throws {
    let chart = try #require(try Self.charts().first)
    let space = StandardProfile.rec2020
    let recipe = try Studio.recipe(
      #"[{"filter": "exposure", "stops": -1}, {"filter": "exposure", "id": "b", "stops": 1}]"#,
      output: #""format": "tiff", "bitDepth": "16", "profile": "rec2020""#)
    let file = try #require(try Studio.render(chart.photo, recipe).files["out"])
    let wanted = try #require(chart.results.first { $0.space == "rec2020" }?.values)
    let (mean, most) = try Self.differences(Samples(file: file).values, wanted, space)
    #expect(mean <= 0.3 && most <= 1, "\(mean), \(most)")
  }
}
