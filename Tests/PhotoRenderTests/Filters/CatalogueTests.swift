import Notation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing

/// Properties that all filters have, and pairs of filters that undo each other.
@Suite struct CatalogueTests {
  static let mark = Result { try Samples.flat([10, 200, 90, 128], 6, 4).file() }

  /// The settings that a filter requires.
  private static let required = [
    "watermark": #""image": "mark.png""#, "pad": #""aspect": "3:2""#, "resize": #""width": 40"#,
    "text": #""content": "a""#, "smartCrop": #""aspect": "1:1""#,
    "lut": #""file": "look.cube""#,
    "heal": #""spots": [{"at": [0.5, 0.4], "radius": 4}]"#,
    "lensBlur": #""depthMap": "mark.png""#, "external": #""command": ["cat"]"#,
  ]

  private static let look = Array(
    "LUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n".utf8)

  private static func step(_ filter: any Filter.Type, _ settings: [String]) -> String {
    let members = [#""filter": "\#(filter.name)""#] + settings
    return "[{\(members.joined(separator: ", "))}]"
  }

  private static let opaque = random(bands: 3)
  private static let transparent = random(bands: 4)

  private static func photo(alpha: Bool = false) -> Samples { alpha ? transparent : opaque }

  private static func random(bands: Int) -> Samples {
    var random = SeededGenerator(seed: 3)
    let values = (0..<60 * 44 * bands).map { _ in Int.random(in: 0...255, using: &random) }
    return Samples(width: 60, height: 44, bands: bands, maximum: 255, values: values)
  }

  /// The files to which the example recipes refer.
  static func files() throws -> [String: [UInt8]] {
    ["mark.png": try mark.get(), "look.cube": look]
  }

  private static func result(_ photo: Samples, _ filters: String) throws -> Samples {
    try Samples(file: Studio.develop(photo.file(), filters, files: files()))
  }

  /// Steps of one filter: with default settings, with each setting at the ends of its range, and
  /// with each choice.
  ///
  /// Some of these steps are refused.
  static func examples(of filter: any Filter.Type) -> [String] {
    let required = Self.required[filter.name].map { [$0] } ?? []
    var settings = [required]
    for setting in FilterDescription(filter).settings {
      func with(_ value: String) {
        settings.append(required + [#""\#(setting.name)": \#(value)"#])
        // Another setting may replace a required one. A recipe may omit the depth map of a lens blur
        // if the photo contains one, but the photos here contain none.
        if !required.isEmpty && filter.name != LensBlur.name {
          settings.append([#""\#(setting.name)": \#(value)"#])
        }
      }
      switch setting.kind {
      case .number(_, let range):
        with("\(range.lowerBound)")
        with("\(range.upperBound)")
      case .integer(_, let range):
        with("\(range.lowerBound)")
        with("\(range.upperBound)")
      case .extent(let range):
        for value in ["\(range.lowerBound)", "\(range.upperBound)", "\"0%\"", "\"10%\""] {
          with(value)
        }
      case .choice(let names): for name in names { with("\"\(name)\"") }
      case .flag, .colour, .length, .ratio, .points, .matrix, .position, .outline, .corners, .areas,
        .spots, .file, .text, .arguments, .integerOr:
        break
      }
    }
    return settings.map { step(filter, $0) }
  }

  @Test(arguments: Catalog.filters.map { $0.name })
  func identitySettingsDoNotChangeTheFile(_ name: String) throws {
    let filter = try #require(Catalog.filter(named: name))
    let description = FilterDescription(filter)
    let neutral = description.settings.compactMap { setting in
      setting.identity.map { #""\#(setting.name)": \#($0.compactText)"# }
    }
    if neutral.isEmpty { return }
    let photo = try Self.photo(alpha: true).file()
    #expect(try Studio.develop(photo, Self.step(filter, neutral)) == Studio.develop(photo, "[]"))
  }

  @Test(arguments: Catalog.filters.map { $0.name })
  func stepsWithSettingsAtTheEndsOfTheirRangesRender(_ name: String) throws {
    let filter = try #require(Catalog.filter(named: name))
    var rendered = 0
    let steps = Self.examples(of: filter).filter { (try? Studio.recipe($0)) != nil }
    for (number, text) in steps.enumerated() {
      for alpha in TestVolume.isWhole ? [false, true] : [number.isMultiple(of: 2)] {
        let photo = Self.photo(alpha: alpha)
        let result = try Self.result(photo, text)
        rendered += 1
        if filter.changesFrame { continue }
        #expect(result.width == photo.width && result.height == photo.height, "\(text)")
      }
    }
    #expect(rendered > 0)
  }

  /// Chains of filters that undo each other: every pixel is reproduced within one level, although
  /// some chains move tones out of 0…1 in between.
  @Test(arguments: [
    #"[{"filter": "exposure", "stops": 3}, {"filter": "exposure", "id": "b", "stops": -3}]"#,
    #"[{"filter": "exposure", "stops": -6}, {"filter": "exposure", "id": "b", "stops": 6}]"#,
    #"[{"filter": "contrast", "amount": 0.5}, {"filter": "contrast", "id": "b", "amount": -0.8}]"#,
    #"[{"filter": "contrast", "amount": -0.8}, {"filter": "contrast", "id": "b", "amount": 0.5}]"#,
    #"[{"filter": "brightness", "amount": 1}, {"filter": "brightness", "id": "b", "amount": -1}]"#,
    #"[{"filter": "gamma", "gamma": 2.5}, {"filter": "gamma", "id": "b", "gamma": 0.4}]"#,
    #"[{"filter": "hue", "angle": 90}, {"filter": "hue", "id": "b", "angle": 90}, {"filter": "hue", "id": "c", "angle": 90}, {"filter": "hue", "id": "d", "angle": 90}]"#,
    #"[{"filter": "hue", "angle": 77}, {"filter": "sepia", "opacity": 0}, {"filter": "hue", "id": "b", "angle": -77}]"#,
    #"[{"filter": "invert"}, {"filter": "invert", "id": "b"}]"#,
    #"[{"filter": "flip"}, {"filter": "flip", "id": "b"}]"#,
    #"[{"filter": "rotate", "angle": 90}, {"filter": "rotate", "id": "b", "angle": -90}]"#,
    #"[{"filter": "flip"}, {"filter": "rotate", "angle": 180}, {"filter": "flip", "id": "b", "direction": "vertical"}]"#,
  ])
  func filtersThatUndoEachOtherRestoreThePhoto(_ filters: String) throws {
    let photo = Self.photo()
    #expect(try photo.difference(from: Self.result(photo, filters)) <= 1)
  }

  @Test(arguments: ["balanced", "exact"])
  func fusedStepsGiveTheSameResultAsSeparateSteps(_ rendering: String) throws {
    let steps = [
      #"{"filter": "exposure", "stops": -0.4}"#, #"{"filter": "contrast", "amount": 0.3}"#,
      #"{"filter": "saturation", "amount": -0.4}"#, #"{"filter": "levels", "outBlack": 0.1}"#,
      #"{"filter": "sepia", "intensity": 0.3, "opacity": 0.6}"#,
      #"{"filter": "gamma", "gamma": 1.2}"#,
      #"{"filter": "vignette", "intensity": -0.4}"#, #"{"filter": "hue", "angle": 12}"#,
    ]
    let soft = Self.photo().values.map { ($0 / 2 + 64) * 257 }
    let photo = Samples(width: 60, height: 44, bands: 3, maximum: 65_535, values: soft)
    let whole = try Studio.develop(
      photo.file(), "[\(steps.joined(separator: ", "))]", rendering: rendering)
    var parts = try photo.file()
    for step in steps { parts = try Studio.develop(parts, "[\(step)]", rendering: rendering) }
    #expect(try Samples(file: whole).difference(from: Samples(file: parts)) <= 8)
  }
}
