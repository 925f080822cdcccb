import Notation
import Testing

@testable import PhotoStudio

@Suite struct RecipeTextTests {
  static let recipe = """
    {
      "identifier": "org.example.web",
      "version": "1.0.0",
      "comment": "kept as it is",
      "filters": [
        {"filter": "exposure", "stops": 0.50},
        { "filter": "vignette",
          "intensity": -3e-1,   "comment": "soft" }
      ],
      "outputs": [ {"name": "web", "format": "jpeg", "filters": [{"filter": "sharpen"}]} ]
    }

    """

  private func changed(
    _ text: String = recipe, _ change: (inout RecipeText) throws -> Void
  ) rethrows -> String {
    var recipe = RecipeText(Array(text.utf8))
    try change(&recipe)
    return String(decoding: recipe.bytes, as: UTF8.self)
  }

  @Test func changingASettingChangesOnlyTheBytesOfItsValue() throws {
    let text = try changed { try $0.set(["stops"], of: StepName("exposure"), to: .number(0.75)) }
    #expect(text == Self.recipe.replacing("0.50", with: "0.75"))
  }

  @Test func oneAndTheWholeEdgeAreDifferentValues() throws {
    func written(_ old: String, _ new: String) throws -> String {
      let text = #"{"filters": [{"filter": "crop", "width": \#(old)}]}"#
      return try changed(text) {
        try $0.set(["width"], of: StepName("crop"), to: JSON(.number(new)))
      }
    }
    #expect(try written("1.0", "1").contains(#""width": 1}"#))
    #expect(try written("1", "1.0").contains(#""width": 1.0}"#))
    #expect(try written("0.50", "0.5").contains(#""width": 0.50}"#))
  }

