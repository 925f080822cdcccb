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
    let text = try changed { try $0.set(["stops"], of: "exposure", to: .number(0.75)) }
    #expect(text == Self.recipe.replacing("0.50", with: "0.75"))
  }

  @Test func aNewSettingIsInsertedAfterTheStepsOtherSettings() throws {
    let text = try changed { try $0.set(["radius"], of: "vignette", to: .number(0.4)) }
    #expect(text == Self.recipe.replacing(#""soft" }"#, with: #""soft", "radius": 0.4 }"#))
    let sharp = try changed { try $0.set(["amount"], of: "sharpen", to: .number(1)) }
    #expect(
      sharp
        == Self.recipe.replacing(
          #"{"filter": "sharpen"}"#, with: #"{"filter": "sharpen", "amount": 1}"#))
  }

  @Test func aRemovedSettingIsRemovedWithItsComma() throws {
    let text = try changed { try $0.set(["stops"], of: "exposure", to: nil) }
    #expect(text == Self.recipe.replacing(#", "stops": 0.50"#, with: ""))
    let first = try changed(#"{"filters": [{"stops": 1, "filter": "exposure"}]}"#) {
      try $0.set(["stops"], of: "exposure", to: nil)
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
    #expect(try changed(last) { try $0.removeStep("hue") } == Self.recipe)
    #expect(try changed(first) { try $0.removeStep("hue") } == Self.recipe)
    let moved = try changed { try $0.moveStep("vignette", to: 0) }
    #expect(moved != Self.recipe)
    #expect(try changed(moved) { try $0.moveStep("vignette", to: 1) } == Self.recipe)
  }

  @Test func aChangedSettingOfAnInheritedStepAddsAnEntryForTheStep() throws {
    let text = #"{"extends": "base.json", "outputs": []}"#
    let changed = try changed(text) {
      try $0.set(["stops"], of: "exposure", to: .number(1), inherited: ["exposure"])
    }
    #expect(
      changed
        == #"{"extends": "base.json", "outputs": [], "filters": [{"id": "exposure", "stops": 1}]}"#)
    #expect(throws: RecipeText.Obstacle.noStep("hue")) {
      try self.changed(text) { try $0.set(["angle"], of: "hue", to: .number(1)) }
    }
    #expect(throws: RecipeText.Obstacle.inherited("exposure")) {
      try self.changed(text) { try $0.removeStep("exposure") }
    }
  }

  @Test func settingsInsideMasksAreChangedInPlace() throws {
    let text = #"{"filters": [{"filter": "hue", "mask": {"radial": {"radius": 0.6}}}]}"#
    let inside = try changed(text) {
      try $0.set(["mask", "radial", "radius"], of: "hue", to: .number(0.25))
    }
    #expect(inside == text.replacing("0.6", with: "0.25"))
    let new = try changed(text) {
      try $0.set(["mask", "radial", "feather"], of: "hue", to: .number(1))
    }
    #expect(new == text.replacing("0.6}", with: #"0.6, "feather": 1}"#))
  }

  @Test func recipeTextsWithInvalidJSONAreRefused() {
    #expect(throws: RecipeText.Obstacle.unreadable) {
      try changed("[1, 2") { try $0.set(["stops"], of: "exposure", to: .number(1)) }
    }
  }
}
