import Foundation
import PhotoRecipes
import TestSupport
import Testing

/// Light above white is compressed by a shoulder that keeps hues, or it is clipped.
@Suite struct RolloffTests {
  private static let soft = #""format": "png", "highlights": {"rolloff": "soft"}"#

  private static func result(
    _ photo: Samples, _ filters: String, _ output: String = soft
  ) throws -> Samples {
    try Samples(file: Studio.develop(photo.file(), filters, output: output))
  }

  private static func exposure(_ stops: Double) -> String {
    #"[{"filter": "exposure", "stops": \#(stops)}]"#
  }

  /// The hue of a colour in OKLab, in degrees.
  ///
  /// - Source: B. Ottosson, "A perceptual color space for image processing", 2020.
  private static func hue(_ colour: [Int], maximum: Int) -> Double {
    let light = colour.prefix(3).map { PointFormulas.light(Double($0) / Double(maximum)) }
    let (r, g, b) = (light[0], light[1], light[2])
    let l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    let m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    let s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    let first = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s
    let second = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
    return atan2(second, first) * 180 / .pi
  }

  /// Skies, sunsets, skins, leaves and petals.
  private static let colours = [
    [155, 193, 210], [120, 170, 230], [90, 150, 220], [250, 180, 90], [255, 140, 60],
    [240, 200, 180], [224, 172, 145], [198, 134, 101], [141, 85, 62], [120, 200, 60],
    [230, 60, 90], [255, 230, 40],
  ]

  @Test(arguments: [0.3, 1, 1.5, 3]) func softHighlightsKeepTheirHues(_ stops: Double) throws {
    let photo = Samples(Self.colours.count, 1) { x, _ in Self.colours[x].map { $0 * 257 } }
    let deep = Samples(
      width: photo.width, height: 1, bands: 3, maximum: 65_535, values: photo.values)
    let found = try Self.result(deep, Self.exposure(stops))
    try #require(found.maximum == 65_535)
    for x in 0..<Self.colours.count {
      let before = Self.hue(deep[x, 0], maximum: 65_535)
      let turned = Self.hue(found[x, 0], maximum: 65_535) - before
      #expect(abs(remainder(turned, 360)) < 0.5, "\(Self.colours[x]): \(turned)°")
      #expect(found[x, 0].max()! < 65_535 || Self.colours[x].max() == 255)
      #expect(zip(found[x, 0], deep[x, 0]).allSatisfy { $0 >= $1 - 64 })
    }
  }

  /// Greys that exposure moves above white are compressed by the formula of the shoulder, in double
  /// precision.
  @Test(arguments: [0.2, 1, 2]) func greysAboveWhiteMatchTheFormulaOfTheShoulder(
    _ stops: Double
  ) throws {
    let greys = Samples(256, 1) { x, _ in [x, x, x] }
    let found = try Self.result(greys, Self.exposure(stops))
    let peak = exp2(stops)
    let knee = max(0.5, 2 - peak)
    let bend = 1 / (1 - knee) - 1 / (peak - knee)
    for x in 0..<256 {
      let light = PointFormulas.light(Double(x) / 255) * peak
      let above = max(0, light - knee)
      let wanted = PointFormulas.display(light - above + above / (1 + bend * above)) * 255
      #expect(abs(Double(found[x, 0, 0]) - wanted) <= 1, "\(x)")
      if x > 0 { #expect(found[x, 0, 0] >= found[x - 1, 0, 0]) }
    }
    #expect(found[255, 0] == [255, 255, 255] && found[230, 0, 0] < 255)
  }

  @Test func theSettingHardClipsEachChannel() throws {
    let sky = Samples.flat([155, 193, 210], 4, 4)
    let hard = #""format": "png", "highlights": {"rolloff": "hard"}"#
    #expect(try Self.result(sky, Self.exposure(1.5), hard)[0, 0][1...] == [255, 255])
    #expect(try Self.result(sky, Self.exposure(1.5))[0, 0][1] < 240)
  }

  /// If no step pushes colours above white, the settings `soft` and `hard` for highlights give the
  /// same bytes.
  @Test(arguments: [
    "[]", exposure(-1), #"[{"filter": "saturation", "amount": 0.6}]"#,
    #"[{"filter": "vibrance", "amount": 1}]"#, #"[{"filter": "contrast", "amount": 0.5}]"#,
    #"[{"filter": "shadows", "amount": 1}, {"filter": "highlights", "amount": -1}]"#,
    #"[{"filter": "exposure", "stops": 1}, {"filter": "exposure", "id": "b", "stops": -1}]"#,
    #"[{"filter": "exposure", "stops": -1}, {"filter": "exposure", "id": "b", "stops": 1}]"#,
    #"[{"filter": "sharpen", "amount": 3}]"#, #"[{"filter": "hue", "angle": 0.01}]"#,
  ])
  func softAndHardAreEqualIfNothingExceedsWhite(_ filters: String) throws {
    let photo = try Samples.noise(60, 40).file()
    let hard = #""format": "png", "highlights": {"rolloff": "hard"}"#
    #expect(
      try Studio.develop(photo, filters, output: Self.soft)
        == Studio.develop(photo, filters, output: hard))
  }

