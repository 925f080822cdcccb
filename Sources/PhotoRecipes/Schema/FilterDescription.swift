public import Notation

/// The description of a filter as text and as JSON, printed by `phbatch filters`.
public struct FilterDescription: Sendable, Hashable {
  public struct Entry: Sendable, Hashable {
    public let name: String
    public let summary: String
    public let kind: SettingKind
    public let standard: JSON?
    public let identity: JSON?
    /// The values that people usually give; nil if there is no range of numbers.
    public let usual: ClosedRange<Double>?
  }

  public let name: String
  public let category: FilterCategory
  public let space: WorkingSpace
  public let revision: Int
  public let summary: String
  public let settings: [Entry]
  /// A step of a recipe that shows the effect of the filter.
  public let example: JSON

  public init<F: Filter>(_: F.Type) {
    name = F.name
    category = F.category
    space = F.space
    revision = F.revision
    summary = F.summary
    settings = F.settings.map {
      Entry(
        name: $0.name, summary: $0.summary, kind: $0.kind, standard: $0.json(F()),
        identity: $0.identity, usual: $0.usual)
    }
    example = Step(F.example).json
  }

  /// The name, category and summary in columns, on one line.
  public var line: String { "\(name.padded(to: 16))\(category.rawValue.padded(to: 11))\(summary)" }

  /// The full description.
  public var text: String {
    let place =
      switch space {
      case .none: ""
      case .encoded: ", computed in display-encoded values"
      case .linear: ", computed in linear light"
      case .oklab: ", computed in OKLab"
      }
    var lines = ["\(name): \(summary)", "  \(category.rawValue)\(place)"]
    for setting in settings {
      lines.append("  \(setting.name.padded(to: 12))\(setting.summary)")
      var facts = [setting.kind.expectation]
      if let usual = setting.usual, usual != setting.kind.numbers {
        facts.append("usually \(usual.lowerBound.brief) to \(usual.upperBound.brief)")
      }
      if let standard = setting.standard { facts.append("default \(standard.compactText)") }
      if let identity = setting.identity, identity != setting.standard {
        facts.append("\(identity.compactText) has no effect")
      }
      lines.append("              \(facts.joined(separator: "; "))")
    }
    lines.append("  example: \(example.compactText)")
    return lines.joined(separator: "\n") + "\n"
  }

  public var json: JSON {
    var object = JSON.Object()
    object["name"] = .string(name)
    object["category"] = .string(category.rawValue)
    object["space"] = .string(space.rawValue)
    object["revision"] = .integer(revision)
    object["summary"] = .string(summary)
    object["example"] = example
    object["settings"] = .array(
      settings.map { setting in
        var entry = JSON.Object()
        entry["name"] = .string(setting.name)
        entry["summary"] = .string(setting.summary)
        entry["unit"] = setting.kind.unit.map { .string($0.rawValue) }
        entry["schema"] = setting.kind.schema
        entry["values"] = .string(setting.kind.expectation)
        entry["default"] = setting.standard
        entry["identity"] = setting.identity
        entry["usual"] = setting.usual.map {
          .array([.number($0.lowerBound), .number($0.upperBound)])
        }
        return .object(entry)
      })
    return .object(object)
  }
}

extension SettingKind {
  var unit: Unit? {
    switch self {
    case .number(let unit, _), .integer(let unit, _), .integerOr(let unit, _, _): unit
    case .extent: .pixels
    case .flag, .choice, .colour, .length, .ratio, .points, .matrix, .position, .outline,
      .corners, .areas, .spots, .file, .text, .arguments:
      nil
    }
  }
}

extension String {
  /// The text padded with spaces to at least `width` characters, followed by one space.
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
