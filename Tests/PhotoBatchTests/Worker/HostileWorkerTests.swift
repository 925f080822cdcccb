import Foundation
import Glibc
import Notation
import PhotoRecipes
import SystemPackage
import TestSupport
import Testing

@testable import PhotoBatch

/// Workers that crash, hang or use too much memory.
///
/// Each makes only its own photo fail.
@Suite struct HostileWorkerTests {
  /// The options of a run with a worker that misbehaves.
  ///
  /// The tests' own process is the coordinator of the run, so its memory counts, and other tests make
  /// it large. The limit for a worker that takes all memory leaves 200 MB beside it.
  private static func options(
    _ role: String, once: Bool = false, _ place: Library
  ) throws -> BatchOptions {
    var options = BatchOptions()
    options.jobs = 1
    let own = ProcessMemory.proportionalSize(of: getpid()) ?? 0
    options.memory = role == "eat" ? own + (200 << 20) : 64 << 30
    options.timeout = .seconds(role == "hang" ? 3 : 120)
    options.workerExecutable = try Stub.script(role, once: once, in: place.folder)
    return options
  }

  @Test(
    arguments: [
      ("crash", .decoderCrash, "signal 11"), ("leave", .decoderCrash, "code 9"),
      ("vanish", .outOfMemory, "signal 9"), ("hang", .timeout, "more than 3 seconds"),
      ("eat", .outOfMemory, "needed more memory than"), ("claim", .outOfMemory, "refused: true"),
    ] as [(String, Reason, String)])
  func aFailureOfTheWorkerFailsThePhotoAndIsRememberedForIt(
    _ role: String, _ reason: Reason, _ words: String
  ) async throws {
    let place = try Library(["a.jpg"])
    let options = try Self.options(role, place)
    let first = try #require(try await place.run(options).first)
    #expect(first.reason == reason)
    #expect(first.detail?.contains(words) == true, "\(first.detail ?? "")")
    let files = try place.folder.files()
    #expect(files.contains("photos/.phbatch/poison"))
    #expect(!files.contains { $0.contains("a.jpg.") || $0.contains("a.web") })

    // The second run reports the stored failure. It asks the stub worker only for the libvips
    // version; the stub answers `stub`.
    let second = try #require(try await place.run(options).first)
    #expect(second.reason == reason)
    #expect(second.detail?.hasSuffix("(result of an earlier run)") == true)
    #expect(second.hint == "use --refresh to try it again")
  }

  /// If a worker crashes once, the photo is rendered by a second worker.
  @Test(arguments: ["crash", "vanish", "leave"])
  func aPhotoIsRenderedByASecondWorkerAfterAWorkerFails(_ role: String) async throws {
    let place = try Library(["a.jpg", "b.jpg", "c.jpg"])
    let options = try Self.options(role, once: true, place)
    let reasons = try await place.reasons(options)
    #expect(reasons == ["a.jpg": .rendered, "b.jpg": .rendered, "c.jpg": .rendered])
    #expect(try !place.folder.files().contains("photos/.phbatch/poison"))
  }

