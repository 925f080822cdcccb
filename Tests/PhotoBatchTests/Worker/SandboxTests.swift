import Foundation
import Notation
import PhotoRecipes
import PhotoRender
import SystemPackage
import TestSupport
import Testing

@testable import PhotoBatch

/// The sandbox of a worker.
///
/// The tests make calls inside the sandbox that it must refuse.
@Suite struct SandboxTests {
  private static let allowed: Set<String> = [
    "whole", "read the fonts' configuration", "make a scratch file", "remove a scratch file",
    "read the original", "signal itself",
  ]

  @Test(.enabled(if: Machine.isWhole)) func aSandboxedWorkerCanOnlyAccessItsScratchFolder() throws {
    let folder = try TemporaryFolder()
    let result = try Stub.run(["probe", folder.path.string])
    var answers: [String: String] = [:]
    for line in result.split(separator: "\n") {
      let parts = line.split(separator: ":")
      answers["\(parts[0])"] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    #expect(answers.count == 23, "every attempt was made")
    for (attempt, answer) in answers {
      #expect(answer == (Self.allowed.contains(attempt) ? "done" : "refused"), "\(attempt)")
    }
    #expect(try folder.files() == [])
  }

  @Test(.enabled(if: Machine.isWhole)) func aWorkerReportsThatItsSandboxIsComplete() throws {
    let worker = WorkerProcess(executable: Command.executable)
    let sandbox = try worker.sandbox()
    #expect(sandbox.isWhole)
    #expect(sandbox.landlock >= 1)
    #expect(Sandbox(sandbox.json) == sandbox)
    #expect(Sandbox(JSON.object([:])).lacking.count == 4)
  }

  /// A worker that cannot be sandboxed is refused only with --require-sandbox.
  @Test(.enabled(if: Machine.isWhole)) func aWorkerWithoutASandboxIsRefusedOnlyWithRequireSandbox()
    async throws
  {
    let place = try Library(["a.jpg"])
    var options = BatchOptions()
    options.requiresSandbox = true
    options.workerExecutable = Command.executable
    #expect(try await place.reasons(options) == ["a.jpg": .rendered])
    options.workerExecutable = try Stub.script("hang", in: place.folder)
    await #expect(throws: SandboxMissing.self) { try await place.reasons(options) }
    let error = SandboxMissing(Sandbox())
    #expect(ExitCode(error) == .noPermission)
    #expect(error.message.contains("no Landlock, no seccomp"))
  }

  /// A sandboxed worker draws text exactly as a process without a sandbox does.
  ///
  /// Without access to the system's fonts, text would be drawn in another size, and no error would
  /// occur.
  @Test func aSandboxedWorkerDrawsTextLikeAProcessWithoutASandbox() async throws {
    let place = try Library(["a.png"])
    let recipe = """
      {"identifier": "org.example.text", "version": "1.0.0", "variant": "web",
       "filters": [{"filter": "text", "content": "Ångström & 東京", "size": 0.3, "shadow": "#000"}],
       "outputs": [{"name": "web", "format": "png", "metadata": "none"}]}
      """
    try place.folder.write(recipe, to: "recipe.json")
    var options = BatchOptions()
    options.workerExecutable = Command.executable
    #expect(try await place.reasons(options) == ["a.png": .rendered])
    let document = try RecipeDocument(contentsOf: place.folder["recipe.json"])
    let outside = open(place.folder["outside.png"].string, O_CREAT | O_RDWR, 0o600)
    defer { close(outside) }
    let renderer = Renderer(try document.recipe(assignments: []).recipe)
    _ = try renderer.render(
      .bytes(try place.folder.read("photos/a.png")), into: ["web": outside])
    #expect(try place.folder.read("photos/a.web.png") == place.folder.read("outside.png"))
    #expect(
      try place.folder.read("photos/a.web.png") != place.folder.read("photos/a.png"),
      "something is drawn")
  }

  @Test func theSetupOfAWorkerIsEncodedAsJSONWithoutLoss() throws {
    var setup = WorkerSetup(scratch: "/var/tmp/x y", needsFonts: true)
    setup.addressSpace = 1 << 40
    setup.openFiles = 7
    #expect(WorkerSetup(setup.json) == setup)
    #expect(WorkerSetup(JSON.object([:])) == nil)
  }

  @Test func aScratchFolderIsRemovedWithItsContentAfterUse() throws {
    var scratch: ScratchFolder? = try ScratchFolder()
    let path = try #require(scratch?.path)
    try Data("left".utf8).write(to: URL(filePath: "\(path)/file"))
    #expect(FileManager.default.fileExists(atPath: path))
    scratch = nil
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}

/// True if this machine supports the whole sandbox.
enum Machine {
  static var isWhole: Bool {
    let worker = WorkerProcess(executable: Command.executable)
    if (try? worker.sandbox().isWhole) == true { return true }
    print("SKIPPED: this kernel has no Landlock or no seccomp")
    return false
  }
}
