public import Notation

/// A recipe's text with its base recipes merged in.
///
/// The method `recipe` resolves this text to a `Recipe`; it applies the settings of the run and of
/// one photo.
public struct RecipeDocument: Sendable, Hashable {
  /// The merged tree; each value has its location in its file.
  public let tree: JSON

  /// Reads a recipe and the recipes that it extends.
  ///
  /// - Parameters:
  ///   - source: The text of the recipe itself.
  ///   - load: Returns the text of a base recipe's file.
  /// - Throws: All JSON errors in the files, and all errors of `extends`.
  public init(
    _ source: SourceText, load: (NamedFile) throws(Problem) -> SourceText
  ) throws(InvalidDocument) {
    var diagnostics = Diagnostics()
    let tree = Self.tree(source, above: [], load, &diagnostics)
    try diagnostics.check()
    guard let tree else { throw InvalidDocument(diagnostics: []) }
    self.tree = tree
  }

  private static func tree(
    _ source: SourceText, above chain: [SourceText],
    _ load: (NamedFile) throws(Problem) -> SourceText, _ diagnostics: inout Diagnostics
  ) -> JSON? {
    let (json, found) = JSONParser.parse(source)
    diagnostics.append(found)
    guard let json, let extends = Field(json)["extends"] else { return json }
    switch NamedFile.read(extends.json, as: .file) {
    case .failure(let problem):
      diagnostics.add(problem, at: extends)
      return json
    case .success(let file):
      let chain = chain + [source]
      do throws(Problem) {
        let base = try load(file)
        if let start = chain.firstIndex(where: { $0.isSame(as: base) }) {
          throw .cycle(chain[start...].map(\.name) + [base.name])
        }
        if chain.count >= longestChain {
          throw .contradiction(
            "a chain of 'extends' has more than \(longestChain) recipes",
            remedy: "merge some of these recipes")
        }
        return Self.tree(base, above: chain, load, &diagnostics).map { json.over($0) }
      } catch {
        diagnostics.add(error, at: extends)
        return json
      }
    }
  }

  private static let longestChain = 16

  /// The location at which a file is named in one of the assignments, otherwise in the recipe.
  public func location(of file: NamedFile, _ assignments: [Assignment] = []) -> SourceLocation? {
    let assigned = assignments.last { $0.value.string == file.path }
    return assigned?.location ?? location(of: file.path, under: nil)
  }

  /// The first location at which `text` is the value of the key `key`, or of any key if `key` is
  /// nil.
  public func location(of text: String, under key: String?) -> SourceLocation? {
    func find(_ json: JSON, _ isMeant: Bool) -> SourceLocation? {
      switch json.value {
      case .string(let other): return isMeant && other == text ? json.location : nil
      case .array(let elements): return elements.lazy.compactMap { find($0, isMeant) }.first
      case .object(let object):
        return object.members.lazy.compactMap { find($0.value, key == nil || $0.key == key) }.first
      case .null, .bool, .number: return nil
      }
    }
    return find(tree, key == nil)
  }

  /// True if no step and no output uses the declared parameter `name`, so that a photo's own value
  /// of it has no effect.
  public func hasUselessParameter(_ name: String) -> Bool {
    func uses(_ json: JSON) -> Bool {
      switch json.value {
      case .string(let text): text.contains("${\(name)}")
      case .array(let elements): elements.contains(where: uses)
      case .object(let object): object.members.contains { uses($0.value) }
      case .null, .bool, .number: false
      }
    }
    guard tree["parameters"]?[name] != nil else { return false }
    return ![tree["filters"], tree["outputs"]].contains { $0.map(uses) ?? false }
  }

  /// True if the key of a setting names a key of a web set that belongs to the whole page, of which a
  /// photo's own value has no effect.
  public func isOfPage(_ key: String) -> Bool {
    WebSet.isOfPage(key, in: tree["outputs"]?.array ?? [])
  }

  /// The location of the list of steps with the longest text: the recipe's own list or an output's
  /// list.
  public var placeOfMostSteps: SourceLocation? {
    let owners = [tree] + (tree["outputs"]?.array ?? [])
    let lists = owners.compactMap { $0["filters"] }
    return lists.max { $0.compactText.utf8.count < $1.compactText.utf8.count }?.location
  }