  /// If the decoder crashes on a raw photo twice, its JPEG is rendered where the recipe allows it.
  @Test(.enabled(if: Corpus.isHere), arguments: [true, false])
  func aRawPhotoThatCrashesTheDecoderFallsBackToItsPreview(_ fallsBack: Bool) async throws {
    let path = try #require(Corpus.files(below: "raw").first { $0.hasSuffix("/canon-30d.cr2") })
    let place = try Library([])
    try place.folder.write([UInt8](Data(contentsOf: URL(filePath: path))), to: "photos/a.cr2")
    try place.folder.write(
      """
      {"identifier": "org.example.raw", "version": "1.0.0",
       "inputs": {"raw": {"fallback": "\(fallsBack ? "preview" : "none")"}},
       "outputs": [{"name": "web", "format": "jpeg"}]}
      """, to: "recipe.json")
    let found = try #require(
      try await place.run(Self.options("crash-twice", once: true, place)).first)
    #expect(found.reason == (fallsBack ? .rendered : .decoderCrash))
    let warning = found.warnings.first { $0.contains("the embedded JPEG is rendered instead") }
    #expect((warning != nil) == fallsBack, "\(found.warnings)")
  }

  /// If a worker crashes while it reads a photo's header, a second worker reads the header; a
  /// second crash is remembered as a failure of the photo.
  @Test(arguments: [true, false]) func aHeaderIsReadByASecondWorkerIfTheFirstCrashes(
    _ once: Bool
  ) async throws {
    let place = try Library(["a.jpg"], selecting: #"{"width": ">=100"}"#)
    let options = try Self.options("crash", once: once, place)
    #expect(try await place.reasons(options) == ["a.jpg": once ? .rendered : .decoderCrash])
    if once { return }
    let second = try #require(try await place.run(options).first)
    #expect(second.detail?.hasSuffix("(result of an earlier run)") == true)
  }

  /// A hanging worker is ended at its time limit; later photos get new workers.
  @Test func aPhotoThatMakesAWorkerHangIsNotTriedAgain() async throws {
    let place = try Library(["a.jpg", "b.jpg"])
    let options = try Self.options("hang", once: true, place)
    let reasons = try await place.reasons(options)
    #expect(reasons.values.filter { $0 == .timeout }.count == 1)
    #expect(reasons.values.filter { $0 == .rendered }.count == 1)
  }

  private static func writing(_ place: Library) throws {
    try place.folder.write(
      """
      {"identifier": "org.example.stub", "version": "1.0.0",
       "filters": [{"filter": "text", "content": "a"}],
       "outputs": [{"name": "web", "format": "jpeg"}]}
      """, to: "recipe.json")
  }

  /// If a worker fails while it checks a text of the recipe, the run reports the text, with its
  /// location and a hint.
  @Test(
    arguments: [
      ("crash", "crashed", "report a bug"), ("vanish", "out of memory", "raise --memory"),
      ("hang", "more than 3 seconds", "raise --timeout"),
      ("eat", "needed more memory than", "raise --memory"), ("claim", "refused: true", ""),
    ])
  func aTextOfTheRecipeThatNoWorkerCanCheckIsAnError(
    _ role: String, _ words: String, _ remedy: String
  ) async throws {
    let place = try Library(["a.jpg"])
    try Self.writing(place)
    let options = try Self.options(role, place)
    let error = await #expect(throws: InvalidDocument.self) { _ = try await place.run(options) }
    let text = "\(try #require(error))"
    #expect(text.contains("recipe.json:2:"), "\(text)")
    #expect(text.contains("the text \"a\" cannot be checked: "), "\(text)")
    #expect(text.contains(words), "\(text)")
    // In the role `claim`, the worker itself reports the failure; the hint is another one and is
    // not checked here.
    if !remedy.isEmpty { #expect(text.contains(remedy), "\(text)") }
  }

  /// If a worker crashes once while it checks a text, the recipe is not reported as invalid.
  @Test func theCheckOfATextIsRepeatedAfterOneCrashOfAWorker() async throws {
    let place = try Library(["a.jpg"])
    try Self.writing(place)
    let reasons = try await place.reasons(Self.options("crash", once: true, place))
    #expect(reasons == ["a.jpg": .rendered])
  }

  @Test func aRecipeThatNoWorkerCanCheckIsReportedAsUnchecked() async throws {
    let place = try Library(["a.jpg"])
    try Self.writing(place)
    var options = BatchOptions()
    options.workerExecutable = place.folder["none"].string
    let document = try RecipeDocument(contentsOf: place.folder["recipe.json"])
    let recipe = try document.recipe().recipe
    let error = await #expect(throws: UncheckedRecipe.self) {
      try await document.checkFiles(of: recipe, options: options)
    }
    #expect(error?.message.contains("no worker") == true)
  }

  /// The check of a recipe's texts and the run end as soon as they are stopped, although a worker
  /// does not answer.
  ///
  /// They are stopped before or after the worker has started.
  @Test(arguments: [false, true], [false, true])
  func theCheckOfARecipeEndsWhenTheRunIsStopped(_ waits: Bool, _ isCancelled: Bool) async throws {
    let place = try Library(["a.jpg"])
    try Self.writing(place)
    let batch = try Batch(
      recipe: place.folder["recipe.json"], library: place.folder["photos"],
      options: Self.options("linger", once: true, place))
    let run = Task { try await batch.run { _ in } }
    while try waits && !place.folder.files().contains("mark") {
      try await Task.sleep(for: .milliseconds(5))
    }
    if isCancelled { run.cancel() } else { batch.stop() }
    await #expect(throws: CancellationError.self) { _ = try await run.value }
    #expect(try !place.folder.files().contains("mark.outlived"))
  }

  /// The check of a recipe's texts by a watch, on the watch's own thread, also ends as soon as it
  /// is stopped.
  @Test(arguments: [false, true]) func theCheckOfARecipeEndsWhenTheWatchIsStopped(
    _ waits: Bool
  ) async throws {
    let place = try Library(["a.jpg"])
    try Self.writing(place)
    var options = WatchOptions()
    options.batch = try Self.options("linger", once: true, place)
    let watch = try Watch(
      recipe: place.folder["recipe.json"], library: place.folder["photos"], options: options)
    let run = Task { try await watch.run { _ in } }
    while try waits && !place.folder.files().contains("mark") {
      try await Task.sleep(for: .milliseconds(5))
    }
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(try !place.folder.files().contains("mark.outlived"))
  }

  @Test func aRememberedFailureIsDroppedForANewFileANewLibvipsOrRefresh() async throws {
    let place = try Library(["a.jpg"])
    var options = try Self.options("crash", place)
    #expect(try await place.reasons(options) == ["a.jpg": .decoderCrash])
    // The real worker has another libvips version than the stub, so the remembered failure does not
    // apply.
    options.workerExecutable = Command.executable
    #expect(try await place.reasons(options) == ["a.jpg": .rendered])

    // The remembered failure does not apply to another file at the same path.
    let other = try Library(["a.jpg"])
    options = try Self.options("crash", other)
    #expect(try await other.reasons(options) == ["a.jpg": .decoderCrash])
    try other.folder.write(try SyntheticPhoto.jpeg(width: 401, height: 300), to: "photos/a.jpg")
    let outcome = try #require(try await other.run(options).first)
    #expect(outcome.hint != "use --refresh to try it again")
    // The second run over the same photo uses the remembered failure, unless `--refresh` is set.
    #expect(try await other.run(options).first?.hint == "use --refresh to try it again")
    options.refreshes = true
    #expect(try await other.run(options).first?.hint != "use --refresh to try it again")
  }

  /// After a timeout or lack of memory, a photo is tried again with higher limits or other
  /// settings.
  @Test func aPhotoThatTimedOutIsTriedAgainWithAHigherLimit() throws {
    let entry = FailureCache.Entry(
      sha256: "0", size: 1, engine: "e", reason: .timeout, detail: "", settings: "s", limit: 120)
    #expect(entry.forbids("e", "s", [.timeout: 120]))
    #expect(entry.forbids("e", "s", [.timeout: 60]))
    #expect(!entry.forbids("e", "s", [.timeout: 121]))
    #expect(!entry.forbids("e", "other", [.timeout: 60]))
    #expect(!entry.forbids("other", "s", [.timeout: 60]))
    let crash = FailureCache.Entry(
      sha256: "0", size: 1, engine: "e", reason: .decoderCrash, detail: "")
    #expect(crash.forbids("e", "any", [:]))
  }
}
