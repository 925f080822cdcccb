import Foundation
import TestSupport
import Testing

/// `phbatch status --why`: the plan for a photo, and the reasons for each rendition.
@Suite struct PlanTests {
  private let place: Workplace
  private var rendition: String { place.path("photos/a.web.png") }

  init() throws { place = try Workplace() }

  private func recipe(stops: Double, outputs: String = "", version: String = "1.0.0") throws {
    try place.folder.write(
      """
      {
        "identifier": "org.example.plan", "version": "\(version)",
        "filters": [ { "filter": "exposure", "stops": \(stops) } ],
        "outputs": [ { "name": "web", "format": "png" } \(outputs) ]
      }
      """, to: "recipe.json")
  }

  /// The planned action for the photo, and each stale output with its reasons.
  private func plan(
    _ options: [String] = []
  ) throws -> (action: String, reasons: [String: [String]]) {
    let result = try Command.run(
      ["status", place.path("photos"), "--recipe", place.path("recipe.json"), "--why"]
        + ["--format", "json"] + options)
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    let plan = try #require((object as? [String: Any])?["plan"] as? [String: Any])
    let why = try #require(plan["why"] as? [[String: Any]])
    let reasons = try why.map { output in
      let reasons = try #require(output["reasons"] as? [[String: String]])
      return (try #require(output["output"] as? String), reasons.compactMap { $0["text"] })
    }
    return (try #require(plan["action"] as? String), Dictionary(uniqueKeysWithValues: reasons))
  }

  @Test func thePlanForANewPhotoIsToRenderIt() throws {
    try recipe(stops: 0.5)
    let plan = try plan()
    #expect(plan.action == "render")
    #expect(plan.reasons == ["web": ["new"]])
  }

  @Test func anExplanationUsesThePhotosOwnSettings() throws {
    try recipe(stops: 0.5)
    _ = try place.reasons()
    let photo = place.path("photos/a.jpg")
    _ = try Command.run(["adjust", photo, "--set", "exposure.stops=1.5"])
    func stops(_ options: [String] = []) throws -> String? {
      let text = try Command.run(["explain", place.path("recipe.json"), photo] + options).output
      return text.split(separator: "\n").first { $0.contains("exposure.stops") }.map { "\($0)" }
    }
    #expect(try stops() == "  exposure.stops = 1.5  (this photo's own)")
    let assigned = try stops(["--set", "exposure.stops=0.25"])
    #expect(assigned?.hasPrefix("  exposure.stops = 0.25") == true, "\(assigned ?? "")")
    // Settings that a run refuses are not part of the explanation; the plan names them.
    let sidecar = "photos/a.jpg.phbatch.json"
    let text = String(decoding: try place.folder.read(sidecar), as: UTF8.self)
    let damaged = text.replacingOccurrences(
      of: #""exposure.stops": 1.5"#, with: #""exposure.stops": "x""#)
    #expect(damaged != text)
    try place.folder.write(damaged, to: sidecar)
    #expect(try stops()?.hasPrefix("  exposure.stops = 0.5  (/") == true)
    let all = try Command.run(["explain", place.path("recipe.json"), photo]).output
    #expect(all.contains("corrupt-sidecar"), "\(all)")
  }

  @Test func anExplanationListsStepsThatAreLeftOutOrMixed() throws {
    try recipe(stops: 0.5)
    _ = try place.reasons()
    let photo = place.path("photos/a.jpg")
    func lines(_ key: String, _ options: String...) throws -> [String] {
      let text = try Command.run(["explain", place.path("recipe.json")] + options).output
      return text.split(separator: "\n").filter { $0.hasPrefix("  exposure.\(key) = ") }
        .map(String.init)
    }
    #expect(try lines("enabled", photo).isEmpty)
    #expect(try Command.run(["adjust", photo, "--disable", "exposure"]).code == 0)
    #expect(try lines("enabled", photo) == ["  exposure.enabled = false  (this photo's own)"])
    try place.folder.write(
      """
      {
        "identifier": "org.example.plan", "version": "1.0.0",
        "filters": [ { "filter": "exposure", "stops": 1, "enabled": false, "opacity": 0.5 } ],
        "outputs": [ { "name": "web", "format": "png" } ]
      }
      """, to: "recipe.json")
    for (key, value) in [("enabled", "false"), ("opacity", "0.5")] {
      let found = try lines(key)
      #expect(found.count == 1)
      #expect(found.first?.hasPrefix("  exposure.\(key) = \(value)  (/") == true, "\(found)")
    }
    let enabled = try lines("enabled", "--set", "exposure.enabled=true")
    #expect(enabled.first?.hasPrefix("  exposure.enabled = true  (") == true, "\(enabled)")
  }

  @Test func thePlanForARenderedPhotoIsUpToDate() throws {
    try recipe(stops: 0.5)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    let plan = try plan()
    #expect(plan.action == "up-to-date")
    #expect(plan.reasons.isEmpty)
  }

  @Test func thePlanNamesChangedSettingsOfTheRecipe() throws {
    try recipe(stops: 0.5)
    _ = try place.reasons()
    try recipe(stops: 0.75, outputs: #", { "name": "small", "format": "png" }"#)
    let plan = try plan()
    #expect(plan.action == "resume")
    let changes = "recipe changed: exposure.stops was 0.5, is now 0.75"
    #expect(plan.reasons == ["web": [changes], "small": ["new"]])
  }

  @Test func thePlanNamesMissingAndChangedRenditions() throws {
    try recipe(stops: 0.5, outputs: #", { "name": "small", "format": "png" }"#)
    _ = try place.reasons()
    try FileManager.default.removeItem(atPath: rendition)
    #expect(try plan().action == "resume")
    #expect(try plan().reasons == ["web": ["rendition missing"]])
  }

  @Test func thePlanNamesAChangedOriginal() throws {
    try recipe(stops: 0.5)
    _ = try place.reasons()
    try place.addPhoto("a.jpg", width: 50)
    #expect(try plan().reasons == ["web": ["original replaced"]])
  }

  /// If a photo's own settings change or are removed, the plan does not report a change of the
  /// recipe.
  @Test func thePlanDistinguishesThePhotosSettingsFromTheRecipes() throws {
    try recipe(stops: 0.5)
    _ = try place.reasons()
    let photo = place.path("photos/a.jpg")
    #expect(try Command.run(["adjust", photo, "--set", "exposure.stops=1"]).code == 0)
    #expect(try plan().reasons == ["web": ["adjusted: exposure.stops was 0.5, is now 1"]])
    _ = try place.reasons()
    #expect(try Command.run(["adjust", photo, "--unset", "exposure.stops"]).code == 0)
    #expect(try plan().reasons == ["web": ["adjusted: exposure.stops was 1, is now 0.5"]])
    #expect(try Command.run(["adjust", photo, "--set", "exposure.stops=1"]).code == 0)
    #expect(try plan().action == "up-to-date")
    #expect(try !place.sidecar("a.jpg").contains("renderedOverrides"))
  }

  /// A dry run lists exactly the files that the run then changes.
  @Test func aDryRunListsExactlyTheFilesThatTheRunChanges() throws {
    try recipe(stops: 0.5, outputs: #", { "name": "small", "format": "png" }"#)
    _ = try place.reasons()
    let before = try place.snapshot()
    try recipe(stops: 0.75, outputs: #", { "name": "big", "format": "png", "minWidth": 20 }"#)
    let planned = try place.run("recipe", "--check", "--format", "json")
    #expect(planned.code == 2)
    let due = try #require(try planned.events.first { $0["event"] as? String == "asset-done" })
    #expect(due["action"] as? String == "resume")
    let files = try #require(due["files"] as? [[String: Any]])
    let changes = files.map { "\($0["change"] ?? "") \($0["file"] ?? "")" }
    #expect(
      changes == [
        "replace a.web.png", "write a.big.png", "replace a.jpg.phbatch.json", "remove a.small.png",
      ])
    #expect(files.map { $0["conditional"] as? Bool } == [nil, true, nil, nil])
    #expect(try place.snapshot() == before)
    let run = try place.run("recipe", "--format", "json")
    let done = try #require(try run.events.first { $0["event"] as? String == "asset-done" })
    #expect(done["files"] as? [[String: String]] == due["files"] as? [[String: String]])
    let after = try place.snapshot()
    let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    #expect(changed == ["a.web.png", "a.big.png", "a.jpg.phbatch.json", "a.small.png"])
  }

  /// If a rendition's name depends on the finished rendition, the plan shows the name's template
  /// instead.
  @Test func thePlanShowsUnknownRenditionNamesAsTemplates() throws {
    try place.recipe(output: #""name": "web", "format": "png", "path": "{stem}-{width}.png""#)
    let first = try place.run("recipe", "--dry-run").lines
    #expect(first[2] == "  writes {stem}-{width}.png, a.jpg.phbatch.json")
    _ = try place.reasons()
    try place.recipe(
      stops: 1, output: #""name": "web", "format": "png", "path": "{stem}-{width}.png""#)
    let again = try place.run("recipe", "--dry-run").lines
    #expect(again[2] == "  replaces a-60.png by {stem}-{width}.png, a.jpg.phbatch.json")
  }

  /// The text output of `status --why` states the plan, the reason for each rendition, and the
  /// files that the run writes.
  @Test func statusPrintsThePlanWithReasonsAsText() throws {
    try recipe(stops: 0.5)
    let result = try Command.run(
      ["status", place.path("photos"), "--recipe", place.path("recipe.json"), "--why"])
    #expect(
      result.output.contains(
        "    plan: render\n      web: new\n      writes a.web.png, a.jpg.phbatch.json"))
  }

  /// Without a recipe, `status --why` plans the edits that the sidecars record.
  @Test func statusWithoutARecipeGivesTheReasonsOfStaleEdits() throws {
    try recipe(stops: 0.5, outputs: #", { "name": "small", "format": "png" }"#)
    _ = try place.reasons()
    let status = ["status", place.path("photos"), "--why"]
    #expect(try Command.run(status).output.contains("    plan: up-to-date\n    possible"))
    try FileManager.default.removeItem(atPath: rendition)
    #expect(
      try Command.run(status).output.contains(
        "    plan: resume\n      web of org.example.plan: rendition missing\n"
          + "      writes a.web.png\n      replaces a.jpg.phbatch.json\n    possible"))
    let photo = place.path("photos/a.jpg")
    #expect(try Command.run(["adjust", photo, "--set", "exposure.stops=1"]).code == 0)
    #expect(
      try Command.run(status).output.contains(
        "      web of org.example.plan: adjusted: exposure.stops was the recipe's, is now 1;"
          + " rendition missing\n"))
    let json = try Command.run(status + ["--format", "json"]).output
    #expect(json.contains(#""files":["#) && json.contains(#""change":"write""#), "\(json)")
  }

  /// A rendition by an older revision of the renderer stays up to date: `status --why` states the
  /// revision as a fact, and only `--refresh` renders it again.
  @Test func statusStatesAnOlderRenderingRevision() throws {
    try recipe(stops: 0.5)
    _ = try place.reasons()
    let status = ["status", place.path("photos"), "--why"]
    let current = try Command.run(status).output
    #expect(!current.contains("revision"), "\(current)")
    let sidecar = String(decoding: try place.read("a.jpg.phbatch.json"), as: UTF8.self)
    let older = sidecar.replacing(#/"revision" ?: ?\d+/#, with: #""revision": 1"#)
    try #require(older != sidecar)
    try place.folder.write(older, to: "photos/a.jpg.phbatch.json")
    let result = try Command.run(status)
    #expect(result.code == 0)
    #expect(
      result.output.contains("the rendition is by revision 1 of the renderer; the current revision")
    )
    #expect(result.output.contains("run --refresh renders it again"))
    #expect(result.output.contains("    plan: up-to-date\n"), "\(result.output)")
    #expect(try Command.run(status + ["--format", "json"]).output.contains(#""olderRevision":1"#))
    #expect(
      try !Command.run(["status", place.path("photos"), "--format", "json"]).output
        .contains("olderRevision"))
    #expect(try place.reasons() == (["a.jpg": "up-to-date"], 0))
  }

  /// A rendition that the user changed blocks the run, so the run would change no files, and the
  /// plan lists none.
  @Test func thePlanOfABlockedPhotoListsNoFiles() throws {
    try recipe(stops: 0.5)
    _ = try place.reasons()
    try place.folder.write("mine", to: "photos/a.web.png")
    let status = try Command.run(["status", place.path("photos"), "--why"])
    #expect(
      status.output.contains(
        "      web of org.example.plan: rendition changed by hand\n    possible"))
  }

  /// A run also renders the edits above a stale edit again, so the plan lists their files too.
  @Test func thePlanListsTheEditsAboveAStaleEdit() throws {
    for name in ["first", "second"] {
      try place.recipe(name, variant: nil, output: #""name": "\#(name)", "format": "png""#)
      #expect(try place.run(name).code == 0)
    }
    try FileManager.default.removeItem(atPath: place.path("photos/a.first.png"))
    let status = try Command.run(["status", place.path("photos"), "--why"])
    #expect(
      status.output.contains(
        """
              first of org.example.first: rendition missing
              second of org.example.second: the edit below it is rendered again
              writes a.first.png
              replaces a.second.png, a.jpg.phbatch.json
        """), "\(status.output)")
  }

  /// `explain` prints the plan of a photo in a library.
  @Test func explainPrintsThePlanOfAPhotoInALibrary() throws {
    try recipe(stops: 0.5)
    _ = try place.reasons()
    try recipe(stops: 1)
    let explain = ["explain", place.path("recipe.json"), place.path("photos/a.jpg")]
    #expect(
      try Command.run(explain).output.contains(
        "\nPlan of a run\n  a.jpg: resume\n"
          + "    web: recipe changed: exposure.stops was 0.5, is now 1\n"
          + "    replaces a.web.png, a.jpg.phbatch.json\n"))
    #expect(
      try Command.run(explain + ["--format", "json"]).output.contains("\"recipe-changed\""))
  }

  /// `status` lists an operation, such as `resume` or `stack`, as possible if a run with this value
  /// of `--previous` would carry it out.
  @Test func statusListsTheOperationsThatARunWouldCarryOut() throws {
    try recipe(stops: 0.5)
    _ = try place.reasons()
    let status = ["status", place.path("photos"), "--recipe", place.path("recipe.json")]
    let done = "possible: resume, revert, not replace or stack (the edit is up to date)"
    #expect(try Command.run(status).output.contains(done))
    try recipe(stops: 1)
    #expect(
      try Command.run(status).output.contains(
        "possible: resume, replace, revert, not stack ('a.web.png' belongs to the edit by "))
    try place.folder.write("mine", to: "photos/a.web.png")
    let changed = try Command.run(status).output
    #expect(changed.contains("not resume") && changed.contains("('a.web.png' was changed by hand"))
  }

  /// A dry run and `status` change nothing.
  @Test func aDryRunAndStatusChangeNoFile() throws {
    try recipe(stops: 0.5)
    let before = try place.snapshot()
    _ = try plan()
    _ = try place.run("recipe", "--dry-run")
    #expect(try place.snapshot() == before)
  }

  /// A dry run lists photos in the same order, regardless of which photo is planned first.
  @Test func aDryRunAlwaysListsPhotosInTheSameOrder() throws {
    let names = (10..<34).map { "\($0).jpg" }
    let place = try Workplace(names.shuffled())
    try place.recipe()
    let lines = try place.run("recipe", "--dry-run", "--jobs", "4").lines
    let expected = (10..<34).flatMap {
      ["\($0).jpg: due", "  web: new", "  writes \($0).web.jpg, \($0).jpg.phbatch.json"]
    }
    #expect(lines == expected + ["24 due"])
    let events = try place.run("recipe", "--dry-run", "--jobs", "4", "--format", "json").events
    let done = events.filter { $0["event"] as? String == "asset-done" }
    #expect(done.map { $0["file"] as? String } == names)
    #expect(done.allSatisfy { $0["reason"] as? String == "due" && $0["due"] as? Bool == true })
  }

  /// The plan lists the files of an edit that `adjust` recorded and that no run has rendered.
  @Test func aDryRunListsTheFilesOfAnEditThatWasOnlyAdjusted() throws {
    for name in ["first", "second"] {
      try place.recipe(name, variant: nil, output: #""name": "\#(name)", "format": "png""#)
      let adjusted = try Command.run([
        "adjust", place.path("photos/a.jpg"), "--library", place.library, "--recipe",
        place.path("\(name).json"), "--set", "exposure.stops=1",
      ])
      #expect(adjusted.code == 0)
    }
    let planned = try place.run("first", "--dry-run")
    #expect(
      planned.output.contains(
        """
          first: new; adjusted: exposure.stops = 1
          second of org.example.second: new; adjusted: exposure.stops = 1
          writes a.first.png, a.second.png
          replaces a.jpg.phbatch.json
        """), "\(planned.output)")
    #expect(try place.run("first").code == 0)
    #expect(
      try place.names() == ["a.first.png", "a.jpg", "a.jpg.phbatch.json", "a.second.png"])
  }

  /// Without a recipe, a variant that was rendered from the main stack's image follows this image.
  @Test func statusWithoutARecipeComparesAVariantWithTheImageOfTheMainStack() throws {
    let output = #""name": "full", "format": "png""#
    try place.recipe("edit", variant: nil, output: output)
    try place.recipe("export", from: "current")
    for recipe in ["edit", "export"] { #expect(try place.run(recipe).code == 0) }
    let status = ["status", place.library, "--why"]
    let current = try Command.run(status).output
    #expect(current.components(separatedBy: "plan: up-to-date").count == 3, "\(current)")
    try place.recipe("edit", variant: nil, stops: 1, output: output)
    #expect(try place.run("edit").code == 0)
    let changed = try Command.run(status).output
    #expect(
      changed.contains(
        "web of org.example.export: the edit starts from 'a.full.png', which has changed\n"),
      "\(changed)")
  }
}