  @Test func aNewSettingIsInsertedAfterTheStepsOtherSettings() throws {
    let text = try changed { try $0.set(["radius"], of: StepName("vignette"), to: .number(0.4)) }
    #expect(text == Self.recipe.replacing(#""soft" }"#, with: #""soft", "radius": 0.4 }"#))
    let sharpen = StepName("sharpen", output: "web")
    let sharp = try changed { try $0.set(["amount"], of: sharpen, to: .number(1)) }
    #expect(
      sharp
        == Self.recipe.replacing(
          #"{"filter": "sharpen"}"#, with: #"{"filter": "sharpen", "amount": 1}"#))
  }

  @Test func aRemovedSettingIsRemovedWithItsComma() throws {
    let text = try changed { try $0.set(["stops"], of: StepName("exposure"), to: nil) }
    #expect(text == Self.recipe.replacing(#", "stops": 0.50"#, with: ""))
    let first = try changed(#"{"filters": [{"stops": 1, "filter": "exposure"}]}"#) {
      try $0.set(["stops"], of: StepName("exposure"), to: nil)
    }
    #expect(first == #"{"filters": [{"filter": "exposure"}]}"#)
  }

  @Test func addedRemovedAndMovedStepsKeepOneLineEach() throws {
    let step = JSON.object(["filter": .string("hue"), "angle": .number(3)])
    let line = #"{"filter": "hue", "angle": 3}"#
    let last = try changed { try $0.insert(step, at: 9) }
    #expect(last == Self.recipe.replacing(#""soft" }"#, with: "\"soft\" },\n    \(line)"))
    let empty = #"{"filters": []}"#
    #expect(try changed(empty) { try $0.insert(step, at: -1) }.contains("["))
    let first = try changed { try $0.insert(step, at: 0) }
    #expect(
      first
        == Self.recipe.replacing(
          #"{"filter": "exposure""#, with: "\(line),\n    {\"filter\": \"exposure\""))
    #expect(try changed(last) { try $0.removeStep(StepName("hue")) } == Self.recipe)
    #expect(try changed(first) { try $0.removeStep(StepName("hue")) } == Self.recipe)
    let vignette = StepName("vignette")
    let moved = try changed { try $0.moveStep(vignette, before: "exposure") }
    #expect(moved != Self.recipe)
    #expect(try changed(moved) { try $0.moveStep(vignette, before: nil) } == Self.recipe)
    #expect(try changed { try $0.moveStep(vignette, before: "vignette") } == Self.recipe)
    #expect(throws: RecipeText.Obstacle.inherited("sharpen")) {
      try self.changed { try $0.moveStep(vignette, before: "sharpen") }
    }
  }

  private static let outputs = """
    {"filters": [], "outputs": [
      {"name": "web", "filters": [{"filter": "resize", "width": 900}]},
      {"name": "print", "filters": [{"filter": "resize", "width": 300}, {"filter": "sharpen"}]}]}
    """

  @Test func stepsOfOutputsWithTheSameIDAreChangedSeparately() throws {
    let (web, print) = (StepName("resize", output: "web"), StepName("resize", output: "print"))
    let wide = try changed(Self.outputs) { try $0.set(["width"], of: print, to: .integer(400)) }
    #expect(wide == Self.outputs.replacing("300", with: "400"))
    let moved = try changed(Self.outputs) { try $0.moveStep(print, before: nil) }
    #expect(moved.contains(#"[{"filter": "sharpen"}, {"filter": "resize", "width": 300}]"#))
    let less = try changed(Self.outputs) { try $0.removeStep(web) }
    #expect(less.contains(#""web", "filters": []"#) && less.contains("300"))
    let names = RecipeText(Array(Self.outputs.utf8)).ownSteps.map(\.key).sorted()
    #expect(names == ["print/resize", "print/sharpen", "web/resize"])
  }

  @Test(arguments: [
    (
      #"{"extends": "a"}"#,
      #"{"extends": "a", "outputs": [{"name": "web", "filters": [{"id": "resize", "width": 4}]}]}"#
    ),
    (
      #"{"outputs": [{"name": "web", "quality": 80}]}"#,
      #"{"outputs": [{"name": "web", "quality": 80, "filters": [{"id": "resize", "width": 4}]}]}"#
    ),
    (
      #"{"outputs": [{"name": "web", "filters": [{"filter": "hue"}]}]}"#,
      #"{"outputs": [{"name": "web", "filters": [{"filter": "hue"}, {"id": "resize", "width": 4}]}]}"#
    ),
  ])
  func aChangedInheritedStepOfAnOutputIsWrittenIntoThatOutput(
    _ text: String, _ expected: String
  ) throws {
    let step = StepName("resize", output: "web")
    let changed = try changed(text) {
      try $0.set(["width"], of: step, to: .integer(4), inherited: [step])
    }
    #expect(changed == expected)
  }

  @Test func changingAParameterChangesOnlyTheBytesOfItsDefault() throws {
    let text = #"{"parameters": {"edge": {"min": 6,  "default": 1.6e3}, "mood": {"default": 1}}}"#
    let declared = JSON.object(["default": .integer(7), "max": .integer(9)])
    let changed = try changed(text) {
      try $0.setParameter("edge", to: .integer(900), declared: declared)
    }
    #expect(changed == text.replacing("1.6e3", with: "900"))
  }

  @Test func aChangedParameterOfTheBaseRecipeIsDeclaredHere() throws {
    let declared = JSON.object(["default": .integer(7), "max": .integer(9)])
    let whole = try changed(#"{"extends": "a"}"#) {
      try $0.setParameter("edge", to: .integer(8), declared: declared)
    }
    #expect(whole == #"{"extends": "a", "parameters": {"edge": {"default": 8, "max": 9}}}"#)
    let one = try changed(#"{"parameters": {"mood": {"default": 1}}}"#) {
      try $0.setParameter("edge", to: .integer(8), declared: declared)
    }
    #expect(
      one == #"{"parameters": {"mood": {"default": 1}, "edge": {"default": 8, "max": 9}}}"#)
  }

  @Test func withoutItsOwnStepsARecipeHasThoseOfItsBase() throws {
    #expect(RecipeText(Array(Self.recipe.utf8)).withoutOwnSteps == nil)
    let text = #"{"filters": [{"filter": "hue"}], "extends": "a", "outputs": [{"name": "web"}]}"#
    let base = try #require(RecipeText(Array(text.utf8)).withoutOwnSteps)
    #expect(String(decoding: base.bytes, as: UTF8.self) == #"{"extends": "a"}"#)
  }

  @Test func aChangedSettingOfAnInheritedStepAddsAnEntryForTheStep() throws {
    let text = #"{"extends": "base.json", "outputs": []}"#
    let step = StepName("exposure")
    let changed = try changed(text) {
      try $0.set(["stops"], of: step, to: .number(1), inherited: [step])
    }
    #expect(
      changed
        == #"{"extends": "base.json", "outputs": [], "filters": [{"id": "exposure", "stops": 1}]}"#)
    #expect(throws: RecipeText.Obstacle.noStep("hue")) {
      try self.changed(text) { try $0.set(["angle"], of: StepName("hue"), to: .number(1)) }
    }
    #expect(throws: RecipeText.Obstacle.inherited("exposure")) {
      try self.changed(text) { try $0.removeStep(StepName("exposure")) }
    }
  }

  @Test func settingsInsideMasksAreChangedInPlace() throws {
    let text = #"{"filters": [{"filter": "hue", "mask": {"radial": {"radius": 0.6}}}]}"#
    let inside = try changed(text) {
      try $0.set(["mask", "radial", "radius"], of: StepName("hue"), to: .number(0.25))
    }
    #expect(inside == text.replacing("0.6", with: "0.25"))
    let new = try changed(text) {
      try $0.set(["mask", "radial", "feather"], of: StepName("hue"), to: .number(1))
    }
    #expect(new == text.replacing("0.6}", with: #"0.6, "feather": 1}"#))
  }

  /// Everything in a mask keeps its text, except for what changes.
  @Test func aMaskThatIsReplacedKeepsTheTextOfItsOtherValues() throws {
    let text = #"""
      {"filters": [{"filter": "hue", "mask": { "density": 0.50, "radial": {"center": [0.50, 1e-1],
        "radius": 6.0e-1, "feather": 1.0}, "comment": "z" }}]}
      """#
    func mask(_ radial: JSON.Object, _ more: JSON.Object = JSON.Object()) -> JSON {
      var object = more
      object["comment"] = .string("z")
      object["density"] = .number(0.5)
      object["radial"] = .object(radial)
      return .object(object)
    }
    func radial(_ x: Double, radius: Double? = 0.6, feather: Double? = 1) -> JSON.Object {
      var object = JSON.Object()
      object["center"] = .array([.number(x), .number(0.1)])
      object["radius"] = radius.map(JSON.number)
      object["feather"] = feather.map(JSON.number)
      return object
    }
    func replaced(_ mask: JSON) throws -> String {
      try changed(text) { try $0.set(["mask"], of: StepName("hue"), to: mask) }
    }
    #expect(try replaced(mask(radial(0.5))) == text)
    #expect(try replaced(mask(radial(0.7))) == text.replacing("[0.50,", with: "[0.7,"))
    #expect(
      try replaced(mask(radial(0.5, radius: 0.3))) == text.replacing("6.0e-1", with: "0.3"))
    #expect(
      try replaced(mask(radial(0.5, feather: nil)))
        == text.replacing(#", "feather": 1.0"#, with: ""))
    var inverted = JSON.Object()
    inverted["invert"] = .bool(true)
    #expect(
      try replaced(mask(radial(0.5), inverted))
        == text.replacing(#""z" }"#, with: #""z", "invert": true }"#))
  }

  @Test func recipeTextsWithInvalidJSONAreRefused() {
    #expect(throws: RecipeText.Obstacle.unreadable) {
      try changed("[1, 2") { try $0.set(["stops"], of: StepName("exposure"), to: .number(1)) }
    }
  }
}
