import Foundation
import PhotoRecipes
import PhotoRender
import TestRandom
import TestSupport
import Testing
import Vips

/// Steps that change only a part of the photo.
@Suite struct MaskTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let mask: String
    let coverage: MaskFormulas.Coverage

    init(_ mask: String, _ coverage: @escaping MaskFormulas.Coverage) {
      (self.mask, self.coverage) = (mask, coverage)
    }

    var testDescription: String { mask }
  }

  private static let disc = MaskFormulas.radial((0.4, 0.6), 0.5, 0.5)
  private static let bright = MaskFormulas.luminance(0.6, 1, feather: 0.1)
  private static let discText =
    #"{"radial": {"center": [0.4, 0.6], "radius": 0.5}}"#
  private static let brightText = #"{"luminance": {"min": 0.6}}"#

  static let cases: [Case] = [
    Case(
      #"{"linear": {"from": [0.2, 0.1], "to": [0.9, 0.6]}}"#,
      MaskFormulas.linear((0.2, 0.1), (0.9, 0.6))),
    Case(discText, disc),
    Case(
      #"{"radial": {"center": [0.6, 0.4], "radius": 0.6, "height": 0.2, "angle": 30, "feather": 0.8}}"#,
      MaskFormulas.radial((0.6, 0.4), 0.6, 0.2, angle: 30, feather: 0.8)),
    Case(
      #"{"polygon": {"points": [[0.1, 0.1], [0.9, 0.3], [0.5, 0.5], [0.7, 1.2], [-0.3, 0.8]], "feather": 0.02}}"#,
      MaskFormulas.polygon(
        [(0.1, 0.1), (0.9, 0.3), (0.5, 0.5), (0.7, 1.2), (-0.3, 0.8)], feather: 0.02)),
    // The polygon surrounds its area twice, so by the even–odd rule the area is outside.
    Case(
      #"{"polygon": {"points": [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.2], [0.8, 0.2], [0.8, 0.8]], "feather": 0.02}}"#,
      MaskFormulas.polygon(
        [(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.2), (0.8, 0.2), (0.8, 0.8)], feather: 0.02)),
    Case(brightText, bright),
    Case(
      #"{"luminance": {"min": 0.2, "max": 0.5, "feather": 0.3}}"#,
      MaskFormulas.luminance(0.2, 0.5, feather: 0.3)),
    Case(
      ##"{"colour": {"colour": "#3366cc", "tolerance": 0.1, "feather": 0.2}}"##,
      MaskFormulas.colour([0.2, 0.4, 0.8], 0.1, feather: 0.2)),
    Case(
      #"{"radial": {"center": [0.4, 0.6], "radius": 0.5}, "invert": true, "density": 0.7}"#,
      MaskFormulas.inverted(disc, density: 0.7)),
    Case(
      #"{"add": [\#(discText), \#(brightText)]}"#,
      MaskFormulas.combined(disc, bright) { $0 + $1 - $0 * $1 }),
    Case(
      #"{"subtract": [\#(discText), \#(brightText)]}"#,
      MaskFormulas.combined(disc, bright) { $0 * (1 - $1) }),
    Case(
      #"{"intersect": [{"luminance": {"min": 0.6}, "invert": true}, \#(discText)], "invert": true}"#,
      MaskFormulas.inverted(
        MaskFormulas.combined(MaskFormulas.inverted(bright), disc) { $0 * $1 })),
  ]

  static func develop(
    _ photo: Samples, _ filters: String, rendering: String = "exact",
    files: [String: [UInt8]] = [:]
  ) throws -> Samples {
    let depth = photo.maximum == 255 ? "8" : "16"
    return try Samples(
      file: Studio.develop(
        photo.file(), filters, output: #""format": "png", "bitDepth": "\#(depth)""#,
        rendering: rendering, files: files))
  }

  @Test(arguments: TestVolume.pairs(cases, [255, 65_535]))
  func theCoverageOfAMaskMatchesTheFormula(_ test: Case, _ maximum: Int) throws {
    let photo = Samples.noise(120, 77, maximum: maximum)
    let result = try Self.develop(
      photo, #"[{"filter": "invert", "opacity": 0.9, "mask": \#(test.mask)}]"#)
    let full = Double(maximum)
    var worst = 0.0
    for y in 0..<photo.height {
      for x in 0..<photo.width {
        let pixel = photo[x, y].map { Double($0) / full }
        let cover = test.coverage(
          pixel, ((Double(x) + 0.5) / 120, (Double(y) + 0.5) / 77), (120, 77))
        for (before, after) in zip(pixel, result[x, y]) {
          let wanted = before + 0.9 * cover * (1 - 2 * before)
          worst = max(worst, abs(Double(after) - wanted * full))
        }
      }
    }
    #expect(worst <= (maximum == 255 ? 0.51 : 2), "off by \(worst) of \(maximum)")
  }

  private static let filters = [
    #""filter": "exposure", "stops": 1"#, #""filter": "saturation", "amount": -0.5"#,
    #""filter": "vignette", "intensity": -0.8"#, #""filter": "blur", "radius": 2"#,
    #""filter": "sharpen", "amount": 1"#,
  ]

  @Test(arguments: TestVolume.pairs(filters, ["exact", "balanced"]))
  func onlyPixelsInsideTheMaskChange(_ filter: String, _ rendering: String) throws {
    for (bands, maximum) in [(3, 255), (4, 255), (3, 65_535)] {
      let photo = Samples.noise(90, 60, bands: bands, maximum: maximum)
      let whole = try Self.develop(photo, "[{\(filter)}]", rendering: rendering)
      let part = try Self.develop(
        photo, #"[{\#(filter), "mask": {"radial": {"radius": 0.3, "feather": 0}}}]"#,
        rendering: rendering)
      var inside = 0
      for y in 0..<60 {
        for x in 0..<90 {
          let distance = hypot(Double(x) - 44.5, Double(y) - 29.5)
          if distance > 18.01 { #expect(part[x, y] == photo[x, y], "\(x), \(y)") }
          if distance < 17.9 {
            inside += 1
            let apart = zip(part[x, y], whole[x, y]).map { abs($0 - $1) }
            #expect(apart.allSatisfy { $0 <= 1 }, "\(x), \(y)")
          }
        }
      }
      #expect(inside > 900)
    }
  }

  /// A mask that covers nothing removes the step; a mask that covers everything does not change the
  /// step's result.
  @Test(arguments: BlendMode.allCases.filter { !$0.isComposition }.map(\.rawValue))
  func anOpacityOrDensityOfZeroDoesNotChangeThePhoto(_ mode: String) throws {
    let photo = Samples.noise(40, 30, maximum: 65_535)
    let all = #"{"linear": {"from": [-1, 0], "to": [-0.5, 0]}}"#
    func result(_ more: String) throws -> Samples {
      try Self.develop(photo, #"[{"filter": "sepia", "blend": "\#(mode)"\#(more)}]"#)
    }
    for more in [
      #", "opacity": 0"#, #", "mask": {"linear": {"from": [1.5, 0], "to": [2, 0]}}"#,
      #", "mask": {"luminance": {}, "density": 0}"#, #", "enabled": false"#,
    ] {
      #expect(try result(more) == photo, "\(more)")
    }
    let plain = try result("")
    #expect(try result(#", "opacity": 1"#) == plain)
    #expect(try result(#", "mask": \#(all)"#).difference(from: plain) <= 1)
    let half = try result(#", "opacity": 0.5"#)
    for (before, after, middle) in zip(zip(photo.values, plain.values), half.values).map({
      ($0.0, $0.1, $1)
    }) where after > 0 && after < 65_535 {
      #expect(abs(Double(before + after) / 2 - Double(middle)) <= 1.01)
    }
  }

  /// Blends one pair of colours in each blend mode.
  ///
  /// The expected values were computed separately, from the text of the W3C recommendation.
  @Test(arguments: [
    ("normal", [0.5640, 0.5018, 0.3909]), ("multiply", [0.4512, 0.1505, 0.0391]),
    ("screen", [0.9128, 0.6513, 0.4518]), ("overlay", [0.8256, 0.3011, 0.0782]),
    ("darken", [0.5640, 0.3000, 0.1000]), ("lighten", [0.8000, 0.5018, 0.3909]),
    ("colour-dodge", [1.0000, 0.6022, 0.1642]), ("colour-burn", [0.6454, 0.0000, 0.0000]),
    ("hard-light", [0.8256, 0.3025, 0.0782]), ("soft-light", [0.8121, 0.3009, 0.0804]),
    ("difference", [0.2360, 0.2018, 0.2909]), ("exclusion", [0.4616, 0.5007, 0.4127]),
    ("add", [1.0000, 0.8018, 0.4909]), ("subtract", [0.2360, 0.0000, 0.0000]),
    ("hue", [0.6313, 0.4044, 0.0000]), ("saturation", [0.5200, 0.3963, 0.3469]),
    ("colour", [0.4837, 0.4215, 0.3106]), ("luminosity", [0.8803, 0.3803, 0.1803]),
  ])
  func blendModesGiveTheValuesOfTheW3CFormulas(_ mode: String, _ wanted: [Double]) throws {
    let photo = Samples.flat([52_428, 19_661, 6554], 3, 2, maximum: 65_535)
    let result = try Self.develop(photo, #"[{"filter": "sepia", "blend": "\#(mode)"}]"#)[1, 1]
    for (value, wanted) in zip(result, wanted) {
      #expect(abs(Double(value) / 65_535 - wanted) < 0.0003, "\(result)")
    }
  }

  @Test func aFilterWithoutEffectBlendsThePhotoWithItself() throws {
    let photo = Samples.noise(20, 20, maximum: 65_535)
    let result = try Self.develop(photo, #"[{"filter": "blur", "blend": "multiply"}]"#)
    for (before, after) in zip(photo.values, result.values) {
      #expect(abs(Double(before) * Double(before) / 65_535 - Double(after)) <= 1)
    }
  }

  private static let shapes = [
    #"{"linear": {"from": [0.1, 0.2], "to": [0.6, 0.9]}}"#,
    #"{"radial": {"center": [0.3, 0.4], "radius": 0.5, "height": 0.3, "angle": 20}}"#,
    #"{"polygon": {"points": [[0.1, 0.1], [0.8, 0.2], [0.3, 0.9]], "feather": 0.1}}"#,
    #"{"image": {"file": "m.png"}}"#,
    #"{"intersect": [{"image": {"file": "m.png"}}, {"luminance": {"max": 0.7}}]}"#,
    #"{"add": [{"image": {"file": "m.png"}}, {"linear": {"from": [0.1, 0.2], "to": [0.6, 0.9]}}], "feather": 0.1}"#,
  ]

  private static let files = Result { ["m.png": try Samples.noise(7, 5, bands: 1).file()] }

  /// If steps after a masked step change the frame, the mask moves with the photo.
  ///
  /// Rendering all steps together gives the same result as rendering them one after the other.
  @Test(arguments: TestVolume.pairs(shapes, ["exact", "balanced"]))
  func masksMoveWithThePhotoThroughLaterSteps(_ mask: String, _ rendering: String) throws {
    let photo = Samples.noise(71, 48, maximum: 65_535)
    let files = try Self.files.get()
    for filter in [#""filter": "invert""#, #""filter": "blur", "radius": 2"#] {
      let step = #"{\#(filter), "mask": \#(mask)}"#
      let masked = try Self.develop(photo, "[\(step)]", rendering: rendering, files: files)
      for change in [
        #"{"filter": "rotate", "angle": 90}"#, #"{"filter": "rotate", "angle": 180}"#,
        #"{"filter": "rotate", "angle": 270}"#, #"{"filter": "flip"}"#,
        #"{"filter": "flip", "direction": "vertical"}"#,
        #"{"filter": "crop", "left": 11, "top": 7, "width": 40, "height": 29}"#,
        #"{"filter": "rotate", "angle": 90}, {"filter": "crop", "left": 3, "top": 20, "width": 30, "height": 31}, {"filter": "flip"}"#,
      ] {
        let apart = try Self.develop(masked, "[\(change)]")
        let together = try Self.develop(
          photo, "[\(step), \(change)]", rendering: rendering, files: files)
        #expect(together.difference(from: apart) <= 3, "\(filter) \(change)")
      }
    }
  }

  /// A mask on a rotated photo refers to the rotated frame.
  @Test(arguments: ["exact", "balanced"]) func rotationsBeforeAMaskRotateTheMask(
    _ rendering: String
  )
    throws
  {
    let photo = Samples.noise(71, 48, maximum: 65_535)
    let before = try Self.develop(
      photo,
      #"[{"filter": "invert", "mask": {"radial": {"center": [0.2, 0.7], "radius": 0.4, "height": 0.2, "angle": 15}}}, {"filter": "rotate", "angle": 90}]"#,
      rendering: rendering)
    // After a clockwise turn, the point (x, y) is at (1 − y, x).
    let after = try Self.develop(
      photo,
      #"[{"filter": "rotate", "angle": 90}, {"filter": "invert", "mask": {"radial": {"center": [0.3, 0.2], "radius": 0.4, "height": 0.2, "angle": 105}}}]"#,
      rendering: rendering)
    #expect(before.difference(from: after) <= 2)
  }

  @Test(arguments: shapes) func reductionsKeepMasksInPlace(_ mask: String) throws {
    let photo = Samples.waves(300, 200)
    let files = try Self.files.get()
    let filters =
      #"[{"filter": "invert", "mask": \#(mask)}, {"filter": "resize", "width": 75}]"#
    let exact = try Self.develop(photo, filters, rendering: "exact", files: files)
    let balanced = try Self.develop(photo, filters, rendering: "balanced", files: files)
    #expect((exact.width, exact.height) == (75, 50))
    let apart = zip(exact.values, balanced.values).map { abs($0 - $1) }
    #expect(apart.reduce(0, +) / apart.count < 150)
    #expect((apart.max() ?? 0) < 65_535 / 25)
  }

  @Test(arguments: 1...8) func positionsOfMasksReferToTheUprightPhoto(_ tag: Int) throws {
    let photo = Samples.noise(61, 40, maximum: 65_535)
    let tagged = try photo.file("tiffsave_target", fields: ["orientation": .integer(tag)])
    func render(_ filters: String, _ file: [UInt8]) throws -> Samples {
      try Samples(
        file: Studio.develop(
          file, filters, output: #""format": "png", "bitDepth": "16""#,
          files: Self.files.get()))
    }
    let upright = try render("[]", tagged)
    #expect((upright.width > upright.height) == (tag < 5))
    for (number, mask) in Self.shapes.enumerated()
    where TestVolume.isWhole || (number + tag) % 3 == 0 {
      let filters =
        #"[{"filter": "invert", "mask": \#(mask)}, {"filter": "crop", "left": 5, "width": 30}]"#
      #expect(try render(filters, tagged).difference(from: render(filters, upright.file())) <= 2)
    }
  }

  @Test func masksInStepsOfOutputsAreApplied() throws {
    let photo = Samples.noise(64, 48)
    let step = #"{"filter": "blur", "radius": 2, "mask": {"image": {"file": "m.png"}}}"#
    let recipe = try Studio.recipe(
      text: """
        {"identifier": "a.b", "version": "1.0.0", "highlights": {"rolloff": "hard"},
         "filters": [{"filter": "exposure", "stops": 0.5}],
         "outputs": [{"name": "a", "format": "png", "filters": [\(step)]},
          {"name": "b", "format": "png", "filters": [{"filter": "rotate", "angle": 90}, \(step)]},
          {"name": "c", "format": "png"}]}
        """)
    let files = try Self.files.get()
    let results = try Studio.render(photo.file(), recipe, files: files).files
      .mapValues { try Samples(file: $0) }
    let exposed = #"{"filter": "exposure", "stops": 0.5}"#
    #expect(
      try results["a"]?.difference(
        from: Self.develop(photo, "[\(exposed), \(step)]", files: files)) == 0)
    #expect(
      try results["b"]?.difference(
        from: Self.develop(
          photo, #"[\#(exposed), {"filter": "rotate", "angle": 90}, \#(step)]"#, files: files))
        == 0)
    #expect(try results["c"]?.difference(from: Self.develop(photo, "[\(exposed)]")) == 0)
  }

  /// A recipe may have more image masks than one point program can read.
  @Test func manyImageMasksAreApplied() throws {
    let photo = Samples.flat([100, 100, 100], 30, 20)
    let steps = (0..<40).map {
      #"{"filter": "brightness", "id": "s\#($0)", "amount": 0.01, "mask": {"image": {"file": "m.png"}}}"#
    }
    let result = try Self.develop(
      photo, "[\(steps.joined(separator: ", "))]",
      files: ["m.png": Samples.flat([255], 3, 3).file()])
    #expect(result.values.allSatisfy { abs($0 - 202) <= 1 })
  }

  /// A photo that is read row by row is blurred widely under a mask: the mask mixes the result with
  /// rows that the blur has read long before.
  @Test(arguments: TestVolume.pairs(["balanced", "exact"], [8, 250]))
  func aWideBlurUnderAMaskIsRenderedRowByRow(_ rendering: String, _ radius: Int) throws {
    let photo = Samples.noise(24, 6000)
    for saver in ["jpegsave_target", "pngsave_target"] {
      let file = try photo.file(saver)
      let decoded = try Samples(file: file)
      func result(_ more: String) throws -> Samples {
        let filters = #"[{"filter": "blur", "radius": \#(radius)\#(more)}]"#
        return try Samples(file: Studio.develop(file, filters, rendering: rendering))
      }
      let whole = try result("")
      let part = try result(#", "mask": {"linear": {"from": [0, 0.4], "to": [0, 0.6]}}"#)
      for y in 0..<2300 { #expect(part[5, y] == decoded[5, y]) }
      for y in 3700..<6000 {
        #expect(zip(part[5, y], whole[5, y]).allSatisfy { abs($0 - $1) <= 1 }, "row \(y)")
      }
    }
  }

  @Test func aMaskedBackgroundKeepsTheRestTransparent() throws {
    let photo = Samples.flat([200, 100, 0, 51], 20, 10)
    let result = try Self.develop(
      photo,
      ##"[{"filter": "background", "colour": "#0000ff", "mask": {"polygon": {"points": [[0, -1], [0.5, -1], [0.5, 2], [0, 2]]}}}]"##
    )
    #expect(result[2, 5] == [40, 20, 204, 255])
    #expect(result[17, 5] == [200, 100, 0, 51])
  }
}
