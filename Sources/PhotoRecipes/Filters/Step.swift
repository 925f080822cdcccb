public import Notation

/// One entry of a chain: a filter, its settings, and the way in which it is applied.
public struct Step: Sendable {
  /// The name of the step in `--set` and in a sidecar's overrides; by default the filter's name.
  public var id: String
  public var filter: any Filter
  public var isEnabled = true
  /// The fraction of the filter's result when it is mixed with the input, 0…1.
  ///
  /// Display-encoded values are mixed.
  public var opacity = 1.0
  /// The mode in which the result is blended over the input.
  ///
  /// A filter without effect blends the photo over itself. A `MarkFilter` blends its mark alone.
  public var blend = BlendMode.normal
  /// The area in which the filter works; nil for the whole photo.
  public var mask: Mask?

  public init(_ filter: any Filter) {
    id = type(of: filter).name
    self.filter = filter
  }

  /// True if the step does not change the photo.
  public var isIdentity: Bool {
    !isEnabled || blend == .dest || opacity == 0 && blend.keepsUncovered
      || filter.isIdentity && blend == .normal
  }

  /// Appends the step's operations after `input`.
  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    if isIdentity { return input }
    return mixed(result(in: &graph, after: input), over: input, in: &graph)
  }

  /// Appends the filter's operations after `input`, as if the step were applied to the whole photo.
  func result(in graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    if let mark { return graph.append(.drawn(mark), input) }
    return filter.isIdentity ? input : filter.append(to: &graph, after: input)
  }

  /// The mark of a `MarkFilter`, blended with the photo below it; nil for other filters, and for
  /// compositions.
  private var mark: Drawing? {
    blend.isComposition ? nil : (filter as? any MarkFilter)?.drawing(blended: blend)
  }

  /// Mixes the filter's result with `input` by the step's mask, opacity and blend mode.
  func mixed(
    _ result: Graph.ID, over input: Graph.ID, in graph: inout Graph
  ) -> Graph.ID {
    let mode = mark == nil ? self.blend : .normal
    let blend = Blend(opacity: opacity, mode: mode, mask: mask)
    if blend == Blend() { return result }
    return graph.append(.blend(blend), input, result)
  }

  /// The keys of a step that are not settings of its filter.
  static let keys = ["filter", "id", "enabled", "opacity", "blend", "mask", "comment"]

  /// The step as JSON in a recipe, without values that are at their defaults.
  public var json: JSON {
    var object = filter.sparse
    let name = type(of: filter).name
    object["filter"] = .string(name)
    if id != name { object["id"] = .string(id) }
    if !isEnabled { object["enabled"] = .bool(false) }
    if opacity != 1 { object["opacity"] = .number(opacity) }
    if blend != .normal { object["blend"] = blend.json }
    if let mask { object["mask"] = mask.json }
    return .object(object)
  }
}

extension Step {
  init?(_ field: Field, _ diagnostics: inout Diagnostics) {
    let expected = "a filter such as {\"filter\": \"exposure\", \"stops\": 0.5}"
    guard diagnostics.expectObject(field, expected) else { return nil }
    var reader = ObjectReader(field, "step", &diagnostics)
    defer { diagnostics = reader.diagnostics }
    let id: String? = reader.read("id", as: .text)
    if let id, !Identifier.isPlain(id) {
      reader.report(.malformed(found: "\"\(id)\"", expected: Identifier.expectation), "id")
    }
    let isEnabled: Bool? = reader.read("enabled", as: .flag)
    let opacity: Double? = reader.read("opacity", as: .number(.fraction, 0...1))
    let blend: BlendMode? = reader.read("blend", as: BlendMode.kind)
    let mask = field["mask"].flatMap { Mask($0, &reader.diagnostics) }
    _ = reader.read("comment", as: .text, String.self)
    guard let type = Self.filterType(&reader) else { return nil }
    self.init(type.init(field, others: Self.keys, &reader.diagnostics))
    self.id = id ?? type.name
    self.isEnabled = isEnabled ?? true
    self.opacity = opacity ?? 1
    self.blend = blend ?? .normal
    self.mask = mask
    if filter.keepsFrame { return }
    for (key, isGiven) in [
      ("opacity", self.opacity != 1), ("blend", self.blend != .normal), ("mask", mask != nil),
    ] where isGiven {
      let problem = Problem.contradiction(
        "'\(type.name)' changes the frame and cannot have '\(key)'", remedy: "remove '\(key)'")
      reader.report(problem, key)
    }
  }

  private static func filterType(_ reader: inout ObjectReader) -> (any Filter.Type)? {
    guard let field = reader.field["filter"] else {
      reader.diagnostics.add(.missingKey("filter", in: "this step"), at: reader.field)
      return nil
    }
    guard let name = field.json.string else {
      reader.diagnostics.add(
        .wrongType(found: field.json.summary, expected: "a filter's name"), at: field)
      return nil
    }
    if let type = Catalog.filter(named: name) { return type }
    let known = Catalog.filters.map { $0.name }
    reader.diagnostics.add(.unknownName(name, kind: "filter", known: known), at: field)
    return nil
  }
}

/// The rules for the names of steps, outputs, parameters and variants.
enum Identifier {
  static let longest = 64
  /// The pattern as a regular expression without anchors.
  static let pattern = "[A-Za-z0-9][A-Za-z0-9_-]*"
  static let expectation = expectation(upTo: longest)

  static func expectation(upTo longest: Int) -> String {
    "at most \(longest) letters, digits, '-' and '_', beginning with a letter or digit"
  }

  static func isPlain(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    func isAlphanumeric(_ byte: UInt8) -> Bool {
      let character = Character(Unicode.Scalar(byte))
      return character.isASCII && (character.isLetter || character.isNumber)
    }
    guard let first = bytes.first, isAlphanumeric(first), bytes.count <= longest else {
      return false
    }
    return bytes.allSatisfy {
      isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
  }
}
