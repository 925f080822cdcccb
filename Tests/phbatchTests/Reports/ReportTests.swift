import Foundation
import TestSupport
import Testing

/// Reports, events and annotations of the real command; `Tests/reports/check.py` reads them with
/// independent parsers.
@Suite struct ReportTests {
  /// A library with a photo that can be rendered, a broken photo, and a photo with a rendition that
  /// was changed by hand.
  private func mixed() throws -> Workplace {
    let place = try Workplace(["a.jpg", "mine.jpg"])
    try place.recipe()
    _ = try place.run()
    try place.folder.write("hand", to: "photos/mine.web.jpg")
    try place.addPhoto("new.jpg")
    try place.folder.write("no photo", to: "photos/broken.jpg")
    return place
  }

  private func text(_ place: Workplace, _ name: String) throws -> String {
    String(decoding: try place.folder.read(name), as: UTF8.self)
  }

  @Test func everyReportFormatDescribesTheSameRun() throws {
    let place = try mixed()
    let names = ["r.json", "r.xml", "r.html", "r.md", "r.prom"]
    let options = names.flatMap { ["--report", place.path($0)] }
    let result = try Command.run(
      ["run", place.path("recipe.json"), place.library] + options)
    #expect(result.code == 4)
    let json = try JSONSerialization.jsonObject(with: Data(try place.folder.read("r.json")))
    let report = try #require(json as? [String: Any])
    #expect(report["exit"] as? Int == 4)
    let photos = try #require(report["photos"] as? [[String: Any]])
    #expect(photos.map { $0["file"] as? String } == ["a.jpg", "broken.jpg", "mine.jpg", "new.jpg"])
    #expect(
      photos.map { $0["reason"] as? String } == [
        "up-to-date", "unreadable", "modified", "rendered",
      ])
    let size = try place.read("new.jpg").count
    #expect(photos[3]["originalBytes"] as? Int == size)
    let junit = try text(place, "r.xml")
    #expect(junit.contains(#"tests="4" failures="2" errors="0" skipped="0""#))
    #expect(try text(place, "r.html").contains("<td>mine.jpg</td>"))
    #expect(try text(place, "r.md").contains("| broken.jpg | unreadable: "))
    #expect(try text(place, "r.prom").contains(#"reason="modified"} 1"#))
    #expect(try place.leftovers() == [])
  }

  @Test func aReportReplacesOnlyAnEarlierReport() throws {
    let place = try Workplace()
    try place.recipe()
    for _ in 1...2 {
      #expect(try place.run("recipe", "--report", place.path("r.json")).code == 0)
    }
    for name in ["recipe.json", "photos/a.jpg.phbatch.json"] {
      let before = try place.folder.read(name)
      let result = try place.run("recipe", "--report", place.path(name))
      #expect(result.code == 73)
      #expect(result.messages.contains("is not a report of phbatch"))
      #expect(try place.folder.read(name) == before)
    }
    #expect(try place.run("recipe", "--report", place.path("r.txt")).code == 64)
    // A report must not have the name of a sidecar, even if no such file exists yet.
    let sidecar = try place.run("recipe", "--report", place.path("photos/new.jpg.phbatch.json"))
    #expect(sidecar.code == 73)
    #expect(sidecar.messages.contains("has the name of a sidecar"))
    for path in [place.path("none/r.json"), "/proc/r.json"] {
      let unwritable = try place.run("recipe", "--report", path)
      #expect(unwritable.code == 73)
      #expect(unwritable.messages.contains("Error: cannot write '\(path)': No such file"))
    }
    try place.folder.write("", to: "empty.md")
    #expect(try place.run("recipe", "--report", place.path("empty.md")).code == 0)
    #expect(try text(place, "empty.md").contains("1 up-to-date"))
  }

  /// A run that cannot begin also writes a report, so that a script does not read the report of the
  /// previous run.
  @Test func aRunThatCannotBeginAlsoWritesAReport() throws {
    let place = try Workplace()
    try place.folder.write("{", to: "recipe.json")
    let result = try place.run(
      "recipe", "--report", place.path("r.json"), "--report", place.path("r.xml"), "--format",
      "json")
    #expect(result.code == 65)
    let json = try JSONSerialization.jsonObject(with: Data(try place.folder.read("r.json")))
    let error = (json as? [String: Any])?["error"] as? [String: String]
    #expect(error?["message"]?.contains("recipe.json:1:") == true)
    #expect(try text(place, "r.xml").contains(#"errors="1""#))
    let last = try #require(try result.events.last)
    #expect(last["event"] as? String == "run-end")
    #expect(last["exit"] as? Int == 65)
  }

  @Test func theEventsOfARunAreNumberedInOrder() throws {
    let place = try mixed()
    let result = try place.run("recipe", "--format", "json", "--progress", "plain", "--jobs", "1")
    let events = try result.events
    #expect(events.map { $0["seq"] as? Int } == (1...events.count).map { $0 })
    let names = events.compactMap { $0["event"] as? String }
    #expect(names.first == "run-start")
    #expect(names.last == "run-end")
    for file in ["a.jpg", "broken.jpg", "mine.jpg", "new.jpg"] {
      let own = events.filter { $0["file"] as? String == file }.compactMap {
        $0["event"] as? String
      }
      let middle = file == "mine.jpg" ? ["conflict"] : []
      #expect(own == ["asset-start"] + middle + ["asset-done"])
    }
  }

  @Test func aFailedRunKeepsTheTimeOfTheLastSuccessInTheReport() throws {
    let place = try Workplace()
    try place.recipe()
    let file = place.path("photos.prom")
    _ = try place.run("recipe", "--report", file, environment: ["SOURCE_DATE_EPOCH": "1000"])
    try place.folder.write("no photo", to: "photos/broken.jpg")
    _ = try place.run("recipe", "--report", file, environment: ["SOURCE_DATE_EPOCH": "2000"])
    let lines = try text(place, "photos.prom").split(separator: "\n")
    func value(_ name: String) -> Substring? {
      lines.first { $0.hasPrefix("\(name){") }?.split(separator: " ").last
    }
    #expect(value("phbatch_last_run_timestamp_seconds") == "2000")
    #expect(value("phbatch_last_success_timestamp_seconds") == "1000")
    #expect(value("phbatch_last_run_exit_code") == "3")
  }

  /// A report of another library or another recipe has had no success; one of a recipe that cannot
  /// be read continues the series of the library.
  @Test func theTimeOfTheLastSuccessBelongsToLibraryAndRecipe() throws {
    let place = try Workplace()
    try place.recipe()
    let file = place.path("photos.prom")
    func success() throws -> Substring? {
      try text(place, "photos.prom").split(separator: "\n")
        .first { $0.hasPrefix("phbatch_last_success_timestamp_seconds{") }
    }
    func run() throws -> Int32 {
      try place.run("recipe", "--report", file, environment: ["SOURCE_DATE_EPOCH": "1000"]).code
    }
    #expect(try run() == 0)
    let first = try success()
    try place.folder.write("{", to: "recipe.json")
    #expect(try run() == 65)
    #expect(try success() == first)
    try place.folder.write("{", to: "other.json")
    #expect(try place.run("other", "--report", file).code == 65)
    #expect(try success()?.hasSuffix(" 0") == true)
    try place.recipe()
    let other = try Command.run(
      ["run", place.path("recipe.json"), place.path("nowhere"), "--report", file])
    #expect(other.code == 66)
    #expect(try success()?.hasSuffix(" 0") == true)
  }

  @Test func aRunOnGitHubWritesAnnotationsAndASummary() throws {
    let place = try mixed()
    try place.folder.write("no photo", to: "photos/odd, 100%: name.jpg")
    try place.folder.write("# before\n", to: "summary.md")
    let environment = [
      "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": place.path(""),
      "GITHUB_STEP_SUMMARY": place.path("summary.md"),
    ]
    let result = try place.run("recipe", "--quiet", environment: environment)
    #expect(result.code == 4)
    let commands = result.messages.split(separator: "\n").filter { $0.hasPrefix("::") }
    #expect(commands.count == 3)
    #expect(commands.allSatisfy { $0.hasPrefix("::error file=photos/") })
    #expect(
      commands.contains {
        $0.hasPrefix("::error file=photos/odd%2C 100%25%3A name.jpg,title=unreadable::")
      })
    let summary = try text(place, "summary.md")
    #expect(summary.hasPrefix("# before\n"))
    #expect(summary.contains("| new.jpg |"))
    let silent = try place.run("recipe", "--quiet")
    #expect(!silent.messages.contains("::error"))
  }

  @Test func aRunOnGitHubWritesAtMostTenErrorAnnotations() throws {
    let place = try Workplace([])
    try place.recipe()
    for number in 1...14 { try place.folder.write("x", to: "photos/\(number).jpg") }
    let result = try place.run("recipe", environment: ["GITHUB_ACTIONS": "true"])
    let commands = result.messages.split(separator: "\n").filter { $0.hasPrefix("::error") }
    #expect(commands.count == 10)
    #expect(commands.last == "::error title=phbatch::and 5 more")
  }

  /// The same photos and recipe give the same output bytes, regardless of the order of photos, the
  /// number of jobs and the environment.
  @Test func renditionsDoNotDependOnOrderJobsOrEnvironment() throws {
    let photos = ["a.jpg", "b.png", "trip/c.jpg", "trip/ä.jpg", "z.jpg"]
    var trees: [[String: [UInt8]]] = []
    for (names, jobs, environment) in [
      (photos, "1", ["TZ": "Asia/Tokyo", "LANG": "C", "LC_ALL": "C"]),
      (photos.reversed(), "3", ["TZ": "America/Lima", "LANG": "de_DE.UTF-8", "HOME": "/"]),
    ] {
      let place = try Workplace(names)
      for name in names {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)],
          ofItemAtPath: place.path("photos/\(name)"))
      }
      try place.recipe()
      let isFirst = jobs == "1"
      let script =
        "umask \(isFirst ? "022" : "077"); cd \(isFirst ? "/" : place.path("")); exec \"$@\""
      let result = try place.run(
        "recipe", "--jobs", jobs, "--report", place.path("photos/report.md"),
        environment: environment.merging(["SOURCE_DATE_EPOCH": "1700000000"]) { $1 },
        prefix: ["sh", "-c", script, "sh"])
      #expect(result.code == 0, "\(result.messages)")
      trees.append(try place.snapshot().compactMapValues(\.bytes))
    }
    #expect(trees[0].count == 5 * 3 + 1)
    #expect(trees[0] == trees[1])
  }
}
