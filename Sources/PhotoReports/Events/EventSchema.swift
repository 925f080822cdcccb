public import Notation
import PhotoBatch
import PhotoRecipes

/// The JSON Schema of one line of the output of `--format json`.
public enum EventSchema {
  public static var json: JSON {
    .object([
      "$schema": SchemaPart.dialect, "title": .string("phbatch event"),
      "description": .string(
        "One line of '--format json' of run, watch, verify and other commands."),
      "type": .string("object"),
      "required": .array(["event", "seq", "time"].map(JSON.string)),
      "properties": .object([
        "event": .object(["enum": .array(events.map { .string($0.name) })]),
        "seq": SchemaPart.count("The line number.", from: 1), "time": SchemaPart.time,
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
      "$defs": SchemaPart.definitions,
    ])
  }

  private static var events: [(name: String, shape: JSON)] {
    let photo: KeyValuePairs = ["file": SchemaPart.path, "reason": SchemaPart.reference("reason")]
    return [
      (
        "run-start",
        SchemaPart.object(
          "The first event of a run.",
          [
            "photos": SchemaPart.count("The number of photos that are checked."),
            "version": SchemaPart.version,
          ])
      ),
      (
        "asset-start",
        SchemaPart.object(
          "The work on a photo begins; in a watch, this event is directly before the photo's"
            + " asset-done.",
          ["file": SchemaPart.path],
          optional: ["fileBytes": SchemaPart.bytes])
      ),
      (
        "asset-progress",
        SchemaPart.object(
          "A film, its preview or an animation is being rendered; at most one event a second. The"
            + " numbers begin again if it is rendered in several passes.",
          [
            "file": SchemaPart.path,
            "frames": SchemaPart.count("The number of frames that are done."),
            "of": SchemaPart.count(
              "The number of all frames; for a film, as its header states it."),
          ], optional: ["fileBytes": SchemaPart.bytes])
      ),
      (
        "asset-done",
        SchemaPart.object(
          "The last event of a photo: the result and its reason.",
          [
            "file": SchemaPart.path, "reason": SchemaPart.reference("reason"),
            "renditions": .object([
              "type": .string("array"), "items": SchemaPart.reference("rendition"),
            ]),
          ],
          optional: [
            "fileBytes": SchemaPart.bytes, "detail": SchemaPart.text, "hint": SchemaPart.text,
            "due": SchemaPart.flag, "warnings": SchemaPart.texts,
            "originalBytes": SchemaPart.count(
              "The size of the rendered original, in bytes.", from: 1),
          ], also: SchemaPart.plan)
      ),
      (
        "undo-step",
        SchemaPart.object(
          "A command that can be undone, in the list of 'undo --list'.",
          [
            "step": SchemaPart.count("The number of the step; 1 is the newest command.", from: 1),
            "changes": SchemaPart.count("The number of photos and files that it changed.", from: 1),
          ], optional: ["command": SchemaPart.text])
      ),
      (
        "warning",
        SchemaPart.object(
          "A warning about the run or the watch.", ["message": SchemaPart.text],
          optional: ["hint": SchemaPart.text])
      ),
      ("recipe-reloaded", SchemaPart.object("A watch read its changed recipe again.", [:])),
      (
        "library-away",
        SchemaPart.object(
          "A watch cannot reach its library, and waits for it.", ["message": SchemaPart.text])
      ),
      ("library-back", SchemaPart.object("A watch can reach its library again.", [:])),
      (
        "conflict",
        SchemaPart.object(
          "A photo needs a decision by the user; no file was changed. Its asset-done follows.",
          photo,
          optional: [
            "fileBytes": SchemaPart.bytes, "detail": SchemaPart.text, "hint": SchemaPart.text,
          ])
      ),
      (
        "run-end",
        SchemaPart.object(
          "The last event of a run.",
          [
            "counts": SchemaPart.counts,
            "due": SchemaPart.count("The number of photos that a check found to be due."),
            "renditions": SchemaPart.count("The number of renditions that were written."),
            "bytes": SchemaPart.count("The size of these renditions, in bytes."),
            "exit": SchemaPart.exit,
          ],
          optional: ["error": SchemaPart.error])
      ),
      (
        "finding",
        SchemaPart.object(
          "A difference that verify found between the records and the files.",
          [
            "file": SchemaPart.path,
            "kind": .object(["enum": .array(Finding.Kind.allCases.map { .string($0.rawValue) })]),
          ],
          optional: ["fileBytes": SchemaPart.bytes, "detail": SchemaPart.text])
      ),
      (
        "verify-end",
        SchemaPart.object(
          "The last event of verify.",
          [
            "sidecars": SchemaPart.count("The number of sidecars."),
            "originals": SchemaPart.count("The number of recorded originals."),
            "renditions": SchemaPart.count("The number of recorded renditions."),
            "bytes": SchemaPart.count(
              "The size of all originals and renditions, in bytes, as recorded."),
            "findings": SchemaPart.count("The number of findings."),
            "exit": SchemaPart.exit,
          ])
      ),
    ]
  }
}
