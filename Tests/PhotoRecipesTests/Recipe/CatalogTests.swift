import Notation
import TestRandom
import Testing

@testable import PhotoRecipes

/// Tests the rules that every filter and every output format must obey.
@Suite struct CatalogTests {
  private static let kinds: [any Configurable.Type] =
    Catalog.filters.map { $0 as any Configurable.Type } + FormatCatalog.formats.map { $0 }

  @Test func theCatalogListsEveryFilterOnceInOrder() {
    let names = Catalog.filters.map { $0.name }
    #expect(names == names.sorted())
    #expect(Set(names).count == names.count)
    let formats = FormatCatalog.formats.map { $0.name }
    #expect(formats == formats.sorted())
    for name in names { #expect(Catalog.filter(named: name)?.name == name) }
  }

  @Test(arguments: kinds.indices)
  func everyFilterAndFormatHasASummaryAndUniqueSettings(_ index: Int) { check(Self.kinds[index]) }

  private func check<Owner: Configurable>(_ type: Owner.Type) {
    #expect(Identifier.isPlain(type.name) && type.name.first?.isLowercase == true)
    #expect(type.summary.hasSuffix(".") && type.summary.count < 80)
    #expect(Set(type.settings.map(\.name)).count == type.settings.count)
    for setting in type.settings {
      let place = "\(type.name).\(setting.name)"
      #expect(setting.summary.hasSuffix("."), "\(place)")
      let taken = type is any Filter.Type ? Step.keys : Output.keys
      #expect(!taken.contains(setting.name), "\(place)")
      #expect(setting.kind.schema.object?.members.isEmpty == false, "\(place)")
      // Values that are written as JSON are read back without a warning.
      for value in [setting.json(Owner()), setting.identity].compactMap(\.self) {
        var (owner, diagnostics) = (Owner(), Diagnostics())
        setting.read(Field(value), &owner, &diagnostics)
        #expect(diagnostics.isEmpty, "\(place)")
        #expect(setting.json(owner) == value, "\(place)")
      }
    }
    #expect(Owner().sparse.members.isEmpty)
  }

  @Test(arguments: Catalog.filters.map { $0.name })
  func filtersWithoutEffectCompileToNothing(_ name: String) throws {
    let type = try #require(Catalog.filter(named: name))
    try checkIdentity(type)
  }

  private func checkIdentity<F: Filter>(_ type: F.Type) throws {
    var object = JSON.Object()
    for setting in F.settings { object[setting.name] = setting.identity }
    if object.members.isEmpty { return }
    var diagnostics = Diagnostics()
    let filter = F(Field(.object(object)), others: [], &diagnostics)
    #expect(diagnostics.isEmpty)
    #expect(filter.isIdentity)
    var recipe = try RecipeText().recipe()
    let plain = recipe.graph
    recipe.steps = [Step(filter)]
    #expect(recipe.graph == plain)
  }

  @Test(arguments: Catalog.filters.map { $0.name })
  func disabledAndTransparentStepsCompileToNothing(_ name: String) throws {
    var generator = SeededGenerator(seed: 11)
    let type = try #require(Catalog.filter(named: name))
    var recipe = try RecipeText().recipe()
    let plain = recipe.graph
    for _ in 0..<20 {
      guard var step = RandomFilter.step(type, &generator) else { continue }
      step.isEnabled = false
      recipe.steps = [step]
      #expect(recipe.graph == plain)
      // Skips blend modes that remove the photo in areas that the result does not cover.
      if !step.blend.keepsUncovered { continue }
      (step.isEnabled, step.opacity) = (true, 0)
      recipe.steps = [step]
      #expect(recipe.graph == plain)
    }
  }

  @Test func everyFilterAndSettingHasADescription() {
    for type in Catalog.filters {
      let description = FilterDescription(type)
      #expect(description.line.contains(description.summary))
      for setting in description.settings {
        #expect(description.text.contains(setting.name))
        #expect(description.text.contains(setting.kind.expectation))
      }
      let entries = description.json["settings"]?.array ?? []
      #expect(entries.map { $0["values"]?.string } == description.settings.map(\.kind.expectation))
    }
  }

  @Test(arguments: Catalog.filters.map { $0.name })
  func theExampleOfEachFilterChangesThePhoto(_ name: String) throws {
    let filter = try #require(Catalog.filter(named: name))
    let example = FilterDescription(filter).example
    var diagnostics = Diagnostics()
    let step = Step(Field(example), &diagnostics)
    #expect(diagnostics.isEmpty, "\(diagnostics)")
    #expect(step?.json == example)
    #expect(step?.isIdentity == (name == "orient"))
  }

  @Test func theSchemaContainsEveryFilterAndSetting() throws {
    let definitions = try #require(RecipeSchema.json["$defs"])
    let branches = try #require(definitions["filter"]?["allOf"]?.array)
    for (type, branch) in zip(Catalog.filters, branches) {
      let properties = try #require(branch["then"]?["properties"]?.object)
      let known = FilterDescription(type).settings.map(\.name) + Step.keys
      #expect(Set(properties.keys) == Set(known))
    }
    #expect(Set(RecipeSchema.json["properties"]?.object?.keys ?? []) == Set(Recipe.keys))
    let outputs = try #require(definitions["output"]?["allOf"]?.array)
    #expect(outputs.count == FormatCatalog.formats.count + 2)
    for branch in outputs.prefix(FormatCatalog.formats.count) {
      #expect(Set(Output.keys).isSubset(of: branch["then"]?["properties"]?.object?.keys ?? []))
    }
    let webSet = outputs.dropLast().last?["then"]?["properties"]
    #expect(Set(webSet?.object?.keys ?? []) == Set(WebSet.ownKeys + WebSet.sharedKeys))
    let formats = webSet?["formats"]?["anyOf"]?.array?.first?["items"]?["anyOf"]?.array
    let objects = try #require(formats?.first { $0["allOf"] != nil }?["allOf"]?.array)
    #expect(objects.count == WebSet.offeredFormats.count)
    for (type, branch) in zip(WebSet.offeredFormats, objects) {
      #expect(branch["if"]?["properties"]?["format"]?["const"]?.string == type.name)
      let properties = branch["then"]?["properties"]?.object?.keys ?? []
      #expect(Set(properties) == Set(WebSet.keys(of: type)))
    }
  }

  /// A step or an output that changes an inherited one may have the settings of any filter or format.
  @Test func theSchemaOfAChangeContainsAllSettings() throws {
    let definitions = try #require(RecipeSchema.json["$defs"])
    func keys(_ name: String) -> Set<String> {
      let branch = definitions[name]?["allOf"]?.array?.last
      return Set(branch?["then"]?["properties"]?.object?.keys ?? [])
    }
    let filters = Catalog.filters.flatMap { FilterDescription($0).settings.map(\.name) }
    #expect(keys("filter") == Set(filters + Step.keys))
    let formats = FormatCatalog.formats.flatMap { $0.settingNames }
    let outputs = Set(formats + Output.keys + WebSet.ownKeys).subtracting(["format"])
    #expect(keys("output") == outputs)
  }

  @Test func theSchemaOfACompleteRecipeRequiresTheSettingsThatFiltersNeed() {
    let steps = RecipeSchema.json["then"]?["properties"]?["filters"]?["items"]
    let required = (steps?["allOf"]?.array ?? []).map { schema in
      let name = schema["if"]?["properties"]?["filter"]?["const"]?.string ?? ""
      let keys = schema["then"]?["required"]?.array?.compactMap(\.string) ?? []
      return "\(name) \(keys.joined(separator: ", "))"
    }
    #expect(
      required == [
        "external command", "lut file", "smartCrop aspect", "text content", "watermark image",
      ])
  }

