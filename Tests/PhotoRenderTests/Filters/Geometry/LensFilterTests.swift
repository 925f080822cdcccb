import Foundation
import Notation
import PhotoRecipes
import PhotoRender
import TestSupport
import Testing

/// Photos with the errors of a synthetic lens, and the filter's corrections of these errors.
@Suite struct LensFilterTests {
  /// A database with one lens, or with none.
  private struct OneLens: LensFinder {
    var profile: LensProfile?

    func lens(for facts: LensFacts) throws(RenderError) -> LensAnswer {
      profile.map { .found($0) } ?? .unknown("there is no '\(facts.lens)'")
    }
  }

  private static func profile(_ json: String) throws -> LensProfile {
    let text =
      #"{"camera": "Made", "lens": "Testar", "crop": 1.5, "measuredCrop": 1.5, "measuredAspect": 1.5, \#(json)}"#
    let parsed = try #require(JSONParser.parse(SourceText(name: "", text: text)).json)
    return try #require(LensProfile(parsed))
  }

  private static func warp(
    _ filters: String, _ profile: LensProfile, _ size: Size, _ rendering: RenderingMode = .exact
  ) throws -> [Warp] {
    let shape = PhotoShape(stored: size, orientation: .upright, shrinks: [1])
    let graph = try Studio.recipe(filters).graph.corrected { _ in profile }
    return graph.planned(for: shape, rendering).nodes.compactMap { node in
      if case .warp(let warp) = node.operation { warp } else { nil }
    }
  }

