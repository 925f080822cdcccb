public import Notation
import PhotoBatch
import PhotoRecipes

/// The JSON Schema of the report that `--report FILE.json` writes.
public enum ReportSchema {
  public static var json: JSON {
    var schema =
      SchemaPart.object(
        "The result of a run of phbatch.",
        [
          "generator": .object(["const": .string(ReportFormat.mark)]),
          "version": SchemaPart.version,
          "engine": SchemaPart.object("The program that ran.", ["phbatch": SchemaPart.text]),
          "recipe": SchemaPart.object(
            "The recipe; without an identifier if it cannot be read.", ["file": SchemaPart.path],
            optional: [
              "fileBytes": SchemaPart.bytes, "identifier": SchemaPart.text,
              "version": SchemaPart.text,
            ]),
          "library": SchemaPart.path,
          "mode": .object(["enum": .array([.string("run"), .string("check")])]),
          "started": SchemaPart.time, "exit": SchemaPart.exit, "counts": SchemaPart.counts,
          "due": SchemaPart.count("The number of photos that a check found to be due."),
          "renditions": SchemaPart.count("The number of renditions that were written."),
          "bytes": SchemaPart.count(
            "The total size of the renditions that were written, in bytes."),
          "originalBytes": SchemaPart.count("The size of the rendered originals, in bytes."),
          "warnings": SchemaPart.texts,
          "photos": .object([
            "type": .string("array"), "items": SchemaPart.reference("photo"),
          ]),
        ],
        optional: [
          "libraryBytes": SchemaPart.bytes, "error": SchemaPart.error,
          "seconds": .object(["type": .string("number"), "minimum": .integer(0)]),
        ]
      ).object ?? JSON.Object()
    schema["$schema"] = SchemaPart.dialect
    schema["title"] = .string("phbatch report")
    var definitions = SchemaPart.definitions.object ?? JSON.Object()
    definitions["photo"] = photo
    schema["$defs"] = .object(definitions)
    return .object(schema)
  }

  private static var photo: JSON {
    SchemaPart.object(
      "A photo that was checked, and the result.",
      [
        "file": SchemaPart.path, "reason": SchemaPart.reference("reason"),
        "renditions": .object([
          "type": .string("array"), "items": SchemaPart.reference("rendition"),
        ]),
      ],
      optional: [
        "fileBytes": SchemaPart.bytes, "detail": SchemaPart.text, "hint": SchemaPart.text,
        "due": SchemaPart.flag, "warnings": SchemaPart.texts,
        "originalBytes": SchemaPart.count("The size of the rendered original, in bytes.", from: 1),
      ], also: SchemaPart.plan)
  }
}
