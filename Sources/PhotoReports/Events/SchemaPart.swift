import Notation
import PhotoBatch
import PhotoRecipes

/// Parts of the JSON Schemas (2020-12) of the JSON that phbatch writes.
///
/// Later versions of phbatch may add members, so programs that read the JSON must ignore unknown
/// ones.
enum SchemaPart {
  static let dialect = JSON.string("https://json-schema.org/draft/2020-12/schema")
  static let text = JSON.object(["type": .string("string")])
  static let flag = JSON.object(["type": .string("boolean")])
  static let texts = JSON.object(["type": .string("array"), "items": text])
  static let version = JSON.object([
    "type": .string("string"), "pattern": .string(#"^1\.[0-9]+$"#),
  ])
  static let time = JSON.object([
    "type": .string("string"),
    "pattern": .string("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"),
  ])

  static func count(_ summary: String, from least: Int = 0) -> JSON {
    .object([
      "type": .string("integer"), "minimum": .integer(least), "description": .string(summary),
    ])
  }

  static func reference(_ name: String) -> JSON {
    .object(["$ref": .string("#/$defs/\(name)")])
  }

  /// The schema of an object with required and optional members.
  static func object(
    _ summary: String, _ required: KeyValuePairs<String, JSON>,
    optional: KeyValuePairs<String, JSON> = [:], also more: KeyValuePairs<String, JSON> = [:]
  ) -> JSON {
    let members = [required, optional, more].flatMap { $0.map { ($0.key, $0.value) } }
    return .object([
      "type": .string("object"), "description": .string(summary),
      "required": .array(required.map { .string($0.key) }),
      "properties": .object(JSON.Object(members.map { JSON.Object.Member($0.0, $0.1) })),
    ])
  }

  /// The value of `reason` for a photo that a dry run reports as due.
  static let due = "due"

  /// The schema of the reason for a photo's outcome.
  static var reason: JSON {
    .object(["enum": .array((Reason.allCases.map(\.rawValue) + [due]).map(JSON.string))])
  }

  static var exit: JSON {
    .object([
      "enum": .array(ExitCode.allCases.map { .integer(Int($0.rawValue)) }),
      "description": .string("The exit code of the command."),
    ])
  }

  static var error: JSON {
    object(
      "The error that ended the run early.", ["message": text, "hint": text])
  }

  static var rendition: JSON {
    object(
      "A file that was written.",
      [
        "file": path, "output": text, "width": count("Pixels.", from: 1),
        "height": count("Pixels.", from: 1),
        "bytes": count("The size of the file, in bytes.", from: 1),
      ],
      optional: [
        "fileBytes": bytes,
        "quality": count("The quality that a budget or the photo determined.", from: 1),
        "clipped": .object([
          "type": .string("number"), "minimum": .integer(0), "maximum": .integer(1),
          "description": .string(
            "The share of pixels whose colour is outside the profile and was clipped, to four"
              + " digits; missing if unknown, because a profile with tables or a program"
              + " converted the colours."
          ),
        ]),
        "copied": .object([
          "const": .bool(true),
          "description": .string(
            "True if the file is a copy of the original, because of keepIfSmaller."),
        ]),
      ])
  }

  /// The schemas of the members of a photo's plan, all optional; a photo has a plan if it is due or
  /// was rendered.
  static var plan: KeyValuePairs<String, JSON> {
    [
      "action": .object([
        "type": .string("string"),
        "description": .string("The action of the run: render, resume, replace, stack."),
      ]),
      "why": .object([
        "type": .string("array"), "items": reference("stale"),
        "description": .string("The renditions to be written, with the reasons."),
      ]),
      "files": .object([
        "type": .string("array"), "items": reference("change"),
        "description": .string("The files to be written, replaced or removed."),
      ]),
    ]
  }

  /// The schema definitions that events and reports share.
  static var definitions: JSON {
    let reason = object(
      "One reason.",
      [
        "reason": .object(["enum": .array(Staleness.Kind.allCases.map { .string($0.rawValue) })]),
        "text": text,
      ])
    return .object([
      "reason": Self.reason, "rendition": rendition,
      "stale": object(
        "A rendition to be written.",
        [
          "output": text,
          "reasons": .object(["type": .string("array"), "items": reason]),
        ], optional: ["edit": text]),
      "change": object(
        "A file to be written, replaced or removed.",
        [
          "change": .object([
            "enum": .array(PlannedFile.Change.allCases.map { .string($0.rawValue) })
          ])
        ],
        optional: [
          "file": path, "fileBytes": bytes, "output": text,
          "template": .object([
            "type": .string("string"),
            "description": .string(
              "The path template, if the name depends on the finished rendition."),
          ]),
          "conditional": .object([
            "const": .bool(true),
            "description": .string("True if the output is left out of small photos."),
          ]),
        ]),
    ])
  }

  static let path = JSON.object([
    "type": .string("string"),
    "description": .string("The path, relative to the library or the output folder."),
  ])
  static let bytes = JSON.object([
    "type": .string("string"), "contentEncoding": .string("base64"),
    "description": .string("The bytes of the path; only if it is not valid UTF-8."),
  ])

  /// The schema of an object with the number of photos for each reason.
  static var counts: JSON {
    .object([
      "type": .string("object"), "propertyNames": reason,
      "additionalProperties": count("Photos.", from: 1),
    ])
  }
}
