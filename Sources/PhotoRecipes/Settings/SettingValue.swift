public import Notation

/// The type of a setting's value.
///
/// A value can be read from JSON, and written as JSON; invalid JSON results in a problem.
public protocol SettingValue: Sendable, Hashable {
  static func read(_ json: JSON, as kind: SettingKind) -> Result<Self, Problem>
  /// The canonical JSON; nil for a missing value.
  var json: JSON? { get }
}

extension SettingValue {
  static func wrongType(_ json: JSON, _ kind: SettingKind) -> Result<Self, Problem> {
    .failure(.wrongType(found: json.summary, expected: kind.expectation))
  }

  static func outOfRange(_ json: JSON, _ kind: SettingKind) -> Result<Self, Problem> {
    .failure(.outOfRange(found: json.summary, expected: kind.expectation))
  }

  static func malformed(_ json: JSON, _ kind: SettingKind) -> Result<Self, Problem> {
    .failure(.malformed(found: json.summary, expected: kind.expectation))
  }
}

extension Double: SettingValue {
  public static func read(_ json: JSON, as kind: SettingKind) -> Result<Double, Problem> {
    guard case .number(_, let range) = kind, let number = json.number else {
      return wrongType(json, kind)
    }
    return range.contains(number) ? .success(number) : outOfRange(json, kind)
  }

  public var json: JSON? { .number(self) }
}

extension Int: SettingValue {
  public static func read(_ json: JSON, as kind: SettingKind) -> Result<Int, Problem> {
    guard case .integer(_, let range) = kind, let number = json.integer else {
      return wrongType(json, kind)
    }
    return range.contains(number) ? .success(number) : outOfRange(json, kind)
  }

  public var json: JSON? { .integer(self) }
}

extension Bool: SettingValue {
  public static func read(_ json: JSON, as kind: SettingKind) -> Result<Bool, Problem> {
    json.bool.map(Result.success) ?? wrongType(json, kind)
  }

  public var json: JSON? { .bool(self) }
}

extension String: SettingValue {
  public static func read(_ json: JSON, as kind: SettingKind) -> Result<String, Problem> {
    json.string.map(Result.success) ?? wrongType(json, kind)
  }

  public var json: JSON? { .string(self) }
}

extension Optional: SettingValue where Wrapped: SettingValue {
  public static func read(_ json: JSON, as kind: SettingKind) -> Result<Wrapped?, Problem> {
    Wrapped.read(json, as: kind).map(Optional.some)
  }

  public var json: JSON? { flatMap(\.json) }
}

/// An enumeration with cases that a recipe names.
public protocol Choice: SettingValue, RawRepresentable, CaseIterable where RawValue == String {}

extension Choice {
  public static func read(_ json: JSON, as kind: SettingKind) -> Result<Self, Problem> {
    // A choice of numeric cases, such as bits, may be written as a JSON number.
    guard let name = json.string ?? json.integer.map(String.init) else {
      return wrongType(json, kind)
    }
    if let value = Self(rawValue: name) { return .success(value) }
    if json.string == nil { return wrongType(json, kind) }
    return .failure(.unknownChoice(name, choices: allCases.map(\.rawValue)))
  }

  public var json: JSON? { .string(rawValue) }

  static var kind: SettingKind { .choice(allCases.map(\.rawValue)) }
}
