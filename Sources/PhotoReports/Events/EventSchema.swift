public import Notation
import PhotoBatch
import PhotoRecipes

/// The JSON Schema of one line of `--format json`.
public enum EventSchema {
  public static var json: JSON {
    .object([
      "$schema": SchemaPart.dialect, "title": .string("phbatch event"),
      "description": .string("One line of '--format json' of phbatch run and phbatch watch."),
      "type": .string("object"),
      "required": .array(["event", "seq", "time"].map(JSON.string)),
      "properties": .object([
        "event": .object(["enum": .array(events.map { .string($0.name) })]),
        "seq": SchemaPart.count("Lines are numbered.", from: 1), "time": SchemaPart.time,
      ]),
      "allOf": .array(
        events.map { name, shape in
          .object([
            "if": .object([
              "properties": .object(["event": .object(["const": .string(name)])])
            ]),
            "then": shape,
          ])
        }),
      "$defs": .object(["reason": SchemaPart.reason, "rendition": SchemaPart.rendition]),
    ])
  }

  private static var events: [(name: String, shape: JSON)] {
    let photo: KeyValuePairs = ["file": SchemaPart.path, "reason": SchemaPart.reference("reason")]
    return [
      (
        "run-start",
        SchemaPart.object(
          "The first of a run.",
          ["photos": SchemaPart.count("That are looked at."), "version": SchemaPart.version])
      ),
      (
        "asset-start",
        SchemaPart.object(
          "A photo is looked at; in a watch it stands right before its asset-done.",
          ["file": SchemaPart.path],
          optional: ["fileBytes": SchemaPart.bytes])
      ),
      (
        "asset-done",
        SchemaPart.object(
          "The last of a photo: what was done, and why.",
          [
            "file": SchemaPart.path, "reason": SchemaPart.reference("reason"),
            "renditions": .object([
              "type": .string("array"), "items": SchemaPart.reference("rendition"),
            ]),
          ],
          optional: [
            "fileBytes": SchemaPart.bytes, "detail": SchemaPart.text, "hint": SchemaPart.text,
            "due": SchemaPart.flag, "warnings": SchemaPart.texts,
            "originalBytes": SchemaPart.count("Of what was rendered from.", from: 1),
          ])
      ),
      (
        "warning",
        SchemaPart.object(
          "Of the run, or of the watch.", ["message": SchemaPart.text],
          optional: ["hint": SchemaPart.text])
      ),
      ("recipe-reloaded", SchemaPart.object("A watch has read its recipe again.", [:])),
      (
        "library-away",
        SchemaPart.object(
          "A watch cannot reach its library, and waits.", ["message": SchemaPart.text])
      ),
      ("library-back", SchemaPart.object("A watch has its library again.", [:])),
      (
        "conflict",
        SchemaPart.object(
          "A photo needs a person; nothing was touched. Its asset-done follows.", photo,
          optional: [
            "fileBytes": SchemaPart.bytes, "detail": SchemaPart.text, "hint": SchemaPart.text,
          ])
      ),
      (
        "run-end",
        SchemaPart.object(
          "The last of a run.",
          [
            "counts": SchemaPart.counts,
            "due": SchemaPart.count("Photos that a check found to be due."),
            "renditions": SchemaPart.count("That were written."),
            "bytes": SchemaPart.count("Of these."), "exit": SchemaPart.exit,
          ],
          optional: ["error": SchemaPart.error])
      ),
    ]
  }
}
