public import Notation

/// A type that a setting can hold: read from JSON with a reason why not, and written back.
public protocol SettingValue: Sendable, Hashable {
  static func read(_ json: JSON, as kind: SettingKind) -> Result<Self, Problem>
  /// The canonical spelling; nil for a value that was not given.
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

/// An enumeration whose names a recipe uses.
public protocol Choice: SettingValue, RawRepresentable, CaseIterable where RawValue == String {}

extension Choice {
  public static func read(_ json: JSON, as kind: SettingKind) -> Result<Self, Problem> {
    // A choice of numbers, such as bits, may be written as a number.
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
