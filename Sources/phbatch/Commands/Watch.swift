import ArgumentParser
import Glibc
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import SystemPackage

struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Render a library with a recipe, and then every photo that is added or changed.",
    usage: """
      phbatch watch <recipe> <library> [<options>]
      phbatch watch --sync <library>
      """,
    discussion: """
      A file is read after it has not changed for --settle seconds and no program has it open for \
      writing. The watch reads the recipe again after SIGHUP or a change of its file. SIGINT and \
      SIGTERM end the watch after the current photos are published (exit codes 130 and 143). A \
      library can have several watches, but only one for each identifier and variant of a recipe \
      (exit code 75). Under systemd, the watch reports when it is ready and alive (Type=notify).
      """)

  private static let usualWait = 300

  @Argument(
    help: ArgumentHelp(
      "The recipe and the folder of photos; with --sync only the folder.", valueName: "path"))
  var paths: [String]

  @Flag(
    help: """
      Wait until the running watch has processed all earlier changes; exit code 75 if this takes \
      more than --wait seconds, 66 if no watch is running.
      """)
  var sync = false

  @Option(
    defaultAsFlag: Self.usualWait,
    help: ArgumentHelp(
      "The maximum wait of --sync; with this option, --sync also waits for a watch to start.",
      valueName: "seconds"))
  var wait: Int?

  @Option(help: ArgumentHelp("The time that a file must stay unchanged.", valueName: "seconds"))
  var settle = 2.0

  @Option(
    defaultAsFlag: 60,
    help: ArgumentHelp(
      "Scan all folders at this interval instead of using kernel events.",
      valueName: "seconds"))
  var poll: Double?

  @Option(
    help: ArgumentHelp(
      "Also scan all folders at this interval, in addition to kernel events.", valueName: "seconds")
  )
  var rescan = 3600.0

  @OptionGroup var rendering: RenderingOptions

  @Option(help: "The format of the results: text, or json with one event per line.")
  var format = OutputFormatOption.text

  @Option(help: "Whether to show the status in one line on the terminal: auto, bar (always), none.")
  var progress = StatusLineOption.auto

  @Flag(name: .shortAndLong, help: .quiet)
  var quiet = false

  func validate() throws {
    try Usage.check(
      paths.count == (sync ? 1 : 2),
      sync
        ? "--sync takes exactly one argument, the folder" : "give a recipe and a folder of photos")
    try Usage.check((0...3600).contains(settle), "--settle must be 0 to 3600 seconds")
    try Usage.check("--poll", poll, isAtLeast: 0.1)
    try Usage.check(rescan >= 1, "--rescan must be at least 1")
    try Usage.check("--wait", wait, isAtLeast: 0)
  }

  func run() async throws {
    if sync {
      let sync = try WatchSync(FilePath(paths[0]))
      return try await Interruption.handling {
        try await sync.run(
          atMost: .seconds(wait ?? Self.usualWait), waitsForWatch: wait != nil)
      }
    }
    let service = ServiceManager()
    let watch = try PhotoBatch.Watch(
      recipe: FilePath(paths[0]), library: FilePath(paths[1]), options: options(service))
    let printer = WatchPrinter(
      format: format, progress: progress, isQuiet: quiet, service: service)
    let hangups = try SignalListener([SIGHUP]) { _ in watch.reload() }
    defer {
      hangups.end()
      service.say("STOPPING=1")
    }
    try await Interruption.handling([SIGINT, SIGTERM]) {
      try await watch.run { printer.report($0) }
    }
  }

  private func options(_ service: ServiceManager) throws -> WatchOptions {
    var options = WatchOptions()
    options.batch = try rendering.options()
    options.batch.command = "watch \(paths[0])"
    options.settle = .seconds(settle)
    options.poll = poll.map { .seconds($0) }
    options.rescan = .seconds(rescan)
    options.pulse = service.pulse
    return options
  }
}
