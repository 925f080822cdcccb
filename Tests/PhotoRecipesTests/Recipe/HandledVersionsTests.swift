import Notation
import Testing

@testable import PhotoRecipes

@Suite struct HandledVersionsTests {
  @Test(arguments: [
    ("^1.2.0", ["1.2.0", "1.2.1", "1.99.0"], ["1.1.9", "1.2.0-rc", "2.0.0-0", "2.0.0"]),
    ("^0.2.1", ["0.2.1", "0.2.9"], ["0.2.0", "0.3.0-a", "0.3.0", "1.0.0"]),
    ("~1.2.3", ["1.2.3", "1.2.9"], ["1.2.2", "1.3.0-a", "1.3.0"]),
    ("1.2.3", ["1.2.3", "1.2.3+b"], ["1.2.2", "1.2.3-a", "1.2.4-0", "1.2.4"]),
    ("1.2.3-b", ["1.2.3-b"], ["1.2.3-a", "1.2.3-b.0", "1.2.3-c", "1.2.3"]),
    ("^1.0.0-a", ["1.0.0-a", "1.0.0-b", "1.0.0", "1.5.0"], ["1.0.0-0", "2.0.0-a"]),
    ("^999999999.0.0", ["999999999.0.0"], ["1.0.0"]),
  ])
  func rangesOfHandledVersionsAreRead(
    _ range: String, _ inside: [String], _ outside: [String]
  ) throws {
    let handled = try #require(HandledVersions("org.example.a@\(range)"))
    for (texts, expected) in [(inside, true), (outside, false)] {
      for text in texts {
        let version = try #require(SemanticVersion(text))
        #expect(handled.contains("org.example.a", version) == expected, "\(text) in \(range)")
        #expect(!handled.contains("org.example.b", version))
      }
    }
  }

  @Test(arguments: [
    ("1.4.2", ["1.0.0-0", "1.0.0", "1.9.0"], ["0.9.0", "2.0.0-0", "2.0.0"]),
    ("0.4.2", ["0.4.0", "0.4.9"], ["0.3.9", "0.5.0-0", "0.5.0", "1.0.0"]),
    ("999999999.0.0", ["999999999.5.0"], ["1.0.0"]),
  ])
  func byDefaultARecipeHandlesItsOwnMajorVersion(
    _ version: String, _ inside: [String], _ outside: [String]
  ) throws {
    let recipe = try RecipeText(
      head: "\"identifier\": \"org.example.a\", \"version\": \"\(version)\""
    ).recipe()
    for (texts, expected) in [(inside, true), (outside, false)] {
      for text in texts {
        #expect(recipe.canHandle("org.example.a", try #require(SemanticVersion(text))) == expected)
      }
    }
  }

  @Test(arguments: [
    ("[]", ["org.example.test@1.x"]),
    (#"["org.old.b@1.0.0"]"#, ["org.old.b@1.0.0", "org.example.test@1.x"]),
    (#"["org.example.test@^0.9.0"]"#, ["org.example.test@^0.9.0", "org.example.test@1.x"]),
    (#"["org.example.test@~1.0.0"]"#, ["org.example.test@~1.0.0"]),
  ])
  func aRecipeAlwaysHandlesItself(_ handles: String, _ expected: [String]) throws {
    let recipe = try RecipeText(more: "\"handles\": \(handles), ").recipe()
    #expect(recipe.handles.map(\.text) == expected)
    #expect(recipe.canHandle("org.example.test", try #require(SemanticVersion("1.0.0"))))
  }

  @Test func aRecipeThatInheritsHandlesAlsoHandlesItself() throws {
    let base = RecipeText(more: #""handles": ["org.old.b@^3.0.0", "org.example.test@^1.0.0"], "#)
    let own = #"{ "extends": "base.json", "identifier": "org.example.own", "version": "2.1.0" }"#
    let recipe = try RecipeDocument(own, files: ["base.json": base.text]).recipe().recipe
    for (name, version, expected) in [
      ("org.example.own", "2.0.0", true), ("org.example.own", "1.0.0", false),
      ("org.example.test", "1.0.0", true), ("org.old.b", "3.0.0", true),
    ] {
      #expect(recipe.canHandle(name, try #require(SemanticVersion(version))) == expected)
    }
  }

  @Test(arguments: [
    "org.example.a", "a@1.0.0", "org.example.a@", "org.example.a@1", "org.example.a@>1.0.0",
    "@1.0.0",
    "org.example.a@^^1.0.0", "org..a@1.0.0", "org.-a.b@1.0.0",
  ])
  func invalidVersionRangesAreRefused(_ text: String) { #expect(HandledVersions(text) == nil) }
}
