public import Notation

/// One setting of a filter or an output format: its name, its storage and its valid values.
///
/// Reading, range checks, the JSON Schema, `phbatch filters` and the sparse record in a sidecar are
/// all derived from this declaration.
public struct Setting<Owner>: Sendable {
  public typealias Path<Value> = any WritableKeyPath<Owner, Value> & Sendable

  public let name: String
  public let kind: SettingKind
  public let summary: String
  /// The value with which the setting has no effect on the photo; nil if there is no such value.
  public let identity: JSON?
  /// The values that people usually give, for a slider; nil if the kind has no range of numbers.
  public private(set) var usual: ClosedRange<Double>?
  package let read: @Sendable (Field, inout Owner, inout Diagnostics) -> Void
  package let json: @Sendable (Owner) -> JSON?

  /// Creates a setting that has no effect if its value is `identity`.
  init<Value: SettingValue>(
    _ name: String, _ path: Path<Value>, _ kind: SettingKind, identity: Value? = nil,
    _ summary: String
  ) {
    self.name = name
    self.kind = kind
    self.summary = summary
    self.identity = identity?.json
    usual = kind.numbers
    read = { field, owner, diagnostics in
      switch Value.read(field.json, as: kind) {
      case .success(let value): owner[keyPath: path] = value
      case .failure(let problem): diagnostics.add(problem, at: field)
      }
    }
    json = { $0[keyPath: path].json }
  }

  /// The same setting with a range of usual values, which is part of the range of valid values.
  func usually(_ range: ClosedRange<Double>) -> Self {
    var setting = self
    setting.usual = range
    return setting
  }
}

/// A type with named settings: a filter or an output format.
public protocol Configurable: Sendable, Hashable {
  /// The name in recipes, in lower camel case; it is never reused with another meaning.
  static var name: String { get }
  /// One sentence about the type for `phbatch filters` and the documentation.
  static var summary: String { get }
  static var settings: [Setting<Self>] { get }

  /// All settings at their defaults.
  init()

  /// The error in a combination of settings that are valid individually; nil if there is none.
  var contradiction: Problem? { get }

  /// True if the settings have no effect: at least one setting has an `identity`, and all such
  /// settings have the value of their `identity`.
  var isIdentity: Bool { get }
}

extension Configurable {
  public var contradiction: Problem? { nil }

  /// Reads the settings in `field`; missing ones keep their defaults.
  ///
  /// The keys in `others` are ignored, because other code reads them.
  init(_ field: Field, others: [String], _ diagnostics: inout Diagnostics) {
    self.init()
    let before = diagnostics
    for (key, location, value) in field.members where !others.contains(key) {
      guard let setting = Self.settings.first(where: { $0.name == key }) else {
        let known = Self.settings.map(\.name) + others
        let problem = Problem.unknownKey(key, in: "'\(Self.name)'", known: known)
        diagnostics.add(problem, at: value.path, location)
        continue
      }
      setting.read(value, &self, &diagnostics)
    }
    guard diagnostics == before, let contradiction else { return }
    if case .missingKey(let key, _) = contradiction, let value = field[key] {
      diagnostics.add(
        .contradiction("'\(key)' is empty", remedy: "give '\(key)' a value"), at: value)
    } else {
      diagnostics.add(contradiction, at: field)
    }
  }

  static var settingNames: [String] { settings.map(\.name) }

  /// The settings that are not at their defaults, as JSON.
  public var sparse: JSON.Object {
    let defaults = Self()
    var object = JSON.Object()
    for setting in Self.settings where setting.json(self) != setting.json(defaults) {
      object[setting.name] = setting.json(self)
    }
    return object
  }

  public var isIdentity: Bool {
    let neutral = Self.settings.filter { $0.identity != nil }
    return !neutral.isEmpty && neutral.allSatisfy { $0.json(self) == $0.identity }
  }
}
