public import Notation

/// The JSON Schema (2020-12) of recipes, generated from the declarations that also validate
/// recipes.
public enum RecipeSchema {
  public static var json: JSON {
    .object([
      "$schema": .string("https://json-schema.org/draft/2020-12/schema"),
      "title": .string("phbatch recipe"),
      "type": .string("object"),
      "properties": .object(JSON.Object(properties)),
      "additionalProperties": .bool(false),
      "$defs": .object([
        "filters": allowingParameters(
          .object([
            "type": .string("array"), "items": reference("filter"),
            "maxItems": .integer(Recipe.mostSteps),
          ])),
        "filter": allowingParameters(filter), "output": allowingParameters(output),
        "mask": allowingParameters(Mask.schema(reference: reference("mask"))),
        "parameter": .object([
          "type": .string("string"), "pattern": .string(#"\$\{\#(Identifier.pattern)\}"#),
        ]),
      ]),
      // Does not require these keys in a recipe that extends another one, because it inherits them.
      "if": .object(["not": .object(required("extends"))]),
      "then": complete,
    ])
  }

  /// The keys that a complete recipe must have.
  private static var complete: JSON {
    var step = required("filter")
    step["allOf"] = .array(Catalog.filters.compactMap { requirement($0) })
    let steps = JSON.object(["items": .object(step)])
    var output = required("name")
    output["anyOf"] = .array([
      .object(required("format")), .object(required("kind", "widths", "formats")),
    ])
    output["properties"] = .object(["filters": steps])
    var recipe = required("identifier", "version", "outputs")
    recipe["properties"] = .object([
      "filters": steps,
      "outputs": .object(["items": .object(output), "minItems": .integer(1)]),
    ])
    return .object(recipe)
  }

  /// The schema that requires the setting without which the filter cannot work; nil if the filter's
  /// defaults suffice.
  private static func requirement<F: Filter>(_: F.Type) -> JSON? {
    guard case .missingKey(let key, _)? = F().contradiction else { return nil }
    return .object(["if": naming("filter", F.name), "then": .object(required(key))])
  }

  private static func required(_ keys: String...) -> JSON.Object {
    JSON.Object([JSON.Object.Member("required", .array(keys.map(JSON.string)))])
  }

  private static var properties: [JSON.Object.Member] {
    let all: KeyValuePairs<String, JSON> = [
      "$schema": anyText,
      "identifier": text(matching: RecipeIdentifier.pattern, longest: RecipeIdentifier.longest),
      "version": text(matching: SemanticVersion.pattern),
      "title": anyText, "comment": anyText,
      "variant": identifier,
      "from": Recipe.Start.kind.schema,
      "handles": .object([
        "type": .string("array"), "items": text(matching: HandledVersions.pattern),
      ]),
      "select": selection,
      "inputs": InputSettings.schema,
      "rendering": RenderingMode.kind.schema,
      "highlights": HighlightRolloff.schema,
      "filters": reference("filters"),
      "outputs": .object([
        "type": .string("array"), "items": reference("output"),
        "maxItems": .integer(Recipe.mostOutputs),
      ]),
    ]
    // Neither the recipe that declares parameters nor a declaration can contain a parameter.
    let extended = JSON.object(["type": .string("string"), "minLength": .integer(1)])
    let parameters = JSON.object([
      "type": .string("object"),
      "propertyNames": identifier,
      "additionalProperties": parameterDeclaration,
    ])
    let members = JSON.object(JSON.Object(all.map { JSON.Object.Member($0.key, $0.value) }))
    let allowing = allowingParameters(.object(["properties": members]))["properties"]?.object
    return (allowing?.members ?? [])
      + [JSON.Object.Member("extends", extended), JSON.Object.Member("parameters", parameters)]
  }

  static func reference(_ name: String) -> JSON {
    .object(["$ref": .string("#/$defs/\(name)")])
  }

  /// The schema of a text that matches `pattern` as a whole.
  private static func text(matching pattern: String, longest: Int? = nil) -> JSON {
    var schema = JSON.Object()
    schema["type"] = .string("string")
    schema["pattern"] = .string("^(\(pattern))$")
    schema["maxLength"] = longest.map(JSON.integer)
    return .object(schema)
  }

  private static var identifier: JSON {
    text(matching: Identifier.pattern, longest: Identifier.longest)
  }

  private static var parameterDeclaration: JSON {
    .object([
      "type": .string("object"), "required": .array([.string("default")]),
      "properties": .object([
        "default": .bool(true), "min": .object(["type": .string("number")]),
        "max": .object(["type": .string("number")]),
        "choices": .object(["type": .string("array"), "minItems": .integer(1)]),
        "summary": anyText,
      ]),
      "additionalProperties": .bool(false),
    ])
  }

  private static var selection: JSON {
    let patterns = JSON.object([
      "type": .string("array"),
      "items": .object(["type": .string("string"), "minLength": .integer(1)]),
    ])
    let facts = Condition.Fact.allCases.map { fact in
      let bounds = JSON.object([
        "type": .string("array"), "items": fact.schema, "minItems": .integer(1),
      ])
      return JSON.Object.Member(
        fact.rawValue, .object(["anyOf": .array([fact.schema, bounds])]))
    }
    return .object([
      "type": .string("object"), "additionalProperties": .bool(false),
      "properties": .object([
        "include": patterns, "exclude": patterns,
        "comment": anyText,
        "where": .object([
          "type": .string("object"), "additionalProperties": .bool(false),
          "properties": .object(JSON.Object(facts)),
        ]),
      ]),
    ])
  }

  /// The schema of a step: one schema for each filter, selected by the filter's name.
  private static var filter: JSON {
    let names = Catalog.filters.map { JSON.string($0.name) }
    return .object([
      "type": .string("object"),
      "anyOf": .array([.object(required("filter")), .object(required("id"))]),
      "properties": .object(["filter": .object(["enum": .array(names)])]),
      "allOf": .array(Catalog.filters.map { branch($0) } + [change]),
    ])
  }

  /// The schema of a step that changes an inherited one, whose filter is unknown.
  private static var change: JSON {
    let settings = Catalog.filters.flatMap { members($0) }
    let keys = stepMembers(changesFrame: false)
    return .object([
      "if": .object(["not": .object(required("filter"))]),
      "then": closed(keys + alternatives(settings, besides: keys)),
    ])
  }

  private static func branch<F: Filter>(_ type: F.Type) -> JSON {
    conditional("filter", F.name, members(type) + stepMembers(changesFrame: type.changesFrame))
  }

  /// The keys of a step that are not settings of its filter.
  private static func stepMembers(changesFrame: Bool) -> [JSON.Object.Member] {
    let own: KeyValuePairs<String, JSON> = [
      "filter": .bool(true), "id": identifier,
      "enabled": SettingKind.flag.schema,
      "comment": anyText,
      "opacity":
        changesFrame
        ? .object(["const": .integer(1)]) : SettingKind.number(.fraction, 0...1).schema,
      "blend":
        changesFrame
        ? .object(["const": .string(BlendMode.normal.rawValue)]) : BlendMode.kind.schema,
      "mask": changesFrame ? .bool(false) : reference("mask"),
    ]
    return own.map { JSON.Object.Member($0.key, $0.value) }
  }

  /// The keys in the branches of several filters or formats, except those in `known`: each with the
  /// schemas that it has in one of them.
  private static func alternatives(
    _ members: [JSON.Object.Member], besides known: [JSON.Object.Member]
  ) -> [JSON.Object.Member] {
    let taken = Set(known.map(\.key))
    var schemas: [(key: String, all: [JSON])] = []
    for member in members where !taken.contains(member.key) {
      var plain = member.value.object ?? JSON.Object()
      (plain["description"], plain["default"]) = (nil, nil)
      let schema = JSON.object(plain)
      if let index = schemas.firstIndex(where: { $0.key == member.key }) {
        if !schemas[index].all.contains(schema) { schemas[index].all.append(schema) }
      } else {
        schemas.append((member.key, [schema]))
      }
    }
    return schemas.map { key, all in
      JSON.Object.Member(key, all.count == 1 ? all[0] : .object(["anyOf": .array(all)]))
    }
  }

  private static var output: JSON {
    let names = FormatCatalog.formats.map { JSON.string($0.name) }
    return .object([
      "type": .string("object"), "required": .array([.string("name")]),
      "properties": .object([
        "format": .object(["enum": .array(names)]),
        "kind": .object(["const": .string(WebSet.kind)]),
      ]),
      "allOf": .array(FormatCatalog.formats.map { branch($0) } + [webSet, changedOutput]),
    ])
  }

  /// The schema of an entry that changes an inherited output or web set, whose format is unknown.
  private static var changedOutput: JSON {
    let settings = FormatCatalog.formats.flatMap { members($0) }
    let keys = shared + webSetMembers.filter { member in !shared.contains { $0.key == member.key } }
    let kinds = JSON.array([.object(required("format")), .object(required("kind"))])
    return .object([
      "if": .object(["not": .object(["anyOf": kinds])]),
      "then": closed(keys + alternatives(settings, besides: keys)),
    ])
  }

  /// The schema of a web set: one photo in several widths and formats.
  private static var webSet: JSON {
    .object(["if": .object(required("kind")), "then": closed(webSetMembers)])
  }

  private static var webSetMembers: [JSON.Object.Member] {
    let formats = WebSet.offeredFormats
    let names = JSON.object(["enum": .array(formats.map { .string($0.name) })])
    let format = JSON.object([
      "type": .string("object"), "required": .array([.string("format")]),
      "properties": .object(["format": names]),
      "allOf": .array(formats.map { branch($0, keys: WebSet.keys(of: $0)) }),
    ])
    let own: KeyValuePairs<String, JSON> = [
      "kind": .bool(true),
      "name": text(matching: Identifier.pattern, longest: WebSet.longestName),
      "widths": .object([
        "type": .string("array"), "minItems": .integer(WebSet.counts.lowerBound),
        "maxItems": .integer(WebSet.counts.upperBound), "uniqueItems": .bool(true),
        "items": WebSet.widthKind.schema,
      ]),
      "formats": .object([
        "type": .string("array"), "minItems": .integer(1),
        "items": .object(["anyOf": .array([names, format])]),
      ]),
      "sizes": anyText,
      "base": .object([
        "type": .string("string"), "pattern": .string(WebSet.basePattern),
      ]),
      "manifest": .object([
        "type": .string("string"), "pattern": .string(WebSet.manifestPattern),
      ]),
      "placeholder": SettingKind.flag.schema,
    ]
    return own.map { JSON.Object.Member($0.key, $0.value) }
      + shared.filter { WebSet.sharedKeys.contains($0.key) && $0.key != "name" }
  }

  /// The schema of an output in this format; `keys` are those that it may have besides the encoder
  /// settings.
  private static func branch<F: OutputFormat>(
    _ type: F.Type, keys: [String] = Output.keys
  ) -> JSON {
    let format = JSON.Object.Member("format", .bool(true))
    let others = shared.filter { keys.contains($0.key) }
    return conditional("format", F.name, members(type) + [format] + others)
  }

  /// The keys that are common to the outputs of every format.
  private static var shared: [JSON.Object.Member] {
    let all: KeyValuePairs<String, JSON> = [
      "name": identifier,
      "path": .object(["type": .string("string"), "minLength": .integer(1)]),
      "filters": reference("filters"),
      "profile": OutputProfile.schema,
      "intent": RenderingIntent.kind.schema,
      "highlights": HighlightRolloff.schema,
      "gamut": GamutMapping.kind.schema,
      "gainMap": GainMapTreatment.kind.schema,
      AuxiliaryTreatment.key: AuxiliaryTreatment.kind.schema,
      HDRTransfer.key: HDRTransfer.kind.schema,
      FilmMoment.key: FilmMoment.schema,
      "every": FilmMoment.schema,
      "sheet": FilmPreview.columnsKind.schema,
      "from": FilmMoment.schema,
      "to": FilmMoment.schema,
      "live": LiveTreatment.kind.schema,
      "metadata": MetadataPolicy.schema,
      "current": SettingKind.flag.schema,
      "dpi": SettingKind.number(.dpi, 1...9600).schema,
      "dither": SettingKind.flag.schema,
      "minWidth": Output.minWidthKind.schema,
      "maxBytes": Budget.kinds.maxBytes.schema,
      "minQuality": Budget.kinds.minQuality.schema,
      "minSaving": Budget.kinds.minSaving.schema,
      "keepIfSmaller": SettingKind.flag.schema,
      "comment": anyText,
    ]
    return all.map { JSON.Object.Member($0.key, $0.value) }
  }

  private static func members<Owner: Configurable>(_: Owner.Type) -> [JSON.Object.Member] {
    Owner.settings.map { setting in
      var schema = setting.kind.schema.object ?? JSON.Object()
      schema["description"] = .string(setting.summary)
      schema["default"] = setting.json(Owner())
      if case .missingKey(setting.name, _)? = Owner().contradiction, setting.kind == .text {
        schema["minLength"] = .integer(1)
      }
      return JSON.Object.Member(setting.name, .object(schema))
    }
  }

  private static func conditional(
    _ key: String, _ name: String, _ properties: [JSON.Object.Member]
  ) -> JSON {
    .object(["if": naming(key, name), "then": closed(properties)])
  }

  /// The schema of an object that has no other keys than these.
  private static func closed(_ properties: [JSON.Object.Member]) -> JSON {
    .object([
      "properties": .object(JSON.Object(properties)), "additionalProperties": .bool(false),
    ])
  }

  /// The schema of an object with this name under `key`.
  private static func naming(_ key: String, _ name: String) -> JSON {
    .object([
      "required": .array([.string(key)]),
      "properties": .object(
        JSON.Object([JSON.Object.Member(key, .object(["const": .string(name)]))])),
    ])
  }
}
