import Notation

extension RecipeDocument {
  /// The settings of the recipe with their values and origins.
  ///
  /// These are all settings of filters and encoders, and those of the recipe, its steps and its
  /// outputs that are written somewhere. The settings of a nested object have a place each.
  ///
  /// The origins are, from lowest to highest precedence: the filter's default, a base recipe, the
  /// recipe, the photo's own settings `own`, `--set`. The origin of a parameter's value is the
  /// place where the parameter was set.
  public func settings(
    of recipe: Recipe, _ assignments: [Assignment], own: [Assignment] = []
  ) -> [(place: String, value: String, origin: String)] {
    let marked = own.map { Assignment(key: $0.key, value: $0.value.located(at: Self.sidecar)) }
    // The recipe was read from this document, so the document has no errors.
    var errors = Diagnostics()
    let (tree, _, unused) = resolved(marked, assignments, &errors)
    var found = Self.written(["inputs", "rendering", HighlightRolloff.key], in: tree)
    let shared = tree["filters"]?.array ?? []
    for step in recipe.steps { found += Self.settings(of: step, in: shared, prefix: "") }
    // A web set has the settings of several outputs.
    let entries = (tree["outputs"]?.array ?? []).flatMap { entry in
      let set = recipe.webSets.first { $0.name == entry["name"]?.string }
      guard let set else { return [entry] }
      found += Self.written(WebSet.manifestKeys, in: entry, prefix: "\(set.name).")
      return set.entries(Field(entry)).map(\.json)
    }
    let outputKeys = Output.keys.filter { !["name", "format", "filters", "comment"].contains($0) }
    for output in recipe.outputs {
      let entry = entries.first { $0["name"]?.string == output.name }
      let chain = entry?["filters"]?.array ?? []
      for step in output.steps {
        found += Self.settings(of: step, in: chain, prefix: "\(output.name)/")
      }
      found += Self.settings(of: output.format, entry, prefix: output.name)
      found += Self.written(outputKeys, in: entry, prefix: "\(output.name).")
    }
    let ownKeys = own.filter { setting in
      !setting.isParameter && !unused.contains { $0.key == setting.key }
    }.map(\.key)
    let runKeys = assignments.filter { !$0.isParameter }.map(\.key)
    for index in found.indices {
      func isNamed(_ key: String) -> Bool {
        found[index].place == key || found[index].place.hasSuffix("/\(key)")
      }
      // A setting that the photo removes is in the tree no more.
      if ownKeys.contains(where: isNamed) && !runKeys.contains(where: isNamed) {
        found[index].origin = Self.sidecar.source.name
      }
    }
    return found
  }

  private static func settings(
    of step: Step, in chain: [JSON], prefix: String
  ) -> [(place: String, value: String, origin: String)] {
    let entry = chain.first { $0.stepID == step.id }
    let prefix = prefix + step.id
    let sparse = step.json
    let values: [(key: String, value: JSON?)] = [
      ("enabled", .bool(step.isEnabled)), ("opacity", .number(step.opacity)),
      ("blend", step.blend.json),
    ]
    // These values are listed only if they are written, or differ from their defaults.
    let given = values.compactMap { key, value -> (place: String, value: String, origin: String)? in
      guard let value, entry?[key] != nil || sparse[key] != nil else { return nil }
      return ("\(prefix).\(key)", value.compactText, origin(of: entry?[key]))
    }
    return settings(of: step.filter, entry, prefix: prefix) + given
      + written(["mask"], in: entry, prefix: "\(prefix).")
  }

  /// The values that are written under `keys` of an entry, in the order of the keys.
  private static func written(
    _ keys: [String], in entry: JSON?, prefix: String = ""
  ) -> [(place: String, value: String, origin: String)] {
    keys.flatMap { key in leaves(of: entry?[key], at: prefix + key) }
  }

  /// The written values in an object, or in a list of objects, each with its own origin; the value
  /// itself if it is neither.
  private static func leaves(
    of json: JSON?, at place: String
  ) -> [(place: String, value: String, origin: String)] {
    // A web set adds values to the entries of its outputs that are written nowhere.
    guard let json, json.location != nil else { return [] }
    if let members = json.object?.members.filter({ $0.key != "comment" }), !members.isEmpty {
      return members.flatMap { leaves(of: $0.value, at: "\(place).\($0.key)") }
    }
    if let elements = json.array, !elements.isEmpty, elements.allSatisfy({ $0.object != nil }) {
      return elements.enumerated().flatMap { leaves(of: $1, at: "\(place)[\($0)]") }
    }
    return [(place, json.compactText, origin(of: json))]
  }

  private static func settings<Owner: Configurable>(
    of owner: Owner, _ entry: JSON?, prefix: String
  ) -> [(place: String, value: String, origin: String)] {
    Owner.settings.compactMap { setting in
      guard let value = setting.json(owner) else { return nil }
      return ("\(prefix).\(setting.name)", value.compactText, origin(of: entry?[setting.name]))
    }
  }

  /// The place where a value is written; a value without a place is a default.
  ///
  /// The place of a list with a parameter that was set elsewhere is the place of the parameter.
  private static func origin(of written: JSON?) -> String {
    guard let written, let list = written.location else { return "default" }
    let location = written.array == nil ? list : written.firstLocation(outside: list) ?? list
    return location == sidecar ? location.source.name : location.description
  }

  /// The location that stands for all of a photo's own settings.
  private static let sidecar = SourceLocation(
    source: SourceText(name: "this photo's own", text: ""), offset: 0)
}

extension JSON {
  /// The location of the first value in this one that is in another file or option than `place`; nil
  /// if there is none.
  fileprivate func firstLocation(outside place: SourceLocation) -> SourceLocation? {
    if let location, location.source.name != place.source.name { return location }
    let inner = array ?? object?.members.map(\.value) ?? []
    return inner.lazy.compactMap { $0.firstLocation(outside: place) }.first
  }

  /// The same value, with this location for it and for all values in it.
  fileprivate func located(at location: SourceLocation) -> JSON {
    switch value {
    case .array(let elements):
      return JSON(.array(elements.map { $0.located(at: location) }), at: location)
    case .object(let object):
      let members = object.members.map { member in
        JSON.Object.Member(member.key, member.value.located(at: location), at: location)
      }
      return JSON(.object(JSON.Object(members)), at: location)
    case .null, .bool, .number, .string: return JSON(value, at: location)
    }
  }
}
