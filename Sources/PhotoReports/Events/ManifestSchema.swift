public import Notation
import PhotoBatch
import PhotoRecipes

/// The JSON Schema of the manifest that lists the pictures of a web set.
public enum ManifestSchema {
  public static var json: JSON {
    var schema =
      SchemaPart.object(
        "The pictures of a web set, for programs that build pages.",
        [
          "generator": .object(["const": .string(WebSetManifest.generator)]),
          "version": SchemaPart.version,
          "recipe": .object([
            "type": .string("string"), "description": .string("The identifier of the recipe."),
          ]),
          "set": .object([
            "type": .string("string"), "description": .string("The name of the output."),
          ]),
          "sizes": .object([
            "type": .string("string"),
            "description": .string("The value of the attribute 'sizes' of every element."),
          ]),
          "photos": list("photo"),
        ]
      ).object ?? JSON.Object()
    schema["$schema"] = SchemaPart.dialect
    schema["title"] = .string("phbatch web set")
    schema["$defs"] = .object(["photo": photo, "source": source, "file": file])
    return .object(schema)
  }

  private static func list(_ name: String) -> JSON {
    .object([
      "type": .string("array"), "items": SchemaPart.reference(name),
    ])
  }

  private static let pixels = SchemaPart.count("Pixels.", from: 1)

  private static var photo: JSON {
    SchemaPart.object(
      "A photo; photos are in the order of their paths.",
      [
        "file": SchemaPart.path,
        "alt": .object([
          "type": .string("string"),
          "description": .string(
            "The description in the photo's metadata; empty if there is none."),
        ]),
        "sources": list("source"), "width": pixels, "height": pixels,
        "html": .object([
          "type": .string("string"), "description": .string("A <picture> element."),
        ]),
      ],
      optional: [
        "fileBytes": SchemaPart.bytes,
        "placeholder": .object([
          "type": .string("string"), "pattern": .string("^data:image/webp;base64,"),
          "description": .string("A blurred picture of at most 400 bytes."),
        ]),
      ])
  }

  private static var source: JSON {
    SchemaPart.object(
      "One format; a browser shows the first format that it knows.",
      [
        "type": .object(["type": .string("string"), "pattern": .string("^image/")]),
        "files": list("file"),
      ])
  }

  private static var file: JSON {
    SchemaPart.object(
      "One width; widths are in ascending order.",
      [
        "file": SchemaPart.path,
        "url": .object([
          "type": .string("string"),
          "description": .string("The path after the output's \"base\", as in a link."),
        ]),
        "width": pixels, "height": pixels,
        "bytes": SchemaPart.count("The size of the file, in bytes.", from: 1),
      ], optional: ["fileBytes": SchemaPart.bytes])
  }
}
