import Foundation
import Glibc
import TestRandom
import TestSupport
import Testing

/// A run with the index must have the same outcome as a run without it.
@Suite struct IndexTests {
  /// A path template of renditions; with `isMirror`, they are written to a separate output root.
  struct Layout: Sendable, CustomTestStringConvertible {
    var name: String
    var path: String?
    var isMirror = false

    var testDescription: String { name }
  }

  static let layouts = [
    Layout(name: "beside", path: nil), Layout(name: "subfolder", path: "web/{name}.{ext}"),
    Layout(name: "root", path: "{root}/all/{name}.{ext}"),
    Layout(name: "mirror", path: nil, isMirror: true),
  ]

  @Test(arguments: zip(layouts, UInt64(1)...4))
  func afterRandomChangesARunWithTheIndexEqualsARunWithoutIt(
    _ layout: Layout, _ seed: UInt64
  ) throws {
    var story = try Story(layout, seed)
    for step in 0..<(TestVolume.isWhole ? 14 : 6) {
      let change = try story.change()
      try story.compareDecisions("step \(step), \(change)")
      if step % 3 == 2 { try story.compareRuns("run after step \(step)") }
    }
  }

  @Test func aRunWithACompleteIndexWritesNothing() throws {
    let place = try Workplace(["a.jpg", "b/c.jpg", "b/text.txt"].filter { $0.hasSuffix("jpg") })
    try place.recipe()
    #expect(try place.run().code == 0)
    // The timestamps of the files that the first run wrote are too recent to trust, so the second
    // run reads the files.
    #expect(try place.run().code == 0)
    let before = try place.snapshot()
    let index = try #require(FileFacts(place.path("photos/.phbatch/index")))
    let result = try place.run()
    #expect(result.code == 0)
    #expect(result.lines == ["2 up-to-date"])
    #expect(try place.snapshot() == before)
    #expect(FileFacts(place.path("photos/.phbatch/index")) == index)
  }

  /// If all files are in the index, a run opens no photo, rendition or sidecar.
  @Test(.enabled(if: Tracer.isPossible)) func aRunWithACompleteIndexOpensNoPhotoRenditionOrSidecar()
    throws
  {
    let place = try Workplace(["a.jpg", "b/c.jpg"])
    try place.recipe()
    for _ in 0..<2 { #expect(try place.run().code == 0) }
    let trace = place.path("trace")
    let tracer = Tracer.prefix("open,openat,openat2", to: trace)
    let result = try place.run(prefix: tracer)
    #expect(result.code == 0)
    let calls = try String(contentsOfFile: trace, encoding: .utf8)
    #expect(calls.contains("index"))
    #expect(!calls.contains(".jpg"))
    let verifying = try place.run("recipe", "--verify", prefix: tracer)
    #expect(verifying.code == 0)
    #expect(try String(contentsOfFile: trace, encoding: .utf8).contains("a.web.jpg\""))
  }

  @Test func aDamagedIndexDoesNotChangeTheResultOfARun() throws {
    let place = try Workplace(["a.jpg", "b/c.jpg"])
    try place.recipe()
    for _ in 0..<2 { #expect(try place.run().code == 0) }
    let index = try place.read(".phbatch/index")
    for damage in 0..<6 {
      var bytes = index
      switch damage % 3 {
      case 0: bytes[(damage * 7919) % bytes.count] ^= 16
      case 1: bytes.removeLast(damage * 31 % bytes.count)
      default: bytes = Array("another program's".utf8)
      }
      try place.folder.write(bytes, to: "photos/.phbatch/index")
      let (reasons, code) = try place.reasons()
      #expect(code == 0)
      #expect(reasons == ["a.jpg": "up-to-date", "b/c.jpg": "up-to-date"])
    }
    #expect(try place.read(".phbatch/index") == index)
  }

  /// A rendition that is rewritten within one tick of the clock is detected as changed, although
  /// its timestamps stay the same.
  @Test func aRenditionRewrittenWithinOneClockTickIsDetected() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe()
    #expect(try place.run().code == 0)
    for round in 0..<(TestVolume.isWhole ? 10 : 4) {
      var bytes = try place.read("a.web.jpg")
      bytes[bytes.count - 1] ^= 1
      try overwrite(place.path("photos/a.web.jpg"), bytes)
      #expect(try place.reasons("recipe").reasons == ["a.jpg": "modified"], "round \(round)")
      bytes[bytes.count - 1] ^= 1
      try overwrite(place.path("photos/a.web.jpg"), bytes)
      #expect(try place.reasons("recipe").reasons == ["a.jpg": "up-to-date"], "round \(round)")
    }
  }

  /// A changed file is detected even if its modification time was set back to the previous value.
  @Test func aChangedFileWithARestoredTimestampIsDetected() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe()
    for _ in 0..<3 { #expect(try place.run().code == 0) }
    let path = place.path("photos/a.web.jpg")
    let before = try #require(FileFacts(path))
    var bytes = try place.read("a.web.jpg")
    bytes[bytes.count - 1] ^= 1
    try overwrite(path, bytes)
    var times = [timeval(tv_sec: before.modified / 1_000_000_000, tv_usec: 0)]
    times.append(times[0])
    #expect(utimes(path, times) == 0)
    #expect(try place.reasons().reasons == ["a.jpg": "modified"])
  }

  @Test func theIndexRecordsTheResultsOfEachRecipeSeparately() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe("one", variant: "one", output: #""name": "one", "format": "jpeg""#)
    try place.recipe("two", variant: "two", output: #""name": "two", "format": "jpeg""#)
    for _ in 0..<3 {
      for recipe in ["one", "two"] { #expect(try place.run(recipe).code == 0) }
    }
    let index = try place.read(".phbatch/index")
    for recipe in ["one", "two", "one"] {
      #expect(try place.run(recipe).lines == ["1 up-to-date"])
    }
    #expect(try place.read(".phbatch/index") == index)
    #expect(try place.run("one", "--set", "exposure.stops=1", "--check").code == 2)
  }

  @Test(.enabled(if: Unprivileged.isPossible)) func checkSucceedsWithAReadOnlyStateFolder() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe()
    #expect(try place.run().code == 0)
    try Unprivileged.open(place)
    #expect(chmod(place.path("photos/.phbatch"), 0o500) == 0)
    defer { chmod(place.path("photos/.phbatch"), 0o700) }
    #expect(try place.run("recipe", "--check", prefix: Unprivileged.prefix).code == 0)
  }

  private func overwrite(_ path: String, _ bytes: [UInt8]) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }
}

/// A library to which random changes are made.
private struct Story {
  let place: Workplace
  let layout: IndexTests.Layout
  var random: SeededGenerator
  var photos: [String] = []
  var made = 0
  var stops = 0.5
  var policy: [String] = []

