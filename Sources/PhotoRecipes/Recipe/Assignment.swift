public import Notation

/// One `--set KEY=VALUE`, or one override in a sidecar.
///
/// The key is the name of a parameter, `step.setting`, `output.setting`, or a path into a setting
/// such as `step.mask.radial.radius` or `output.metadata.gps`.
///
/// The value null removes the setting from the recipe, and gives a parameter its default.
public struct Assignment: Sendable, Hashable {
  public let key: String
  public let value: JSON
  public let location: SourceLocation?

  public init(key: String, value: JSON) {
    self.key = key
    self.value = value
    location = value.location
  }

  /// True if the key can only be the name of a parameter.
  public var isParameter: Bool { !key.contains(".") }

  var keyLocation: SourceLocation? {
    location.map { SourceLocation(source: $0.source, offset: 0) }
  }

  /// Parses `KEY=VALUE`; a value that is not JSON is treated as text.
  public init(argument: String) throws(InvalidDocument) {
    let source = SourceText(name: "--set", text: argument)
    guard let sign = argument.firstIndex(of: "="), sign != argument.startIndex else {
      var diagnostics = Diagnostics()
      diagnostics.add(
        .malformed(found: "\"\(argument)\"", expected: "KEY=VALUE, such as exposure.stops=0.5"),
        at: .root, SourceLocation(source: source, offset: 0))
      throw InvalidDocument(diagnostics: diagnostics.all)
    }
    self.init(
      key: String(argument[..<sign]), text: String(argument[argument.index(after: sign)...]),
      in: source, offset: argument[...sign].utf8.count)
  }

  /// Creates the assignment of an option; a value that is not JSON is treated as text.
  ///
  /// Errors quote `source`, the text that the user gave for the option; `offset` is the position of
  /// the value in it.
  public init(key: String, text: String, in source: SourceText, offset: Int = 0) {
    let parsed = JSONParser.parse(SourceText(name: source.name, text: text))
    let value = parsed.diagnostics.isEmpty ? parsed.json?.value : nil
    self.key = key
    location = SourceLocation(source: source, offset: offset)
    self.value = JSON(value ?? .string(text), at: location)
  }

  /// Sets the value at the position that the key names.
  ///
  /// - Returns: False if the recipe has no such position.
  func apply(to tree: inout JSON) -> Bool {
    guard let point = key.firstIndex(of: "."), var root = tree.object else { return false }
    let (name, setting) = (String(key[..<point]), String(key[key.index(after: point)...]))
    if setting.isEmpty { return false }
    var found = assign(setting, toStep: name, in: &root)
    if var outputs = root["outputs"]?.array {
      for index in outputs.indices {
        guard var output = outputs[index].object else { continue }
        found = assign(setting, toStep: name, in: &output) || found
        outputs[index].value = .object(output)
      }
      if !found { found = assign(setting, toOutput: name, in: &outputs) }
      root["outputs"]?.value = .array(outputs)
    }
    tree.value = .object(root)
    return found
  }

  private func assign(_ setting: String, toStep id: String, in owner: inout JSON.Object) -> Bool {
    guard var steps = owner["filters"]?.array,
      let index = steps.firstIndex(where: { $0.stepID == id }),
      assign(setting, to: &steps[index], known: Self.settings(of: steps[index]))
    else { return false }
    owner["filters"]?.value = .array(steps)
    return true
  }

  private func assign(_ setting: String, toOutput name: String, in outputs: inout [JSON]) -> Bool {
    guard let index = outputs.firstIndex(where: { $0["name"]?.string == name }) else {
      return false
    }
    let known = Self.settings(ofOutput: outputs[index])
    return assign(setting, to: &outputs[index], known: known)
  }

  /// Sets or removes the value at a path in a step or in an output; `known` lists its settings.
  private func assign(_ setting: String, to entry: inout JSON, known: [String]) -> Bool {
    guard var object = entry.object else { return false }
    let path = setting.split(separator: ".", omittingEmptySubsequences: false)
    guard set(path[...], in: &object) || value == .null && known.contains(setting) else {
      return false
    }
    entry.value = .object(object)
    return true
  }

  /// Sets the value at a path in an object; null removes it.
  ///
  /// - Returns: False if an object on the path is missing, or if there is no value to remove.
  private func set(_ path: ArraySlice<Substring>, in object: inout JSON.Object) -> Bool {
    guard let key = path.first.map(String.init) else { return false }
    if path.count > 1 {
      guard var inner = object[key]?.object, set(path.dropFirst(), in: &inner) else { return false }
      object[key]?.value = .object(inner)
    } else if value == .null {
      if object[key] == nil { return false }
      object[key] = nil
    } else {
      object.set(JSON.Object.Member(key, value, at: location))
    }
    return true
  }

  /// The problem that a recipe has no parameter, step, output or setting with this key.
  func problem(in tree: JSON, parameters: [String]) -> Problem {
    let outputs = tree["outputs"]?.array ?? []
    let steps = ([tree] + outputs).flatMap { $0["filters"]?.array ?? [] }
    let owners: [(name: String, settings: [String])] =
      steps.map { ($0.stepID ?? "", Self.settings(of: $0)) }
      + outputs.map { ($0["name"]?.string ?? "", Self.settings(ofOutput: $0)) }
    guard let point = key.firstIndex(of: ".") else {
      return .unknownSetting(key, parameters: parameters, owners: owners.map(\.name))
    }
    let name = String(key[..<point])
    let named = owners.filter { $0.name == name }
    if named.isEmpty {
      return .unknownName(name, kind: "step or output", known: owners.map(\.name))
    }
    let settings = named.flatMap(\.settings).map { "\(name).\($0)" }
    return .unknownName(key, kind: "setting", known: settings)
  }

  /// The settings of a step that can be assigned; empty if its filter is unknown.
  private static func settings(of step: JSON) -> [String] {
    guard let type = step["filter"]?.string.flatMap(Catalog.filter(named:)) else { return [] }
    return type.settingNames + ["enabled", "opacity", "blend", "mask"]
  }

  /// The keys of an output or of a web set.
  private static func settings(ofOutput output: JSON) -> [String] {
    if output["kind"] != nil { return WebSet.ownKeys + WebSet.sharedKeys }
    let format = output["format"]?.string.flatMap(FormatCatalog.format(named:))
    return Output.keys + (format?.settingNames ?? [])
  }
}