  /// Resolves the recipe for one run, or for one photo of the run.
  ///
  /// - Parameters:
  ///   - overrides: A photo's settings from its sidecar. Its values of parameters apply in steps and
  ///     outputs only, so that all photos belong to one recipe, version and variant.
  ///   - assignments: The `--set` arguments, which have the highest precedence.
  /// - Returns: The recipe, and in `unused` the overrides that name a parameter, a step or a setting
  ///   that the recipe does not have, or a key of a web set that belongs to the whole page.
  /// - Throws: All errors in the recipe.
  public func recipe(
    overrides: [Assignment] = [], assignments: [Assignment] = []
  ) throws(InvalidDocument) -> (recipe: Recipe, unused: [Assignment]) {
    var diagnostics = Diagnostics()
    let (tree, insertions, unused) = resolved(overrides, assignments, &diagnostics)
    var found = Diagnostics()
    let recipe = Recipe(Field(tree), &found)
    diagnostics.append(insertions.diagnostics)
    diagnostics.append(found, insertions.explain)
    try diagnostics.check()
    guard let recipe else { throw InvalidDocument(diagnostics: []) }
    return (recipe, unused)
  }

  /// The tree with all assignments and the values of parameters, each with the location where it
  /// was set, and the overrides that name nothing in the recipe.
  func resolved(
    _ overrides: [Assignment], _ assignments: [Assignment], _ diagnostics: inout Diagnostics
  ) -> (tree: JSON, insertions: Insertions, unused: [Assignment]) {
    var tree = tree
    var parameters = Parameters(Field(tree)["parameters"], &diagnostics)
    var own = parameters
    let unused = overrides.filter { setting in
      !own.assign(setting, &diagnostics)
        && (isOfPage(setting.key) || !setting.apply(to: &tree))
    }
    for assignment in assignments {
      var reported = Diagnostics()
      _ = own.assign(assignment, &reported)
      if parameters.assign(assignment, &diagnostics) || assignment.apply(to: &tree) { continue }
      let unknown = Diagnostic(
        assignment.problem(in: tree, parameters: parameters.names), at: .root,
        assignment.keyLocation)
      // One option, such as '--crop', may set several settings of a missing step.
      diagnostics.addOnce(unknown)
    }
    var insertions = Insertions(parameters, inStepsAndOutputs: own)
    return (insertions.insert(into: Field(tree)), insertions, unused)
  }
}

extension SourceText {
  /// True if both texts are the same file, even if their paths are written differently.
  fileprivate func isSame(as other: SourceText) -> Bool {
    Self.plain(name) == Self.plain(other.name) && bytes == other.bytes
  }

  /// The components of the path; each `.` is removed, and so is each `..` together with the folder
  /// name before it.
  private static func plain(_ path: String) -> [Substring] {
    var parts: [Substring] = path.first == "/" ? ["/"] : []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != "..", last != "/" {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return parts
  }
}

extension JSON {
  /// Merges this recipe with its base.
  ///
  /// Steps are merged by id, outputs by name, and parameters and selections key by key; other
  /// values replace the values of the base. New entries are appended.
  fileprivate func over(_ base: JSON) -> JSON {
    guard let own = object, var merged = base.object else { return self }
    for member in own.members {
      guard let inherited = merged[member.key] else {
        merged.append(member)
        continue
      }
      merged[member.key] =
        switch member.key {
        case "filters": member.value.list(over: inherited) { $0.stepID }
        case "outputs": member.value.list(over: inherited) { $0["name"]?.string }
        case "parameters", "select", "where": member.value.over(inherited)
        default: member.value
        }
    }
    merged["extends"] = nil
    return JSON(.object(merged), at: location)
  }

  private func list(over base: JSON, name: (JSON) -> String?) -> JSON {
    guard let own = array, var merged = base.array else { return self }
    for element in own {
      let index = name(element).flatMap { wanted in merged.firstIndex { name($0) == wanted } }
      if let index {
        merged[index] = element.entry(over: merged[index])
      } else {
        merged.append(element)
      }
    }
    return JSON(.array(merged), at: location)
  }

  /// Merges a step or output with the base's entry of the same name; its keys replace the keys of
  /// the base.
  private func entry(over base: JSON) -> JSON {
    guard let own = object, var merged = base.object else { return self }
    // A different filter with the same id does not inherit settings.
    if let filter = own["filter"], filter != merged["filter"] { return self }
    for member in own.members {
      if member.key == "filters", let inherited = merged["filters"] {
        merged["filters"] = member.value.list(over: inherited) { $0.stepID }
      } else {
        merged[member.key] = member.value
      }
    }
    return JSON(.object(merged), at: location)
  }

  /// The id of a step: the given id, or the filter's name.
  package var stepID: String? { self["id"]?.string ?? self["filter"]?.string }
}
