import Foundation
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// `saturation`, `vibrance` and `hsl` keep colours within the space of the output.
@Suite struct OutputGamutTests {
  private static let colours = [
    [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.8, 0.3, 0.2], [0.3, 0.6, 0.2], [0.2, 0.3, 0.7],
    [0.9, 0.8, 0.1], [0.5, 0.5, 0.5],
  ]

  /// A photo in Display P3 of these display-encoded colours, in 16 bits.
  private static func photo() throws -> [UInt8] {
    let values = colours.flatMap { $0.map { Int(($0 * 65_535).rounded()) } }
    let samples = Samples(
      width: colours.count, height: 1, bands: 3, maximum: 65_535, values: values)
    return try SyntheticPhoto.bytes(
      samples.image().setting(["icc-profile-data": .blob(StandardProfile.displayP3.bytes)]),
      "pngsave_target")
  }

  private static func rendered(
    _ filters: String, _ profile: String, rolloff: String = "hard"
  ) throws -> [[Double]] {
    let file = try Studio.develop(
      photo(), filters,
      output: """
        "format": "png", "profile": "\(profile)", "highlights": {"rolloff": "\(rolloff)"}
        """)
    let samples = try Samples(file: file)
    return colours.indices.map { x in samples[x, 0].map { Double($0) / 65_535 } }
  }

  /// Display P3's cone responses and OKLab; the rows of the matrix from P3 are the product of the
  /// primaries of SMPTE EG 432-1 and of Ottosson's matrix.
  private static let lmsFromP3 = [
    [0.4813799, 0.4621184, 0.0565017], [0.2288319, 0.6532168, 0.1179513],
    [0.0839457, 0.2241653, 0.6918890],
  ]
  private static let labFromLMS = [
    [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
  ]

  private static let p3FromSRGB = [
    [0.8224620, 0.1775380, 0], [0.0331942, 0.9668058, 0], [0.0170826, 0.0723974, 0.9105200],
  ]

  private static func product(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
    matrix.map { row in zip(row, vector).map { $0 * $1 }.reduce(0, +) }
  }

  /// Lightness, and the purity in Display P3, of a display-encoded colour of Display P3.
  private static func lightnessAndPurity(_ colour: [Double]) -> (Double, Double) {
    let light = colour.map(PointFormulas.light)
    let lightness = product(labFromLMS, product(lmsFromP3, light).map(cbrt))[0]
    let grey = pow(lightness, 3)
    let parts = light.map { max(($0 - grey) / max(1 - grey, 1e-4), (grey - $0) / max(grey, 1e-4)) }
    return (lightness, parts.reduce(0, max))
  }

  private static func chroma(_ colour: [Double]) -> Double {
    let lab = product(labFromLMS, product(lmsFromP3, colour.map(PointFormulas.light)).map(cbrt))
    return hypot(lab[1], lab[2])
  }

  @Test(arguments: ["display-p3", "preserve"]) func saturationReachesTheEdgeOfTheOutputsGamut(
    _ profile: String
  ) throws {
    let found = try Self.rendered(#"[{"filter": "saturation", "amount": 0.6}]"#, profile)
    for (before, after) in zip(Self.colours, found) {
      let (lightness, purity) = Self.lightnessAndPurity(before)
      let square = pow(min(1, purity), 2)
      let wanted = Self.chroma(before) * (1 + 0.6) / (1 + 0.6 * square)
      #expect(abs(Self.chroma(after) - wanted) < 0.001, "\(before) → \(after)")
      #expect(abs(Self.lightnessAndPurity(after).0 - lightness) < 0.001)
    }
  }

  /// In an sRGB output, the same step stops at the edge of sRGB.
  @Test(arguments: [
    #"{"filter": "saturation", "amount": 0.6}"#, #"{"filter": "vibrance", "amount": 1}"#,
    #"{"filter": "hsl", "redSaturation": 1, "greenSaturation": 1, "blueSaturation": 1}"#,
  ]) func aWideOutputAllowsColoursOutsideSRGB(_ step: String) throws {
    let photo = try Samples(3, 1) { x, _ in
      [[250, 205, 195], [190, 245, 200], [200, 215, 252]][x]
    }
    .file()
    func chromas(_ profile: String) throws -> [Double] {
      let file = try Studio.develop(
        photo, "[\(step)]", output: #""format": "png", "bitDepth": 16, "profile": "\#(profile)""#)
      let samples = try Samples(file: file)
      return (0..<3).map { x in
        let colour = samples[x, 0].map { PointFormulas.light(Double($0) / Double(samples.maximum)) }
        let p3 = profile == "srgb" ? Self.product(Self.p3FromSRGB, colour) : colour
        return Self.chroma(p3.map(PointFormulas.display))
      }
    }
    for (narrow, wide) in zip(try chromas("srgb"), try chromas("display-p3")) {
      #expect(wide > narrow + 0.0005, "\(narrow) → \(wide)")
    }
  }

  /// An sRGB output and a wide output of one recipe have the same pixels as each output alone.
  @Test func eachOutputIsLimitedToTheGamutOfItsProfile() throws {
    func files(_ outputs: String) throws -> [String: [UInt8]] {
      let recipe = try Studio.recipe(
        text: """
          {"identifier": "org.example.test", "version": "1.0.0",
           "filters": [{"filter": "exposure", "stops": -0.2},
                       {"filter": "saturation", "amount": 0.6}],
           "outputs": [\(outputs)]}
          """)
      return try Studio.render(Self.photo(), recipe).files
    }
    let narrow = #"{"name": "narrow", "format": "png", "profile": "srgb"}"#
    let wide = #"{"name": "wide", "format": "png", "profile": "display-p3"}"#
    let both = try files("\(narrow), \(wide)")
    #expect(try both["narrow"] == files(narrow)["narrow"])
    #expect(try both["wide"] == files(wide)["wide"])
  }

  /// `exposure` by a third of a stop, with a shoulder: colours within Display P3 become as bright
  /// as the shoulder of Display P3 states.
  @Test(arguments: ["display-p3", "preserve"]) func theShoulderFollowsTheColourSpaceOfTheOutput(
    _ profile: String
  ) throws {
    let stops = 0.3
    let (peak, knee) = (exp2(stops), 2 - exp2(stops))
    let bend = 1 / (1 - knee) - 1 / (peak - knee)
    let found = try Self.rendered(
      #"[{"filter": "exposure", "stops": \#(stops)}]"#, profile, rolloff: "soft")
    for (before, after) in zip(Self.colours, found) {
      let light = before.map { PointFormulas.light($0) * peak }
      let most = light.max() ?? 0
      let above = max(0, most - knee)
      let gain = min(1, most - above + above / (1 + bend * above)) / most
      for (light, value) in zip(light, after) {
        #expect(abs(value - PointFormulas.display(light * gain)) < 0.001, "\(before) → \(after)")
      }
    }
  }
}
