import Notation
import Testing

@testable import PhotoRecipes

@Suite struct MetadataPolicyTests {
  private func text(_ policy: String) -> String {
    RecipeText(outputs: #"[{ "name": "web", "format": "jpeg", "metadata": \#(policy) }]"#).text
  }

  private func policy(_ text: String) throws -> MetadataPolicy {
    try RecipeDocument(self.text(text)).recipe().recipe.outputs[0].metadata
  }

  @Test(arguments: ["web", "all", "archive", "none"]) func presetsOfMetadataPoliciesAreRead(
    _ name: String
  ) throws {
    let policy = try policy("\"\(name)\"")
    #expect(policy.preset.rawValue == name && policy.json == .string(name))
    #expect(policy.keeps(.gps) == (name == "all" || name == "archive"))
  }

  @Test func withoutAPresetKeepStartsFromNoneAndDropFromAll() throws {
    #expect(try policy("{}").preset == .web)
    #expect(try policy(#"{ "keep": ["date"] }"#).preset == .none)
    #expect(try policy(#"{ "drop": ["date"] }"#).preset == .all)
  }

  @Test func droppingCoordinatesAlsoDropsPlaceNames() throws {
    let dropped = try policy(#"{ "preset": "all", "gps": "drop" }"#)
    #expect(!dropped.keeps(.location) && !dropped.keeps(.makerNote) && dropped.keeps(.date))
    let asked = try policy(#"{ "preset": "all", "gps": "drop", "keep": ["location"] }"#)
    #expect(asked.keeps(.location) && !asked.keeps(.gps))
    let rounded = try policy(#"{ "preset": "all", "gps": "round(10)" }"#)
    #expect(rounded.keeps(.location) && !rounded.keeps(.makerNote))
    #expect(rounded.effectivePosition == .round(kilometres: 10))
  }

  @Test func namesOfPropertiesOverrideTheirGroups() throws {
    let policy = try policy(#"{ "keep": ["title", "crs:*", "0x8827"], "drop": ["dc:title"] }"#)
    #expect(!policy.keeps(property: "dc:title", of: .title))
    #expect(policy.keeps(property: "photoshop:Headline", of: .title))
    #expect(policy.keeps(property: "crs:Exposure2012", of: .settings))
    #expect(policy.keeps(tag: 0x8827, of: .exposure) && !policy.keeps(tag: 0x829A, of: .exposure))
  }

  @Test(arguments: [
    #"{ "keep": ["date", "aux:*", "0x9286"], "gps": "round(2.5)", "preset": "none" }"#,
    #"{ "drop": ["serials"], "preset": "all", "fileTime": "exif" }"#,
    #"{ "preset": "web", "set": { "creator": "Ada", "keywords": ["a", "{camera}"] } }"#,
  ])
  func aRecordedPolicyIsReadUnchanged(_ text: String) throws {
    let policy = try policy(text)
    let json = try #require(policy.json.object)
    #expect(try self.policy(JSON.object(json).compactText) == policy)
  }

  @Test(arguments: ["-1", "0", "3.5", "5", "{rating}", "{iso}"]) func ratingsAreRead(
    _ text: String
  ) throws {
    let policy = try policy(#"{ "set": { "rating": "\#(text)" } }"#)
    #expect(policy.texts[.rating]?.map(\.text) == [text])
  }

  @Test(arguments: [
    (#""most""#, "$.outputs[0].metadata"), ("5", "$.outputs[0].metadata"),
    (#"{ "keeps": [] }"#, "$.outputs[0].metadata"),
    (#"{ "keep": ["dates"] }"#, "$.outputs[0].metadata.keep[0]"),
    (#"{ "keep": ["a b:c"] }"#, "$.outputs[0].metadata.keep[0]"),
    (#"{ "keep": ["date"], "drop": ["date"] }"#, "$.outputs[0].metadata.keep"),
    (#"{ "gps": "round(0)" }"#, "$.outputs[0].metadata.gps"),
    (#"{ "gps": "round(x)" }"#, "$.outputs[0].metadata.gps"),
    (#"{ "gps": true }"#, "$.outputs[0].metadata.gps"),
    (#"{ "set": { "author": "x" } }"#, "$.outputs[0].metadata.set"),
    (#"{ "set": { "creator": "{nobody}" } }"#, "$.outputs[0].metadata.set.creator"),
    (#"{ "set": { "rating": "hello" } }"#, "$.outputs[0].metadata.set.rating"),
    (#"{ "set": { "rating": "9" } }"#, "$.outputs[0].metadata.set.rating"),
    (#"{ "set": { "rating": "-1.5" } }"#, "$.outputs[0].metadata.set.rating"),
    (#"{ "set": { "rating": "{{5}}" } }"#, "$.outputs[0].metadata.set.rating"),
    (#"{ "fileTime": "never" }"#, "$.outputs[0].metadata.fileTime"),
  ])
  func theDiagnosticNamesTheWrongSetting(_ text: String, _ path: String) {
    let found = diagnostics(self.text(text))
    #expect(found.count == 1, "\(found)")
    #expect(found.first.map { "\($0.path)".hasPrefix(path) } == true, "\(found)")
  }
}

@Suite struct DetailConditionTests {
  private func isTaken(_ condition: String, _ details: PhotoDetails) throws -> Bool {
    let select = "{ \"where\": \(condition) }"
    let selection = try RecipeText(more: "\"select\": \(select), ").recipe().selection
    var facts = PhotoFacts(size: nil, bytes: 1, format: "jpeg", date: "2024-03-09T17:05:08")
    facts.details = details
    return selection.firstUnmet(by: facts) == nil
  }

  private var details: PhotoDetails {
    var details = PhotoDetails()
    details.camera = "Canon EOS R5"
    details.lens = "RF 24-70mm F2.8 L"
    details.sensitivity = 800
    details.rating = 4
    details.keywords = ["Family", "a/b"]
    details.hasPosition = true
    return details
  }

  @Test(arguments: [
    (#"{ "camera": "canon*" }"#, true), (#"{ "camera": "Nikon*" }"#, false),
    (#"{ "camera": ["Nikon*", "*R5"] }"#, true), (#"{ "lens": "*70mm*" }"#, true),
    (#"{ "iso": ">=800" }"#, true), (#"{ "iso": "<800" }"#, false),
    (#"{ "aperture": ">1" }"#, false), (#"{ "rating": ">=4" }"#, true),
    (#"{ "rating": 5 }"#, false), (#"{ "keywords": "family" }"#, true),
    (#"{ "keywords": "a/*" }"#, true), (#"{ "keywords": "fam" }"#, false),
    (#"{ "gps": true }"#, true), (#"{ "gps": false }"#, false), (#"{ "label": "*" }"#, false),
  ])
  func conditionsAreComparedWithThePhotosMetadata(_ condition: String, _ expected: Bool) throws {
    #expect(try isTaken(condition, details) == expected)
  }

  @Test func aPhotoWithoutMetadataMatchesOnlyNegativeConditions() throws {
    #expect(try isTaken(#"{ "rating": "<3", "gps": false }"#, PhotoDetails()))
    #expect(try !isTaken(#"{ "camera": "*" }"#, PhotoDetails()))
  }

  @Test func photoDetailsWrittenAsJSONAreReadUnchanged() {
    #expect(PhotoDetails(details.json) == details)
  }
}
