import Notation

extension RecipeDocument {
  /// All settings of the recipe with their values and origins.
  ///
  /// The origins are, from lowest to highest precedence: the filter's default, a base recipe, the
  /// recipe, the photo's own settings `own`, `--set`. The origin of a parameter's value is the
  /// place where the parameter was set.
  public func settings(
    of recipe: Recipe, _ assignments: [Assignment], own: [Assignment] = []
  ) -> [(place: String, value: String, origin: String)] {
    let marked = own.map { Assignment(key: $0.key, value: JSON($0.value.value, at: Self.sidecar)) }
    // The recipe was read from this document, so the document has no errors.
    var errors = Diagnostics()
    let tree = resolved(marked, assignments, &errors).tree
    var found: [(place: String, value: String, origin: String)] = []
    let shared = tree["filters"]?.array ?? []
    for step in recipe.steps { found += Self.settings(of: step, in: shared, prefix: "") }
    // A web set has the settings of several outputs.
    let entries = (tree["outputs"]?.array ?? []).flatMap { entry in
      let set = recipe.webSets.first { $0.name == entry["name"]?.string }
      return set?.entries(Field(entry)) ?? [entry]
    }
    for output in recipe.outputs {
      let entry = entries.first { $0["name"]?.string == output.name }
      let chain = entry?["filters"]?.array ?? []
      for step in output.steps {
        found += Self.settings(of: step, in: chain, prefix: "\(output.name)/")
      }
      found += Self.settings(of: output.format, entry, prefix: output.name)
    }
    for index in found.indices {
      func isNamed(_ key: String) -> Bool {
        found[index].place == key || found[index].place.hasSuffix("/\(key)")
      }
      // A setting that the photo removes is in the tree no more.
      if own.map(\.key).contains(where: isNamed)
        && !assignments.map(\.key).contains(where: isNamed)
      {
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
      ("blend", step.blend.json), ("mask", step.mask?.json),
    ]
    // These values are listed only if they are written, or differ from their defaults.
    let given = values.compactMap { key, value -> (place: String, value: String, origin: String)? in
      guard let value, entry?[key] != nil || sparse[key] != nil else { return nil }
      return ("\(prefix).\(key)", value.compactText, origin(of: entry?[key]))
    }
    return settings(of: step.filter, entry, prefix: prefix) + given
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
  private static func origin(of written: JSON?) -> String {
    guard let location = written?.location else { return "default" }
    return location == sidecar ? location.source.name : location.description
  }

  /// The location that stands for all of a photo's own settings.
  private static let sidecar = SourceLocation(
    source: SourceText(name: "this photo's own", text: ""), offset: 0)
}
