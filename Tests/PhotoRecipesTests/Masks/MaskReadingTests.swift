import Notation
import TestRandom
import Testing

@testable import PhotoRecipes

/// Tests masks in recipes.
@Suite struct MaskReadingTests {
  static func recipe(_ mask: String) -> RecipeText {
    RecipeText(filters: #"[{"filter": "exposure", "stops": 1, "mask": \#(mask)}]"#)
  }

  static func mask(_ text: String) throws -> Mask {
    try #require(try recipe(text).recipe().steps[0].mask)
  }

  private static let valid = [
    #"{"linear": {"from": [0, 0], "to": [1, 1]}}"#,
    #"{"linear": {"from": [-1, 2], "to": [2, -1]}, "density": 0.5}"#,
    #"{"radial": {"radius": 0.6}}"#,
    #"{"radial": {"center": [0.2, 1.5], "radius": 0.3, "height": 0.2, "angle": -30, "feather": 1}}"#,
    #"{"polygon": {"points": [[0, 0], [1, 0], [0.5, 1]]}, "invert": true}"#,
    #"{"luminance": {}}"#, #"{"luminance": {"min": 0.5, "max": 0.5, "feather": 0}}"#,
    ##"{"colour": {"colour": "#3060c0"}}"##,
    ##"{"colour": {"colour": "#3060c0", "tolerance": 0, "feather": 0}}"##,
    #"{"image": {"file": "sky.png", "feather": 0.01}}"#,
    #"{"matte": {"of": "portrait"}}"#,
    #"{"matte": {"of": "glasses", "feather": 0.1, "missing": "nothing"}, "invert": true}"#,
    #"{"depth": {}}"#, #"{"depth": {"min": 0.2, "max": 0.4, "feather": 0, "missing": "nothing"}}"#,
    #"{"linear": {"from": [0, 0], "to": [1, 1]}, "feather": 0.1, "invert": true}"#,
    #"{"add": [{"radial": {"radius": 0.2}}, {"matte": {"of": "sky"}, "feather": 0.2}], "feather": 1}"#,
    #"{"add": [{"radial": {"radius": 0.2}}, {"image": {"file": "a.png"}, "invert": true}]}"#,
    #"{"intersect": [{"subtract": [{"luminance": {}}, {"radial": {"radius": 1}}]}, {"linear": {"from": [0, 0], "to": [0, 1]}}], "density": 0.25}"#,
  ]

  @Test(arguments: valid) func aWrittenMaskIsReadUnchanged(_ text: String) throws {
    let mask = try Self.mask(text)
    let written = mask.json.compactText
    let again = try Self.mask(written)
    #expect(again == mask)
    #expect(again.json.compactText == written)
  }

  @Test func omittedSettingsOfAMaskHaveTheDocumentedDefaults() throws {
    #expect(
      try Self.mask(#"{"radial": {"radius": 0.6}}"#).shape
        == .radial(
          centre: .init(0.5, 0.5), radii: .init(0.6, 0.6), angle: 0, feather: 0.5))
    #expect(
      try Self.mask(#"{"depth": {}}"#).shape
        == .auxiliary(AuxiliaryMap(.depth, .range(0...1, feather: 0.1))))
    #expect(
      try Self.mask(#"{"matte": {"of": "hair"}}"#).shape
        == .auxiliary(AuxiliaryMap(.hair, .matte(feather: 0))))
    #expect(try Self.mask(#"{"luminance": {}}"#).shape == .luminance(0...1, feather: 0.1))
    #expect(
      try Self.mask(##"{"colour": {"colour": "#00f"}}"##).shape
        == .colour(Colour(red: 0, green: 0, blue: 255), tolerance: 0.05, feather: 0.05))
    let mask = try Self.mask(#"{"radial": {"radius": 0.6}, "comment": "the face"}"#)
    #expect(!mask.isInverted && mask.density == 1)
    #expect(mask.json["comment"] == nil)
  }

  /// Random masks of every shape, some of them nested, are the same after they were written as JSON
  /// and read back.
  @Test func randomWrittenMasksAreReadUnchanged() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      let mask = RandomMask.mask(&generator)
      let text = mask.json.compactText
      #expect(try Self.mask(text) == mask, "\(text)")
      var recipe = try Self.recipe(text).recipe()
      recipe.steps[0].mask?.isInverted.toggle()
      #expect(
        recipe.fingerprint(files: [:]) != (try Self.recipe(text).recipe().fingerprint(files: [:])))
    }
  }

  @Test(arguments: [
    ("7", "found 7, expected a mask such as"), ("null", "expected a mask such as"),
    ("[]", "expected a mask such as"), ("{}", "the mask has no shape"),
    (#"{"invert": true}"#, "the mask has no shape"),
    (#"{"radial": {"radius": 1}, "luminance": {}}"#, "the mask has radial and luminance"),
    (#"{"radial": {"radius": 1}, "opacity": 1}"#, "the mask has no key 'opacity'"),
    (#"{"radial": {"radius": 1}, "density": 1.01}"#, "1.01 is out of range"),
    (#"{"radial": {"radius": 1}, "feather": 1.1}"#, "1.1 is out of range"),
    (
      #"{"luminance": {}, "feather": 0.1}"#,
      "'feather' cannot blur a mask that depends on luminance or colour"
    ),
    (
      ##"{"add": [{"radial": {"radius": 1}}, {"subtract": [{"radial": {"radius": 1}}, {"colour": {"colour": "#f00"}}]}], "feather": 0.1}"##,
      "'feather' cannot blur a mask that depends on luminance or colour"
    ),
    (#"{"radial": {"radius": 1}, "density": "1"}"#, "expected a number from 0 to 1"),
    (#"{"radial": {"radius": 1}, "invert": 1}"#, "expected true or false"),
    (#"{"radial": {"radius": 1}, "comment": 1}"#, "expected a text"),
    (#"{"radial": 0.5}"#, "expected the settings of 'radial', in braces"),
    (#"{"radial": {}}"#, "lacks the key 'radius'"),
    (#"{"radial": {"radius": 0}}"#, "0 is out of range"),
    (#"{"radial": {"radius": 11}}"#, "11 is out of range"),
    (#"{"radial": {"radius": 1, "height": 0}}"#, "0 is out of range"),
    (#"{"radial": {"radius": 1, "angle": 181}}"#, "181 is out of range"),
    (#"{"radial": {"radius": 1, "feather": -0.1}}"#, "-0.1 is out of range"),
    (#"{"radial": {"radius": 1, "center": 0.5}}"#, "expected a position in the frame"),
    (#"{"radial": {"radius": 1, "center": [0.5]}}"#, "expected a position in the frame"),
    (#"{"radial": {"radius": 1, "center": [0.5, "0.5"]}}"#, "expected a position in the frame"),
    (#"{"radial": {"radius": 1, "center": [0.5, 2.1]}}"#, "[0.5,2.1] is out of range"),
    (#"{"radial": {"radius": 1, "centre": [0.5, 0.5]}}"#, "did you mean 'center'?"),
    (#"{"linear": {"from": [0, 0]}}"#, "lacks the key 'to'"),
    (#"{"linear": {"to": [0, 0]}}"#, "lacks the key 'from'"),
    (#"{"linear": {"from": [0.5, 0], "to": [0.5, 0]}}"#, "'from' and 'to' are the same point"),
    (#"{"linear": {"from": [0.5, 0], "to": [0.5, 1e-300]}}"#, "'from' and 'to' are the same point"),
    (#"{"linear": {"from": [0, 0], "to": [1, 1], "feather": 1}}"#, "has no key 'feather'"),
    (#"{"matte": {}}"#, "lacks the key 'of'"), (#"{"matte": {"of": "depth"}}"#, "depth"),
    (#"{"matte": {"of": "sky", "missing": "all"}}"#, "all"),
    (#"{"depth": {"min": 0.5, "max": 0.4}}"#, "'min' is above 'max'"),
    (#"{"polygon": {}}"#, "lacks the key 'points'"), (#"{"polygon": {"points": []}}"#, "0 points"),
    (#"{"polygon": {"points": [[0, 0], [1, 1]]}}"#, "2 points"),
    (#"{"polygon": {"points": [[0, 0], [1, 1], [3, 0]]}}"#, "[3,0] is out of range"),
    (#"{"polygon": {"points": [[0, 0], [1, 1], 0]}}"#, "expected a position in the frame"),
    (
      #"{"polygon": {"points": [[0, 0], [1, 1], [1, 0], [0, 1]]}}"#,
      "the polygon crosses itself: the edge after point 1 crosses the edge after point 3"
    ),
    (#"{"polygon": {"points": [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]}}"#, "has no area"),
    (#"{"polygon": {"points": [[0, 0], [1, 1], [0.5, 0.5]]}}"#, "has no area"),
    (#"{"polygon": {"points": "0,0 1,1 1,0"}}"#, "expected 3 to 256 positions"),
    (#"{"luminance": {"min": 0.6, "max": 0.5}}"#, "'min' is above 'max'"),
    (#"{"luminance": {"min": -0.1}}"#, "-0.1 is out of range"),
    (#"{"luminance": {"max": "white"}}"#, "expected a number from 0 to 1"),
    (#"{"colour": {}}"#, "lacks the key 'colour'"),
    (#"{"colour": {"colour": "blue"}}"#, "expected a colour such as"),
    (##"{"colour": {"colour": "#00f", "tolerance": 2}}"##, "2 is out of range"),
    (#"{"image": {}}"#, "lacks the key 'file'"),
    (#"{"image": {"file": ""}}"#, "expected the path of a file"),
    (#"{"image": {"file": "a.png", "feather": 1.5}}"#, "1.5 is out of range"),
    (#"{"add": {}}"#, "expected an array of masks"), (#"{"add": []}"#, "0 masks"),
    (#"{"add": [{"luminance": {}}]}"#, "found 1 mask, expected 2 to 16"),
    (#"{"subtract": [{"luminance": {}}, {}]}"#, "the mask has no shape"),
    (#"{"intersect": [{"luminance": {}}, 5]}"#, "expected a mask such as"),
  ])
  func everyMistakeInAMaskIsReported(_ mask: String, _ message: String) {
    let found = diagnostics(Self.recipe(mask))
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.description.contains(message) == true, "\(found)")
    #expect(found.first?.path.description.hasPrefix("$.filters[0].mask") == true)
  }

  @Test func aMisspelledShapeIsReported() {
    let found = diagnostics(Self.recipe(#"{"radail": {"radius": 1}}"#))
    #expect(
      found.map(\.problem.message) == ["the mask has no shape", "the mask has no key 'radail'"])
    #expect(found.last?.problem.hint == "did you mean 'radial'?")
  }

  @Test func diagnosticsNameThePathOfAMistake() {
    let found = diagnostics(
      Self.recipe(#"{"add": [{"radial": {"radius": 0}}, {"radial": {"radius": 1, "x": 1}}]}"#))
    #expect(
      found.map(\.path.description) == [
        "$.filters[0].mask.add[0].radial.radius", "$.filters[0].mask.add[1].radial.x",
      ])
  }

  @Test func masksMayBeNestedAtMostSixDeep() throws {
    func nested(_ depth: Int) -> String {
      (1..<depth).reduce(#"{"luminance": {}}"#) { inner, _ in
        #"{"add": [{"radial": {"radius": 1}}, \#(inner)]}"#
      }
    }
    #expect(try Self.mask(nested(6)).json.compactText.count > 100)
    #expect(
      diagnostics(Self.recipe(nested(7))).map(\.problem.message) == [
        "masks are nested more than 6 levels deep"
      ])
  }

  @Test func maskListsHaveAtMostSixteenParts() throws {
    func list(_ part: String, _ count: Int) -> String {
      #"{"add": [\#(Array(repeating: part, count: count).joined(separator: ","))]}"#
    }
    #expect(try Self.mask(list(#"{"luminance": {}}"#, 16)).images.isEmpty)
    #expect(diagnostics(Self.recipe(list(#"{"luminance": {}}"#, 17))).count == 1)
    let image = #"{"image": {"file": "a.png"}}"#
    #expect(try Self.mask(list(image, 8)).images.count == 8)
    // Mattes, and shapes with a wide feather, are computed as images, so they count towards the
    // limit of images.
    let blurred = [
      #"{"radial": {"radius": 1}, "feather": 0.1}"#, #"{"matte": {"of": "sky"}}"#,
      #"{"polygon": {"points": [[0, 0], [1, 0], [1, 1]], "feather": 0.03}}"#,
    ]
    for part in blurred + [image] {
      #expect(diagnostics(Self.recipe(list(part, 8))).isEmpty)
      let found = diagnostics(Self.recipe(list(part, 9)))
      #expect(found.count == 1)
      #expect(
        found.first?.problem.message.hasPrefix("found 9 pictures, expected at most 8 images,")
          == true, "\(found)")
    }
    let thin = #"{"polygon": {"points": [[0, 0], [1, 0], [1, 1]], "feather": 0.02}}"#
    #expect(diagnostics(Self.recipe(list(thin, 16))).isEmpty)
  }

  @Test(arguments: [
    ("crop", #""aspect": "1:1""#), ("resize", #""width": 10"#), ("rotate", #""angle": 90"#),
    ("flip", ""), ("orient", ""), ("pad", #""aspect": "1:1""#),
  ])
  func masksOfFiltersThatChangeTheFrameAreRefused(_ filter: String, _ settings: String) {
    let more = settings.isEmpty ? "" : ", \(settings)"
    for (key, value) in [
      ("mask", #"{"radial": {"radius": 1}}"#), ("blend", #""multiply""#), ("opacity", "0.5"),
    ] {
      let found = diagnostics(
        RecipeText(filters: #"[{"filter": "\#(filter)"\#(more), "\#(key)": \#(value)}]"#))
      #expect(
        found.map(\.problem.message) == [
          "'\(filter)' changes the frame and cannot have '\(key)'"
        ])
    }
  }

  @Test func parametersAndAssignmentsCanChangeMasks() throws {
    var text = Self.recipe(
      #"{"radial": {"center": "${place}", "radius": "${size}"}, "density": "${size}"}"#)
    text.more = #""parameters": {"size": {"default": 0.3}, "place": {"default": [0.1, 0.2]}}, "#
    var mask = try #require(try text.recipe("size=0.5").steps[0].mask)
    #expect(mask.density == 0.5)
    #expect(
      mask.shape
        == .radial(centre: .init(0.1, 0.2), radii: .init(0.5, 0.5), angle: 0, feather: 0.5))
    mask = try #require(
      try text.recipe("exposure.mask.radial.feather=0.1", "exposure.mask.invert=true").steps[0]
        .mask)
    #expect(mask.isInverted)
    mask = try #require(
      try text.recipe(#"exposure.mask={"luminance": {"min": 0.5}}"#).steps[0].mask)
    #expect(mask.shape == .luminance(0.5...1, feather: 0.1))
    #expect(try text.recipe("exposure.blend=soft-light").steps[0].blend == .softLight)
  }

  @Test(arguments: [
    "exposure.mask.linear.from=[0,0]", "exposure.mask.radial.radius.x=1", "exposure.mask..radius=1",
    "exposure.stops.x=1", "exposure.mask.radial.=1", "exposure.mask.radail.radius=1",
    "exposure.mask.radial.radius=wide", "exposure.mask.radial.radios=1",
  ])
  func anAssignmentToAMissingMaskSettingIsAnError(_ argument: String) {
    let found = diagnostics(Self.recipe(#"{"radial": {"radius": 0.5}}"#), set: argument)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.location?.source.name == "--set")
  }

  @Test func blendModesAreReadAndWritten() throws {
    for mode in BlendMode.allCases {
      let recipe = try RecipeText(
        filters: #"[{"filter": "invert", "blend": "\#(mode.rawValue)"}]"#
      ).recipe()
      #expect(recipe.steps[0].blend == mode)
      #expect(recipe.steps[0].json["blend"]?.string == (mode == .normal ? nil : mode.rawValue))
    }
    let found = diagnostics(RecipeText(filters: #"[{"filter": "invert", "blend": "softLight"}]"#))
    #expect(found.first?.problem.hint == "did you mean 'soft-light'?")
  }

  /// A change of a mask, a blend mode or the content of a mask file makes renditions stale, so each
  /// of them is part of the recipe's fingerprint.
  @Test func theFingerprintContainsMasksBlendModesAndMaskFiles() throws {
    func digest(_ step: String, _ files: [String: String] = [:]) throws -> JSON {
      try RecipeText(filters: #"[{"filter": "exposure", "stops": 1\#(step)}]"#).recipe()
        .fingerprint(files: files)
    }
    let image = #", "mask": {"image": {"file": "m.png"}}"#
    let prints = [
      try digest(""), try digest(#", "blend": "screen""#),
      try digest(#", "mask": {"radial": {"radius": 0.5}}"#),
      try digest(#", "mask": {"radial": {"radius": 0.6}}"#), try digest(image, ["m.png": "1"]),
      try digest(image, ["m.png": "2"]),
    ]
    #expect(Set(prints.map(\.compactText)).count == prints.count)
    #expect(
      try digest(#", "mask": {"radial": {"radius": 0.5}, "comment": "c"}"#)
        == digest(#", "mask": {"radial": {"radius": 5e-1, "height": 0.5, "feather": 0.5}}"#))
    let recipe = try RecipeText(
      filters:
        #"[{"filter": "exposure", "stops": 1, "mask": {"add": [{"image": {"file": "m.png"}}, {"intersect": [{"image": {"file": "n.png"}}, {"image": {"file": "m.png"}}]}]}}, {"filter": "sepia", "enabled": false, "mask": {"image": {"file": "o.png"}}}]"#
    ).recipe()
    #expect(recipe.namedFiles.map(\.path) == ["m.png", "n.png"])
  }

  /// A filter without an effect is still a step if it has a blend mode: a photo multiplied by
  /// itself becomes darker.
  @Test func aFilterWithoutEffectButWithABlendModeIsAStep() throws {
    func graph(_ step: String) throws -> Graph {
      try RecipeText(filters: "[\(step)]").recipe().graph.fused
    }
    let plain = try graph(#"{"filter": "invert", "enabled": false}"#)
    #expect(
      try graph(#"{"filter": "exposure", "blend": "multiply"}"#).description.contains(
        "save; multiply; mix 1"))
    #expect(try graph(#"{"filter": "exposure", "blend": "multiply", "opacity": 0}"#) == plain)
    #expect(try graph(#"{"filter": "exposure", "mask": {"luminance": {}}}"#) == plain)
    #expect(try graph(#"{"filter": "blur", "opacity": 0.5}"#) == plain)
  }
}