  private static func corrected(
    _ photo: Samples, _ filters: String, _ profile: LensProfile?, rendering: String = "balanced"
  ) throws -> (result: Samples, report: Rendering) {
    let recipe = try Studio.recipe(filters, rendering: rendering)
    let (files, report) = try Studio.render(
      photo.file(), recipe, lenses: OneLens(profile: profile))
    return (try Samples(file: try #require(files["out"])), report)
  }

  /// A pattern without fine detail, in 0…1, at a position in pixels.
  private static func pattern(_ x: Double, _ y: Double, _ band: Int) -> Double {
    0.5 + 0.4 * sin(x / 9 + Double(band)) * cos(y / 11 - Double(band))
  }

  /// The position that the map of the lens moves to `place`.
  private static func position(
    _ map: LensMap, of place: LensMap.Point, _ channel: LensMap.Channel
  ) -> LensMap.Point {
    var point = place
    for _ in 0..<60 {
      let error = map(point, channel) - place
      point -= error
      if max(abs(error.x), abs(error.y)) < 1e-12 { break }
    }
    return point
  }

  private static let lenses = [
    #""poly3": [-0.05]"#, #""poly5": [0.06, -0.012]"#, #""ptlens": [0.02, -0.06, 0.03]"#,
    #""red": [1.004, 0, -0.001], "blue": [0.995, 0.0005, 0]"#,
    #""ptlens": [0.01, -0.03, 0], "red": [1.002, 0, 0], "blue": [0.998, 0, 0], "shift": [0.03, -0.02]"#,
  ]

  /// A photo that is distorted by the formulas of a lens is restored to the scene, magnified so
  /// that no border is empty.
  @Test(arguments: lenses) func aDistortedPhotoIsRestoredToTheScene(_ lens: String) throws {
    let size = Size(270, 180)
    let profile = try Self.profile(lens)
    let warp = try #require(try Self.warp(#"[{"filter": "lens"}]"#, profile, size).first)
    let map = try #require(warp.lens)
    guard case .pixels(let zoom, _, let result) = warp.change else { return }
    #expect(result == size)
    let channels: [LensMap.Channel] = [.red, .green, .blue]
    var values: [Int] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        for (band, channel) in channels.enumerated() {
          let place = Self.position(map, of: [Double(x) + 0.5, Double(y) + 0.5], channel)
          values.append(Int((Self.pattern(place.x, place.y, band) * 65_535).rounded()))
        }
      }
    }
    let photo = Samples(
      width: size.width, height: size.height, bands: 3, maximum: 65_535, values: values)
    let found = try Self.corrected(photo, #"[{"filter": "lens"}]"#, profile).result
    var (worst, untouched) = (0.0, 0.0)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let place = zoom([Double(x) + 0.5, Double(y) + 0.5])
        for band in 0..<3 {
          let wanted = Self.pattern(place.x, place.y, band)
          worst = max(worst, abs(Double(found[x, y][band]) / 65_535 - wanted))
          untouched = max(untouched, abs(Double(photo[x, y][band]) / 65_535 - wanted))
        }
      }
    }
    #expect(worst < 0.006 && untouched > 0.02, "\(worst), before \(untouched)")
  }

  /// Keys' kernel with a = −1/2.
  private static func keys(_ distance: Double) -> Double {
    let s = abs(distance)
    if s < 1 { return 1.5 * s * s * s - 2.5 * s * s + 1 }
    return s < 2 ? -0.5 * s * s * s + 2.5 * s * s - 4 * s + 2 : 0
  }

  private static func value(_ photo: Samples, _ place: LensMap.Point, _ band: Int) -> Double {
    var sum = 0.0
    for y in Int(floor(place.y - 0.5)) - 1...Int(floor(place.y - 0.5)) + 2 {
      for x in Int(floor(place.x - 0.5)) - 1...Int(floor(place.x - 0.5)) + 2 {
        let (column, row) = (min(max(x, 0), photo.width - 1), min(max(y, 0), photo.height - 1))
        let weight = keys(place.x - 0.5 - Double(x)) * keys(place.y - 0.5 - Double(y))
        sum += Double(photo[column, row][band]) * weight
      }
    }
    return min(max(sum, 0), Double(photo.maximum))
  }

  /// The lens correction, later steps that warp the photo and crops between them are one
  /// resampling: every pixel is the cubic convolution at the position that all steps together give.
  @Test(arguments: [
    #"{"filter": "straighten", "angle": 3}"#,
    #"{"filter": "straighten", "angle": -4}, {"filter": "perspective", "pitch": 6}"#,
    #"{"filter": "crop", "left": 9, "top": 12, "width": 120, "height": 90}, {"filter": "perspective", "yaw": -7}, {"filter": "straighten", "angle": 2}"#,
  ])
  func theLensCorrectionAndLaterWarpsAreOneResampling(_ steps: String) throws {
    let filters = #"[{"filter": "lens"}, \#(steps)]"#
    let profile = try Self.profile(Self.lenses[4])
    let photo = Samples.noise(180, 120, bands: 3)
    let warps = try Self.warp(filters, profile, Size(180, 120))
    try #require(warps.count == 1)
    guard case .pixels(let map, _, let size) = warps[0].change, let lens = warps[0].lens else {
      Issue.record("\(warps)")
      return
    }
    for rendering in ["balanced", "exact"] {
      let found = try Self.corrected(photo, filters, profile, rendering: rendering).result
      try #require(found.width == size.width && found.height == size.height)
      var worst = 0.0
      for y in 0..<size.height {
        for x in 0..<size.width {
          for (band, channel) in LensMap.Channel.allCases.enumerated() {
            let place = lens(map([Double(x) + 0.5, Double(y) + 0.5]), channel)
            worst = max(worst, abs(Double(found[x, y][band]) - Self.value(photo, place, band)))
          }
        }
      }
      #expect(worst <= 0.51, "\(rendering): \(worst)")
    }
  }

  /// The photo of a uniform wall is uniform after the correction; the correction multiplies linear
  /// light.
  @Test func vignettingOfAUniformWallIsRemoved() throws {
    let factors = [-0.6, 0.3, -0.12]
    var values: [Int] = []
    for y in 0..<200 {
      for x in 0..<300 {
        let (dx, dy) = ((Double(x) - 149.5) / 149.5, (Double(y) - 99.5) / 149.5)
        // A corner has the distance 1, up to the half pixel by which the frame is larger.
        let square = (dx * dx + dy * dy) / (1 + 99.5 * 99.5 / (149.5 * 149.5))
        let light =
          1 + factors[0] * square + factors[1] * square * square
          + factors[2] * square * square * square
        let level = Int((PointFormulas.display(0.3 * light) * 65_535).rounded())
        values += [level, level, level]
      }
    }
    let photo = Samples(width: 300, height: 200, bands: 3, maximum: 65_535, values: values)
    let profile = try Self.profile(#""vignetting": [-0.6, 0.3, -0.12]"#)
    let found = try Self.corrected(photo, #"[{"filter": "lens"}]"#, profile).result
    let wanted = PointFormulas.display(0.3) * 65_535
    let worst = found.values.map { abs(Double($0) - wanted) }.max() ?? 0
    #expect(worst < 200, "\(worst)")
    #expect(Double(values[0]) < 0.8 * wanted)
  }

  /// A photo with an orientation tag has the same correction as a photo that was stored upright.
  @Test(arguments: [6, 8, 3, 2]) func theCorrectionDoesNotDependOnTheOrientationTag(
    _ tag: Int
  ) throws {
    let orientation = try #require(Orientation(rawValue: tag))
    let profile = try Self.profile(Self.lenses[4] + #", "vignetting": [-0.4, 0.1, 0]"#)
    let stored = Size(300, 200)
    let graph = try Studio.recipe(#"[{"filter": "lens"}]"#).graph.corrected { _ in profile }
    func lens(_ orientation: Orientation) throws -> (LensMap, PhotoShape) {
      let shape = PhotoShape(stored: stored, orientation: orientation, shrinks: [1])
      for case .warp(let warp) in graph.planned(for: shape, .exact).nodes.map(\.operation) {
        if let lens = warp.lens { return (lens, shape) }
      }
      throw CocoaError(.featureUnsupported)
    }
    let (plain, _) = try lens(.upright)
    let (turned, shape) = try lens(orientation)
    let frame = LensMap.Point(Double(shape.upright.width), Double(shape.upright.height))
    for point: LensMap.Point in [[0.1, 0.2], [0.9, 0.4], [0.5, 0.95]] {
      let here = turned(point * frame, .red) / frame
      let there = plain(orientation.stored(point) * [300, 200], .red) / [300, 200]
      let difference = orientation.stored(here) - there
      #expect(abs(difference.x) < 1e-9 && abs(difference.y) < 1e-9)
    }
  }

  @Test func eachCorrectionCanBeSwitchedOff() throws {
    let profile = try Self.profile(Self.lenses[4] + #", "vignetting": [-0.4, 0.1, 0]"#)
    let photo = Samples.noise(90, 60, bands: 3)
    let plain = try Samples(file: Studio.develop(photo.file(), "[]"))
    let all = #""distortion": false, "vignetting": false, "tca": false"#
    let none = try Self.corrected(photo, #"[{"filter": "lens", \#(all)}]"#, profile)
    #expect(none.result == plain)
    for kind in ["distortion", "vignetting", "tca"] {
      let step = all.replacing("\"\(kind)\": false", with: "\"\(kind)\": true")
      let warps = try Self.warp(#"[{"filter": "lens", \#(step)}]"#, profile, Size(90, 60))
      #expect(warps.count == (kind == "vignetting" ? 0 : 1))
      let result = try Self.corrected(photo, #"[{"filter": "lens", \#(step)}]"#, profile).result
      #expect(result != plain)
    }
  }

  /// If the photo is magnified too little to fill the frame, the borders get the given colour.
  @Test func bordersOfASmallScaleGetTheGivenColour() throws {
    let profile = try Self.profile(#""poly3": [0.05]"#)
    let photo = Samples.flat([200, 100, 50], 90, 60)
    let step = ##"[{"filter": "lens", "scale": 0.8, "colour": "#204080"}]"##
    let found = try Self.corrected(photo, step, profile).result
    #expect(found[0, 0] == [32, 64, 128] && found[45, 30] == [200, 100, 50])
    let turned = #"[{"filter": "lens"}, {"filter": "straighten", "angle": 10, "keep": "all"}]"#
    let shown = try Self.corrected(photo, turned, profile).result
    #expect(shown[0, 0] == [255, 255, 255])
    #expect(shown[shown.width / 2, shown.height / 2] == [200, 100, 50])
  }

  @Test func anUnknownLensCausesAWarning() throws {
    let photo = Samples.noise(60, 40, bands: 3)
    let (result, report) = try Self.corrected(
      photo, #"[{"filter": "lens", "lens": "Zoomar"}]"#, nil)
    #expect(try result == Samples(file: Studio.develop(photo.file(), "[]")))
    #expect(report.warnings == ["unknown lens, not corrected: there is no 'Zoomar'"])
    #expect(report.lenses.isEmpty)
  }

  @Test func theFoundLensIsReported() throws {
    let profile = try Self.profile(Self.lenses[0])
    let step =
      #"{"filter": "lens", "camera": "Made", "lens": "Testar", "focalLength": 18, "aperture": 4}"#
    let report = try Self.corrected(.noise(60, 40, bands: 3), "[\(step)]", profile).report
    #expect(report.lenses.map(\.profile) == [profile] && report.warnings.isEmpty)
    #expect(report.lenses.first?.facts.focalLength == 18)
    #expect(report.lenses.first?.facts.isWritten == true)
  }

  @Test(arguments: [
    (#""scale": 0.1"#, "0.5 to 2"), (#""focalLength": 0"#, "millimetres"),
    (#""distortion": 1"#, "true or false"), (#""lens": 5"#, "a text"),
  ])
  func invalidSettingsOfTheLensFilterAreRefused(_ settings: String, _ words: String) {
    LensFilter.expectRefusal(of: settings, words)
  }
}
