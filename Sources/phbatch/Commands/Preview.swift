import ArgumentParser
import Notation
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import PhotoReports
import SystemPackage

struct Preview: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Show the result of a recipe for photos, before any file is written.",
    discussion: """
      Writes one HTML page, with each photo before and after and every output, or a PNG sheet with \
      the current output. The page needs only a browser. The photos' folders are only read.
      """)

  /// The default longer edge of a picture in pixels, half the width of a usual high-density screen.
  static let standardSize = 1200

  @Argument(help: "The recipe, a JSON file.", completion: .file(extensions: ["json"]))
  var recipe: String

  @Argument(
    help: "Photos, or folders of photos; without an extension, a raw photo and its JPEG.",
    completion: .file())
  var photos: [String]

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The page (.html) or sheet (.png).", valueName: "file"))
  var output = "preview.html"

  @Option(
    help: ArgumentHelp(
      "The longer edge of the pictures, in pixels; some are up to 20 % smaller.",
      valueName: "pixels"))
  var size = standardSize

  @Option(help: "The number of photos rendered simultaneously; one per core by default.")
  var jobs: Int?

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp(
      "Set a parameter, or a setting of a step as step.setting.", valueName: "key=value"))
  var assignments: [String] = []

  @OptionGroup var limits: LimitOptions

  @Flag(help: "Allow the recipe to run other programs.")
  var allowExternal = false

  @Flag(help: "Replace the file even if phbatch did not write it.")
  var yes = false

  func validate() throws {
    try Usage.check(!photos.isEmpty, "give a photo, or a folder of photos")
    try Usage.check((64...4096).contains(size), "--size must be 64 to 4096")
    try Usage.check("--jobs", jobs, isAtLeast: 1)
  }

  func run() async throws {
    var options = BatchOptions()
    options.jobs = jobs
    options.assignments = try assignments.map { try Assignment(argument: $0) }
    options.allowsExternal = allowExternal
    limits.apply(to: &options)
    let writer = try PreviewWriter(FilePath(output), mayReplace: yes)
    let document = try RecipeDocument(contentsOf: FilePath(recipe))
    let previews = try NamedPreviews(
      document, photos.map { FilePath($0) }, edge: size, options: options)
    let recipe = try document.recipe(assignments: options.assignments).recipe
    let report = try await Interruption.handling { try await previews.report() }
    try await writer.write(report, of: recipe)
    let code = report.exitCode
    if code != .success { throw code }
  }
}

/// Writes rendered previews to the page or sheet that the user named.
struct PreviewWriter {
  private let file: PreviewFile
  private let name: String

  init(_ path: FilePath, mayReplace: Bool) throws {
    file = try PreviewFile(path, mayReplace: mayReplace)
    name = path.string
  }

  func write(_ report: PreviewReport, of recipe: Recipe) async throws {
    switch file.kind {
    case .page: try file.write(PreviewPage(report, of: recipe).bytes)
    case .sheet: try file.write(try await PreviewSheet(report).bytes())
    }
    let count = report.photos.count
    Message.result("wrote \(name): \(count.counting("photo"))")
    for photo in report.photos { Self.tellObstacle(of: photo) }
    if report.more > 0 {
      Message.say(
        "\(report.more == 1 ? "1 more photo is" : "\(report.more) more photos are") not in the preview, which shows at most"
          + " \(PreviewReport.most)"
      )
    }
  }

  /// Prints why a photo has no pictures, or why a run would not render it.
  private static func tellObstacle(of photo: PhotoPreview) {
    let outcome = photo.outcome
    if outcome.reason.outcome != .fine {
      Message.say(RunReporter.line(outcome))
      if let hint = outcome.hint { Message.say("  hint: \(hint)") }
    } else if let failure = photo.failure {
      Message.say("\(photo.path.displayed): no pictures (\(failure))")
    }
  }
}