  init(_ layout: IndexTests.Layout, _ seed: UInt64) throws {
    self.layout = layout
    random = SeededGenerator(seed: seed)
    place = try Workplace([])
    for folder in ["", "a/", "a/", "a/b/", "c/"] { try addPhoto(in: folder) }
    try place.folder.write("no photo", to: "photos/a/notes.txt")
    try place.folder.write("a film", to: "photos/c/film.mov")
    try writeRecipe()
    try compareRuns("first run")
  }

  private func writeRecipe() throws {
    let path = layout.path.map { ", \"path\": \"\($0)\"" } ?? ""
    try place.recipe(stops: stops, output: "\"name\": \"web\", \"format\": \"jpeg\"\(path)")
  }

  private mutating func addPhoto(in folder: String) throws {
    made += 1
    let name = "\(folder)p\(made).jpg"
    // A byte after the picture, which can be changed without damage to the photo.
    let bytes = try SyntheticPhoto.jpeg(width: 24 + made, height: 16) + [UInt8(made)]
    try place.folder.write(bytes, to: "photos/\(name)")
    photos.append(name)
  }

  private var options: [String] {
    policy + (layout.isMirror ? ["--output", place.path("mirror")] : [])
  }

  private var outputs: String { layout.isMirror ? "mirror" : "photos" }

