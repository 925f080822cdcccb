package import Notation

/// The recipe's settings for the files that it reads: `inputs`.
public struct InputSettings: Sendable, Hashable {
  /// The pictures to edit in a file that contains several.
  public enum Frames: Sendable, Hashable {
    /// The picture that the file shows first.
    case first
    /// All pictures, for outputs in formats that can store them.
    case all
    /// The picture with this number, counted from 1: a page, or a frame of an animation.
    case number(Int)
  }

  /// The choice of the photos to render if a raw photo and a JPEG have the same name apart from the
  /// extension.
  public enum RawAndJPEG: String, Choice {
    case jpeg, raw, both
  }

  /// Formats that are read only because the recipe requests them; `InputCatalog.requests` has the
  /// valid values.
  public var formats: [String] = []
  public var frames = Frames.first
  /// The resolution in dots per inch for drawings and pages, which have no pixels of their own.
  public var dpi = 72.0
  public var raw = RawSettings()
  public var rawAndJPEG = RawAndJPEG.jpeg

  public init() {}

  /// True if the settings permit reading files of a format.
  public func allows(_ format: InputFormat) -> Bool {
    format.isPhoto || format.family == .raw || format.request.map(formats.contains) ?? false
  }

  /// The settings that change how a photo looks; all others, such as the list of formats, have
  /// their defaults.
  var looks: InputSettings {
    var looks = self
    looks.formats = []
    looks.rawAndJPEG = InputSettings().rawAndJPEG
    // The resolution matters only for drawings and pages.
    if !formats.contains(where: ["svg", "pdf"].contains) { looks.dpi = InputSettings().dpi }
    return looks
  }

  /// The maximum number of frames of an animation that are edited.
  public static let mostFrames = 256
}

extension InputSettings {
  static let keys = ["formats", "frames", "dpi", "raw", "rawAndJPEG", "comment"]
  static let dpiKind = SettingKind.number(.dpi, 1...2_400)
  static let numbers = 1...100_000

  init(_ field: Field, _ diagnostics: inout Diagnostics) {
    let expected = "an object such as {\"formats\": [\"svg\"]}"
    guard diagnostics.expectObject(field, expected) else { return }
    var reader = ObjectReader(field, "'inputs'", &diagnostics)
    defer { diagnostics = reader.diagnostics }
    reader.rejectUnknown(known: Self.keys)
    _ = reader.read("comment", as: .text, String.self)
    for element in reader.elements("formats", expected: "an array of formats") {
      guard let name = element.json.string else {
        let expected = SettingKind.choice(InputCatalog.requests).expectation
        reader.diagnostics.add(
          .wrongType(found: element.json.summary, expected: expected), at: element)
        continue
      }
      if InputCatalog.requests.contains(name) {
        formats.append(name)
      } else {
        let problem = Problem.unknownName(
          name, kind: "optional input format", known: InputCatalog.requests)
        reader.diagnostics.add(problem, at: element)
      }
    }
    formats = Set(formats).sorted()
    if let frames = field["frames"] { self.frames = Self.frames(frames, &reader.diagnostics) }
    dpi = reader.read("dpi", as: Self.dpiKind) ?? dpi
    if let raw = field["raw"] { self.raw = RawSettings(raw, &reader.diagnostics) }
    rawAndJPEG = reader.read("rawAndJPEG", as: RawAndJPEG.kind) ?? rawAndJPEG
  }

  private static func frames(_ field: Field, _ diagnostics: inout Diagnostics) -> Frames {
    switch field.json.string {
    case "first": return .first
    case "all": return .all
    default: break
    }
    if let number = field.json.integer, numbers.contains(number) { return .number(number) }
    diagnostics.add(
      .malformed(
        found: field.json.summary,
        expected: "\"first\", \"all\", or the number of a picture, from 1"),
      at: field)
    return .first
  }

  /// Reads the JSON that `sparse` wrote; an invalid value keeps its default.
  package init(_ json: JSON?) {
    var diagnostics = Diagnostics()
    if let json { self.init(Field(json), &diagnostics) } else { self.init() }
  }

  /// The settings that differ from the defaults, as JSON; nil if all have their defaults.
  package var sparse: JSON? {
    if self == InputSettings() { return nil }
    let defaults = InputSettings()
    var object = JSON.Object()
    if !formats.isEmpty { object["formats"] = .array(formats.map(JSON.string)) }
    switch frames {
    case .first: break
    case .all: object["frames"] = .string("all")
    case .number(let number): object["frames"] = .integer(number)
    }
    if dpi != defaults.dpi { object["dpi"] = .number(dpi) }
    object["raw"] = raw.sparse
    if rawAndJPEG != defaults.rawAndJPEG { object["rawAndJPEG"] = rawAndJPEG.json }
    return .object(object)
  }

  static var schema: JSON {
    let formats = JSON.object(["enum": .array(InputCatalog.requests.map(JSON.string))])
    let frames = JSON.object([
      "anyOf": .array([
        .object(["enum": .array([.string("first"), .string("all")])]),
        .object([
          "type": .string("integer"), "minimum": .integer(numbers.lowerBound),
          "maximum": .integer(numbers.upperBound),
        ]),
      ])
    ])
    return .object([
      "type": .string("object"), "additionalProperties": .bool(false),
      "properties": .object([
        "formats": .object(["type": .string("array"), "items": formats]),
        "frames": frames, "dpi": dpiKind.schema,
        "raw": RawSettings.schema, "rawAndJPEG": RawAndJPEG.kind.schema,
        "comment": .object(["type": .string("string")]),
      ]),
    ])
  }
}
