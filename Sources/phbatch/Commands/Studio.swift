import ArgumentParser
import Glibc
import PhotoBatch
import PhotoRecipes
import PhotoStudio
import SystemPackage

struct StudioCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio",
    abstract: "Edit a recipe, or single photos, with sliders in the browser.",
    discussion: """
      Opens a page that shows the photos as the recipe edits them. The recipe and the photos' \
      sidecars are written only by Save and Done. They write the values of the recipe that changed, \
      and photos' own settings in their sidecars. Until then, changes are kept in a draft in the \
      folder .phbatch, so that a crash does not lose them. The page is served to this machine only, \
      and needs no network.
      """)

  @Argument(help: "The recipe, a JSON file.", completion: .file(extensions: ["json"]))
  var recipe: String

  @Argument(help: "The folder of photos.", completion: .directory)
  var library: String

  @Option(help: "The port on 127.0.0.1; a free one by default.")
  var port = 0

  @Flag(help: "Print the page's address instead of opening a browser.")
  var noBrowser = false

  @Flag(help: "Save nothing, and start no run.")
  var readOnly = false

  @Option(help: "Write sidecars and renditions below this folder, which mirrors the library.")
  var output: String?

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp(
      "Set a parameter, or a setting of a step as step.setting.", valueName: "key=value"))
  var assignments: [String] = []

  @OptionGroup var limits: LimitOptions

  @Flag(help: "Allow the recipe to run other programs.")
  var allowExternal = false

  func validate() throws {
    try Usage.check((0...65_535).contains(port), "--port must be 0 to 65535")
  }

  func run() async throws {
    var batch = limits.options
    batch.assignments = try assignments.map { try Assignment(argument: $0) }
    batch.allowsExternal = allowExternal
    batch.output = output.map { FilePath($0) }
    batch.command = "studio"
    let options = StudioSession.Options(
      recipe: FilePath(recipe), library: FilePath(library), batch: batch, isReadOnly: readOnly)
    let studio: Studio
    do { studio = try Studio(options, port: port) } catch let error as Errno {
      throw MissingInput(
        "port \(port) cannot be used: \(error)", hint: "give another --port, or none")
    }
    try await Interruption.handling {
      try await Self.serve(studio, opensBrowser: !noBrowser)
    }
  }

  /// Serves the page until the user ends it, or the task is cancelled.
  private static func serve(_ studio: Studio, opensBrowser: Bool) async throws {
    let invitation = opensBrowser ? try? Invitation(to: studio.address) : nil
    if let invitation, Browser.open(invitation.path) {
      Message.say("the studio is open in the browser; Ctrl-C ends it")
    } else {
      Message.result(studio.address)
      Message.say("open this address in a browser; Ctrl-C ends the studio")
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        studio.serve { continuation.resume() }
      }
    } onCancel: {
      studio.stop()
    }
    invitation?.remove()
    try Task.checkCancellation()
  }
}
