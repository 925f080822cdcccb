import Foundation
import Glibc
import Notation
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import SystemPackage
import TestSupport
import Testing

@testable import PhotoStudio

/// Photos' own settings in an edit: where they are saved, undo, and the draft.
@Suite struct StudioSessionTests {
  private static let recipe = """
    {"identifier": "org.example.web", "version": "1.0.0",
     "parameters": {
       "mood": {"default": "warm", "choices": ["warm", "cold"]}, "light": {"default": 0.5},
       "look": {"default": "a.cube"}, "name": {"default": "x"}},
     "variant": "${mood}", "title": "${name}",
     "filters": [{"filter": "exposure", "stops": "${light}"}],
     "outputs": [{"name": "web", "format": "jpeg", "path": "{stem}.${mood}.{ext}"}]}
    """

  private let folder: TemporaryFolder
  private let photos = 4

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.recipe, to: "recipe.json")
    try FileManager.default.createDirectory(
      atPath: folder["photos"].string, withIntermediateDirectories: true)
    for number in 0..<photos {
      try folder.write(
        try SyntheticPhoto.jpeg(width: 60, height: 40), to: "photos/\(number).jpg")
    }
  }

  private func session(_ assignments: String...) throws -> StudioSession {
    var options = BatchOptions()
    options.workerExecutable = Command.executable
    options.assignments = try assignments.map { try Assignment(argument: $0) }
    return try StudioSession(
      StudioSession.Options(
        recipe: folder["recipe.json"], library: folder["photos"], batch: options))
  }

  /// Opens the studio after another one has ended and left a draft.
  ///
  /// A process that another test is starting can hold the draft's lock for a moment longer.
  private func reopened() throws -> StudioSession {
    for _ in 0..<200 {
      let session = try session()
      if session.foundDraft != nil || session.unreadableDraft != nil { return session }
      session.stop()
      usleep(50_000)
    }
    return try session()
  }

  /// Saves on a thread of its own, because a save may block threads of Swift's pool.
  private func save(_ session: StudioSession) async throws -> StudioSession.Saved {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try session.save() })
      }
    }
  }

  private func edit(_ key: String, _ value: JSON?, photos: [ClosedRange<Int>]?) -> Edit {
    var object = JSON.Object()
    object[value == nil ? "unset" : "set"] = .string(key)
    object["value"] = value
    let json = JSON.object(["operations": .array([.object(object)])])
    guard var edit = Edit(json) else { preconditionFailure("the edit is malformed") }
    edit.photos = photos
    return edit
  }

  private func sidecar(_ number: Int) throws -> String {
    String(decoding: try folder.read("photos/\(number).jpg.phbatch.json"), as: UTF8.self)
  }

  private func run(_ arguments: String...) throws -> CommandResult {
    try Command.run(["run", folder["recipe.json"].string, folder["photos"].string] + arguments)
  }

  @Test func ownSettingsAreSavedInTheStackThatARunUses() async throws {
    let session = try session("mood=cold")
    defer { session.stop() }
    try session.apply(edit("exposure.stops", .number(1), photos: [0...0]))
    #expect(try await save(session).photos == 1)
    #expect(session.unsaved.isEmpty)
    let saved = try sidecar(0)
    #expect(saved.contains(#""variant": "cold""#) && !saved.contains(#""variant": "warm""#))
    #expect(try run("--set", "mood=cold").code == 0)
    let history = try Command.run(["history", folder["photos/0.jpg"].string])
    #expect(history.output.contains("exposure.stops = 1"), "\(history.output)")
    let sidecarAfter = try sidecar(0)
    #expect(
      sidecarAfter.components(separatedBy: #""formatIdentifier""#).count == 2,
      "the run resumes the edit that has the settings")
  }

  @Test func aRecipeKeepsItsPermissionsAndIsNotWrittenIfItIsReadOnly() async throws {
    let session = try session()
    defer { session.stop() }
    let path = folder["recipe.json"].string
    func mode() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    chmod(path, 0o640)
    try session.apply(edit("light", .number(1), photos: nil))
    _ = try await save(session)
    #expect(try mode() == 0o640)
    chmod(path, 0o440)
    let before = try folder.read("recipe.json")
    try session.apply(edit("light", .number(2), photos: nil))
    await #expect(throws: (any Error).self) { _ = try await save(session) }
    #expect(try folder.read("recipe.json") == before && mode() == 0o440)
    #expect(session.unsaved.recipe)
  }

  @Test func ownSettingsFollowAChangeOfTheVariantInTheRecipe() async throws {
    let session = try session()
    defer { session.stop() }
    try session.apply(edit("exposure.stops", .number(1), photos: [0...0]))
    _ = try await save(session)
    try session.apply(edit("mood", .string("cold"), photos: nil))
    #expect(session.own(0, in: session.now) == JSON.Object(), "the other stack has no settings")
    try session.apply(edit("exposure.stops", .number(2), photos: [0...0]))
    #expect(session.unsaved.photos == 1)
    _ = try await save(session)
    #expect(session.unsaved.isEmpty)
    let saved = try sidecar(0)
    #expect(saved.contains(#""variant": "cold""#) && saved.contains(#""variant": "warm""#))
    try session.apply(edit("exposure.stops", .number(3), photos: [1...1]))
    #expect(session.labels.undo == "Change for 1.jpg")
    for _ in 0..<3 { try session.undo() }
    #expect(session.own(0, in: session.now)["exposure.stops"] == .integer(1))
    #expect(session.own(1, in: session.now) == JSON.Object())
    #expect(session.unsaved.photos == 0 && session.unsaved.recipe)
    for _ in 0..<3 { try session.redo() }
    #expect(session.own(0, in: session.now)["exposure.stops"] == .integer(2))
    #expect(session.own(1, in: session.now)["exposure.stops"] == .integer(3))
  }

  @Test func photosThatHadTheNewValueDoNotCount() throws {
    let session = try session()
    defer { session.stop() }
    #expect(try session.apply(edit("exposure.stops", .number(1), photos: [1...2])) == 2)
    #expect(try session.apply(edit("exposure.stops", .number(1), photos: [0...3])) == 2)
    #expect(try session.apply(edit("exposure.stops", .number(1), photos: [0...3])) == 0)
    #expect(try session.apply(edit("light", .number(1), photos: nil)) == 0)
    #expect(throws: Refusal.self) {
      try session.apply(edit("exposure.stops", .string("x"), photos: [0...1]))
    }
  }

  @Test func undoTakesBackSavedOwnSettings() async throws {
    let session = try session()
    defer { session.stop() }
    try session.apply(edit("exposure.stops", .number(1), photos: [0...1]))
    #expect(session.labels.undo == "Change")
    _ = try await save(session)
    #expect(session.unsaved.isEmpty)
    try session.undo()
    #expect(session.unsaved.photos == 2)
    #expect(session.own(0, in: session.now) == JSON.Object())
    #expect(session.touchedOwn(atMost: 10)?[1] == JSON.Object(), "the page gets the values")
    #expect(session.touchedOwn(atMost: 1) == nil)
    _ = try await save(session)
    #expect(try !sidecar(0).contains("exposure.stops"))
    try session.redo()
    #expect(session.unsaved.photos == 2)
    try session.undo()
    #expect(session.unsaved.isEmpty)
  }

  @Test func aChangeWithoutEffectIsNoStepOfUndo() throws {
    let session = try session("light=1")
    defer { session.stop() }
    try session.apply(edit("mood", .string("warm"), photos: nil))
    #expect(session.labels.undo == nil)
    for (key, photos) in [("light", [0...0]), ("light", nil), ("name", [0...0])] {
      #expect(throws: Refusal.self) {
        try session.apply(edit(key, .string("y"), photos: photos))
      }
    }
    #expect(session.unsaved.isEmpty)
  }

  @Test func anEndedEditTakesNoChangesAndKeepsNoDraft() async throws {
    let session = try session()
    defer { session.stop() }
    let change = edit("exposure.stops", .number(1), photos: [0...0])
    try session.apply(change)
    #expect(FileManager.default.fileExists(atPath: folder["photos/.phbatch/studio"].string))
    try session.end(discardsChanges: true)
    let refused: [() throws -> Void] = [
      { try session.apply(change) }, { try session.undo() }, { try session.redo() },
      { _ = try session.continueDraft() },
      { try session.discardDraft() },
    ]
    for call in refused {
      let error = #expect(throws: Refusal.self) { try call() }
      #expect(error?.status == 409)
    }
    let error = await #expect(throws: Refusal.self) { _ = try await save(session) }
    #expect(error?.status == 409)
    session.keepDraft()
    #expect(!FileManager.default.fileExists(atPath: folder["photos/.phbatch/studio"].string))
  }

  /// Each change adds a line to the draft; it has what is unsaved, and nothing else.
  @Test func theDraftHasWhatIsUnsaved() async throws {
    var first: StudioSession? = try session()
    let long = String(repeating: "x", count: 60)
    try first?.apply(edit("exposure.stops", .number(1), photos: [0...3]))
    try first?.apply(edit("exposure.stops", .number(2), photos: [1...1]))
    try first?.apply(edit("exposure.stops", nil, photos: [2...2]))
    try first?.apply(edit("name", .string(long), photos: nil))
    first?.stop()
    first = nil
    let second = try reopened()
    defer { second.stop() }
    let draft = try #require(second.foundDraft)
    #expect(draft.own.keys.sorted() == ["0.jpg", "1.jpg", "3.jpg"])
    #expect(draft.own["1.jpg"]?["exposure.stops"] == .integer(2))
    #expect(String(decoding: draft.text, as: UTF8.self).contains(long))
    #expect(try second.continueDraft() == 0)
    #expect(second.unsaved.photos == 3 && second.unsaved.recipe)
    _ = try await save(second)
    #expect(!FileManager.default.fileExists(atPath: folder["photos/.phbatch/studio"].string))
  }

  /// Save drops unsaved settings whose step was removed, or whose parameter has lost its last use,
  /// and undo brings them back.
  @Test func settingsThatTheRecipeNoLongerUsesDoNotPreventSaving() async throws {
    let session = try session()
    defer { session.stop() }
    try session.apply(edit("light", .number(1), photos: [0...2]))
    try session.apply(edit("exposure.stops", .number(2), photos: [1...1]))
    _ = try await save(session)
    try session.apply(edit("light", .number(2), photos: [0...1]))
    try session.apply(edit("light", .number(0), photos: [3...3]))
    try session.apply(edit("exposure.stops", .number(3), photos: [1...1]))
    try session.apply(edit("exposure.stops", .number(0.25), photos: nil))
    let saved = try await save(session)
    #expect(saved.recipe && saved.photos == 1)
    #expect(saved.dropped == ["light": 3])
    #expect(session.unsaved.isEmpty)
    #expect(try sidecar(1).contains(#""exposure.stops": 3"#))
    #expect(try sidecar(1).contains(#""light": 1"#), "a saved value stays")
    #expect(
      !FileManager.default.fileExists(atPath: folder["photos/3.jpg.phbatch.json"].string),
      "no sidecar is made for a value that is not saved")
    #expect(session.own(3, in: session.now) == JSON.Object())
    try session.undo()
    #expect(session.unsaved.photos == 3)
    #expect(session.own(3, in: session.now)["light"] == .integer(0))
    try session.undo()
    #expect(try await save(session).photos == 3, "with the recipe's use they can be saved")
    #expect(try sidecar(3).contains(#""light": 0"#))
    // A step that is removed.
    try session.apply(edit("exposure.opacity", .number(0.5), photos: [2...3]))
    let remove = JSON.object([
      "operations": .array([.object(["remove": .string("exposure")])])
    ])
    try session.apply(try #require(Edit(remove)))
    let second = try await save(session)
    #expect(second.dropped == ["exposure.opacity": 2] && second.photos == 0 && second.recipe)
    #expect(session.unsaved.isEmpty)
  }

  /// A photo that has a setting already does not allow others to get it, nor hides a second one.
  @Test func settingsThatNeedOtherFilesAreRefusedForEachPhoto() throws {
    let cube = "LUT_3D_SIZE 2\n" + String(repeating: "0.5 0.5 0.5\n", count: 8)
    for name in ["a.cube", "b.cube"] { try folder.write(cube, to: name) }
    try folder.write(
      Self.recipe.replacing(
        #""filters": ["#,
        with: """
          "filters": [{"filter": "lut", "file": "${look}"},
          {"filter": "lut", "id": "late", "file": "a.cube", "enabled": true},
          """), to: "recipe.json")
    for number in [0, 1] {
      let adjusted = try Command.run([
        "adjust", folder["photos/\(number).jpg"].string, "--library", folder["photos"].string,
        "--recipe", folder["recipe.json"].string, "--set", "look=a.cube",
      ])
      #expect(adjusted.code == 0, "\(adjusted.messages)")
    }
    // An older version stored settings that runs refuse now.
    let old = try sidecar(0).replacing(#""look": "a.cube""#, with: #""look": "b.cube""#)
    try folder.write(old, to: "photos/0.jpg.phbatch.json")
    let session = try session()
    defer { session.stop() }
    try session.apply(edit("exposure.stops", .number(1), photos: [0...0]))
    for photos in [[0...0], [0...1], [1...1]] {
      let error = #expect(throws: Refusal.self) {
        try session.apply(edit("late.file", .string("b.cube"), photos: photos))
      }
      #expect(error?.message.contains("'late.file' needs") == true, "\(error?.message ?? "")")
    }
    let error = #expect(throws: Refusal.self) {
      try session.apply(edit("look", .string("b.cube"), photos: [0...1]))
    }
    #expect(error?.message.contains("'look' needs") == true, "\(error?.message ?? "")")
    try session.apply(edit("look", nil, photos: [0...0]))
    try session.apply(edit("look", .string("a.cube"), photos: [0...1]))
  }

  /// A draft that cannot be read is named, and stays.
  @Test func aDamagedDraftIsNamed() throws {
    var first: StudioSession? = try session()
    try first?.apply(edit("exposure.stops", .number(1), photos: [0...0]))
    first?.stop()
    first = nil
    let state = folder["photos/.phbatch/studio"]
    let names = try FileManager.default.contentsOfDirectory(atPath: state.string)
    let name = try #require(names.first { $0.hasSuffix(".json") })
    try folder.write("damaged", to: "photos/.phbatch/studio/\(name)")
    let second = try reopened()
    defer { second.stop() }
    #expect(second.foundDraft == nil)
    let found = try #require(second.unreadableDraft)
    #expect(found.path.string == ".phbatch/studio/\(name).damaged" && found.isRenamed)
    try second.apply(edit("exposure.stops", .number(1), photos: [0...0]))
    #expect(second.draftProblem == nil, "the studio has a draft of its own")
    #expect(try folder.read("photos/.phbatch/studio/\(name).damaged") == Array("damaged".utf8))
  }

  @Test func aFailedSaveKeepsWhatIsNotSaved() async throws {
    let session = try session()
    defer { session.stop() }
    try session.apply(edit("exposure.stops", .number(1), photos: [0...2]))
    try folder.write("{", to: "photos/1.jpg.phbatch.json")
    let error = await #expect(throws: Refusal.self) { _ = try await save(session) }
    #expect(error?.message.contains("1.jpg: ") == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("0.jpg") == false)
    #expect(session.unsaved.photos == 1, "the others are saved")
    #expect(try sidecar(0).contains("exposure.stops"))
  }
}