  /// Makes a random change, and describes it.
  mutating func change() throws -> String {
    let manager = FileManager.default
    let photo = photos.randomElement(using: &random) ?? "p1.jpg"
    let path = place.path("photos/\(photo)")
    let renditions = try place.folder.files().filter {
      $0.hasPrefix(outputs)
        && ($0.contains("/web/") || $0.contains("/all/") || $0.contains(".web."))
    }
    let rendition = renditions.randomElement(using: &random)
    let sidecar = "\(outputs)/\(photo).phbatch.json"
    switch Int.random(in: 0..<17, using: &random) {
    case 0:
      #expect(utimes(path, nil) == 0)
      return "touch \(photo)"
    case 1:
      try flip("photos/\(photo)")
      return "rewrite \(photo)"
    case 2:
      let name = photo.replacingOccurrences(of: "p", with: "r")
      guard name != photo else { return "nothing" }
      try manager.moveItem(atPath: path, toPath: place.path("photos/\(name)"))
      photos = photos.map { $0 == photo ? name : $0 }
      return "rename \(photo)"
    case 3:
      guard let rendition else { return "nothing" }
      try manager.removeItem(atPath: place.path(rendition))
      return "delete \(rendition)"
    case 4:
      guard let rendition else { return "nothing" }
      try flip(rendition)
      return "modify \(rendition)"
    case 5:
      guard var text = try? String(decoding: place.folder.read(sidecar), as: UTF8.self) else {
        return "nothing"
      }
      text = text.replacingOccurrences(of: "\"base\"", with: "\"x\": 1, \"base\"")
      try place.folder.write(text, to: sidecar)
      return "edit \(sidecar)"
    case 6:
      try? manager.removeItem(atPath: place.path(sidecar))
      return "delete \(sidecar)"
    case 7:
      guard manager.fileExists(atPath: place.path(sidecar)) else { return "nothing" }
      try place.folder.write("{", to: sidecar)
      return "damage \(sidecar)"
    case 8:
      try place.folder.write(
        try SyntheticPhoto.jpeg(width: 70 + made, height: 30), to: "photos/\(photo)")
      return "replace \(photo)"
    case 9:
      try place.folder.write(
        "[Version]\nVersion=346\n[Exposure]\nCompensation=1\n", to: "photos/\(photo).pp3")
      return "companion of \(photo)"
    case 10:
      stops += 0.25
      try writeRecipe()
      return "recipe \(stops)"
    case 11:
      policy =
        [
          [], ["--on-modified", "overwrite"], ["--on-foreign", "ignore"], ["--previous", "skip"],
          ["--accept-changed"],
        ].randomElement(using: &random) ?? []
      return "options \(policy)"
    case 12:
      let folder = ["", "a/", "a/b/", "c/", "new/"].randomElement(using: &random) ?? ""
      try addPhoto(in: folder)
      return "add \(photos.last ?? "")"
    case 13:
      try place.folder.write("p2*\n", to: "photos/a/.phbatchignore")
      return "ignore"
    case 14:
      try? manager.removeItem(atPath: place.path("photos/a/.phbatchignore"))
      return "ignore nothing"
    case 15:
      let result = try Command.run([
        "revert", layout.isMirror ? place.path("mirror/\(photo)") : path, "--variant", "web",
      ])
      #expect(result.code != 64, "\(result.messages)")
      return "revert \(photo): \(result.code)"
    default:
      guard let rendition else { return "nothing" }
      // A run may treat this copy of a rendition as a photo.
      try manager.copyItem(
        atPath: place.path(rendition), toPath: place.path("photos/c/copy\(made).jpg"))
      made += 1
      return "copy \(rendition)"
    }
  }

  /// Changes the last byte without replacing the file.
  private func flip(_ name: String) throws {
    var bytes = try place.folder.read(name)
    bytes[bytes.count - 1] ^= 1
    let file = try FileHandle(forWritingTo: URL(filePath: place.path(name)))
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }

  private func outcomes(_ library: String, _ arguments: [String]) throws -> [String] {
    let result = try Command.run(
      ["run", place.path("recipe.json"), library, "--format", "json"] + arguments,
      environment: ["SOURCE_DATE_EPOCH": "1700000000"])
    return try result.events.filter { $0["event"] as? String != "asset-start" }.map { event in
      // Photos may finish in any order, so sequence numbers are not compared.
      let facts = event.filter { $0.key != "seq" }
      let data = try JSONSerialization.data(withJSONObject: facts, options: .sortedKeys)
      return String(decoding: data, as: UTF8.self)
    }.sorted()
  }

  func compareDecisions(_ what: String) throws {
    let known = try outcomes(place.library, options + ["--dry-run"])
    let fresh = try outcomes(place.library, options + ["--dry-run", "--verify"])
    #expect(known == fresh, "\(layout.name), \(what)")
    #expect(known.contains { $0.contains("asset-done") }, "\(layout.name), \(what)")
  }

  /// Runs over the library, and over a copy of it without an index.
  mutating func compareRuns(_ what: String) throws {
    let manager = FileManager.default
    let copy = place.path("copy")
    try? manager.removeItem(atPath: copy)
    #expect(try shell("cp", "-a", place.library, copy) == 0)
    try? manager.removeItem(atPath: copy + "/.phbatch/index")
    let mirror = place.path("mirror-copy")
    if layout.isMirror {
      try? manager.removeItem(atPath: mirror)
      if manager.fileExists(atPath: place.path("mirror")) {
        #expect(try shell("cp", "-a", place.path("mirror"), mirror) == 0)
        try? manager.removeItem(atPath: mirror + "/.phbatch/index")
        try? manager.removeItem(atPath: mirror + "/.phbatch/library")
        try? manager.removeItem(atPath: mirror + "/.phbatch/run.lock")
        try Data((copy + "\n").utf8).write(to: URL(filePath: mirror + "/.phbatch/library"))
      }
    }
    let known = try outcomes(place.library, options)
    let fresh = try outcomes(copy, policy + (layout.isMirror ? ["--output", mirror] : []))
    #expect(known == fresh, "\(layout.name), \(what)")
    #expect(
      try contents(outputs) == contents(layout.isMirror ? "mirror-copy" : "copy"),
      "\(layout.name), \(what)")
    // Sometimes another run follows, after which the index trusts all files.
    if Bool.random(using: &random) { _ = try outcomes(place.library, options) }
  }

  private func contents(_ name: String) throws -> [String: [UInt8]] {
    try place.snapshot(below: name).compactMapValues(\.bytes)
  }

  private func shell(_ words: String...) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