  /// Steps that push only vivid colours above white keep white, and the hues of vivid colours.
  @Test(arguments: [
    #"[{"filter": "hue", "angle": 40}]"#, #"[{"filter": "light", "amount": 0.5}]"#,
    #"[{"filter": "colourGrading", "midtonesLuminance": 0.3}]"#,
  ])
  func whiteStaysWhiteIfOnlyVividColoursExceedIt(_ filters: String) throws {
    let white = Samples.flat([255, 255, 255], 4, 4)
    #expect(try Self.result(white, filters)[0, 0] == [255, 255, 255])
  }

  /// The same turn of the darker colour, which stays below white, gives the same hue.
  @Test func vividColoursThatATurnOfHuesPushesAboveWhiteKeepTheirHues() throws {
    let photo = Samples.flat([250, 90, 20], 4, 4)
    let turn = #"{"filter": "hue", "angle": 40}"#
    func hue(_ filters: String) throws -> Double {
      Self.hue(try Self.result(photo, filters)[0, 0], maximum: 255)
    }
    let bright = try hue("[\(turn)]")
    let dark = try hue(#"[{"filter": "exposure", "stops": -1}, \#(turn)]"#)
    #expect(abs(remainder(bright - dark, 360)) < 2, "\(bright), \(dark)")
  }

  /// A tone curve (levels or curves) states which tone becomes white, so no shoulder darkens this
  /// white.
  @Test(arguments: [
    #"[{"filter": "levels", "white": 0.8}]"#,
    #"[{"filter": "curves", "rgb": [[0, 0], [0.8, 1]]}]"#,
    #"[{"filter": "exposure", "stops": 0.5}, {"filter": "levels", "white": 0.8}]"#,
  ])
  func theWhiteOfAToneCurveIsNotDarkened(_ filters: String) throws {
    let photo = Samples.flat([206, 206, 206], 4, 4)
    #expect(try Self.result(photo, filters)[0, 0] == [255, 255, 255])
    // A bright blue keeps its hue under the same curve.
    let sky = Samples.flat([150, 200, 240], 4, 4)
    let found = try Self.result(sky, filters)[0, 0]
    #expect(found[0] < found[1] && found[1] < found[2])
  }

  /// The shoulder compresses the photo's highlights, but does not darken a white border that is
  /// added to the photo.
  @Test func aWhiteBorderAfterTheShoulderStaysWhite() throws {
    let photo = Samples.flat([230, 200, 60], 20, 20)
    let filters =
      ##"[{"filter": "exposure", "stops": 1}, {"filter": "border", "width": 4, "colour": "#fff"}]"##
    let found = try Self.result(photo, filters)
    #expect(found[1, 1] == [255, 255, 255])
    #expect(found[14, 14].max()! < 255 && found[14, 14, 2] < found[14, 14, 1])
  }

  /// The shoulder also compresses highlights after a step with a mask or an opacity, and after a
  /// filter that reads neighbouring pixels.
  @Test func theShoulderAlsoAppliesAfterAMaskOrANeighbourhoodFilter() throws {
    let sky = Samples.flat([155, 193, 210], 40, 40)
    for more in [
      #""opacity": 0.9"#, #""mask": {"linear": {"from": [0, 0], "to": [0.1, 0]}}"#,
    ] {
      let filters =
        #"[{"filter": "exposure", "stops": 1.5, \#(more)}, {"filter": "blur", "radius": 2}]"#
      let found = try Self.result(sky, filters)[30, 20]
      #expect(found.max()! < 255 && found[0] < found[1] && found[1] < found[2], "\(found)")
    }
  }

  /// A step with a mask or an opacity does not darken white, neither inside the mask nor outside, also
  /// after a step that pushes the whole photo above white; other tones still get brighter inside.
  @Test(arguments: [
    #""mask": {"radial": {"center": [0.25, 0.5], "radius": 0.2}}"#,
    #""mask": {"luminance": {"max": 0.3, "feather": 0.1}}"#, #""opacity": 0.3"#,
  ])
  func aStepOnAPartOfThePhotoKeepsWhite(_ part: String) throws {
    let photo = Samples(80, 40) { x, y in y < 20 ? [255, 255, 255] : [40, 50, 60] }
    for before in ["", #"{"filter": "exposure", "id": "a", "stops": 0.7}, "#] {
      let filters = #"[\#(before){"filter": "exposure", "stops": 1, \#(part)}]"#
      let found = try Self.result(photo, filters)
      for x in [2, 20, 40, 77] { #expect(found[x, 5] == [255, 255, 255], "\(before), \(x)") }
      let plain = try Self.result(photo, before.isEmpty ? "[]" : "[\(before.dropLast(2))]")
      #expect(found[20, 22, 1] > plain[20, 22, 1])
    }
  }

  /// A mask that covers nothing leaves the bytes of the photo.
  @Test func aMaskThatCoversNothingChangesNothing() throws {
    let photo = try Samples.noise(60, 40).file()
    let mask = #""mask": {"radial": {"center": [0.5, 0.5], "radius": 0.3}, "density": 0}"#
    let filters = #"[{"filter": "exposure", "stops": 2, \#(mask)}]"#
    let plain = try Samples(file: Studio.develop(photo, "[]", output: Self.soft))
    #expect(try Samples(file: Studio.develop(photo, filters, output: Self.soft)) == plain)
  }

  /// The shoulder also compresses highlights after a filter that measures the photo, whose
  /// operations are unknown before the photo is rendered.
  @Test func theShoulderAlsoAppliesAfterAMeasuringFilter() throws {
    let photo = Samples(64, 64) { x, _ in x < 50 ? [20, 22, 25] : [130, 170, 200] }
    let found = try Self.result(photo, #"[{"filter": "autoExposure"}]"#)[60, 30]
    #expect(found.max()! <= 255 && found[0] < found[1] && found[1] < found[2], "\(found)")
  }

  @Test func theOutputsHighlightSettingOverridesTheRecipes() throws {
    func recipe(_ own: String, _ output: String) throws -> Recipe {
      try Studio.recipe(
        text: """
          {"identifier": "org.example.test", "version": "1.0.0", \(own) "filters":
           [{"filter": "exposure", "stops": 1}], "outputs": [{"name": "out", "format": "png"\(output)}]}
          """)
    }
    func rollsOff(_ recipe: Recipe) -> Bool {
      recipe.graph.nodes.contains { $0.operation == .rolloff() }
    }
    let hard = #""highlights": {"rolloff": "hard"}"#
    #expect(try rollsOff(recipe("", "")))
    #expect(try !rollsOff(recipe(hard + ",", "")))
    #expect(try !rollsOff(recipe("", ", " + hard)))
    #expect(try rollsOff(recipe(hard + ",", #", "highlights": {"rolloff": "soft"}"#)))
    // The recipe that a sidecar records keeps the setting for highlights.
    let made = try recipe(hard + ",", "")
    #expect(try Recipe(resolved: made.resolved).rolloff == .hard)
    #expect(made.fingerprint(files: [:]) != (try recipe("", "")).fingerprint(files: [:]))
  }

  @Test(arguments: [
    (#""highlights": "hard""#, "rolloff"), (#""highlights": {"rolloff": "smooth"}"#, "smooth"),
    (#""highlights": {"shoulder": 1}"#, "shoulder"),
  ])
  func invalidHighlightSettingsAreRefused(_ output: String, _ words: String) {
    Studio.expectRefusal(of: #""format": "png", \#(output)"#, words)
  }
}