  /// Texts without restrictions contain a parameter anyway; declarations of parameters and keys
  /// that are not allowed cannot.
  @Test func theSchemaAllowsAParameterInPlaceOfEachValueAndElement() throws {
    let parameter = JSON.object(["$ref": .string("#/$defs/parameter")])
    func isAllowed(_ schema: JSON?) -> Bool {
      schema?["anyOf"]?.array?.contains(parameter) == true
    }
    let schema = RecipeSchema.json
    for (key, member) in try #require(schema["properties"]?.object).members.map({
      ($0.key, $0.value)
    })
    where !["$schema", "title", "comment", "extends", "parameters"].contains(key) {
      #expect(isAllowed(member), "\(key)")
    }
    let definitions = try #require(schema["$defs"])
    #expect(isAllowed(definitions["filters"]?["items"]))
    #expect(isAllowed(definitions["filter"]?["properties"]?["filter"]))
    #expect(isAllowed(definitions["mask"]?["properties"]?["radial"]))
    let radial = definitions["mask"]?["properties"]?["radial"]?["anyOf"]?.array?.first
    let centre = radial?["properties"]?["center"]
    #expect(isAllowed(centre))
    #expect(isAllowed(centre?["anyOf"]?.array?.first?["items"]))
    for branch in definitions["filter"]?["allOf"]?.array?.dropLast() ?? [] {
      #expect(branch["if"]?["properties"]?["filter"]?["const"] != nil)
      let mask = branch["then"]?["properties"]?["mask"]
      #expect(isAllowed(mask) || mask == .bool(false))
    }
    let edge = schema["properties"]?["parameters"]?["additionalProperties"]?["properties"]
    #expect(edge?["min"] == .object(["type": .string("number")]))
  }
}
