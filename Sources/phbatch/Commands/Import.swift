import ArgumentParser
import Notation
import PhotoBatch
import PhotoImport
import PhotoLibrary
import PhotoRecipes
import SystemPackage

struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Turn another program's settings into a recipe.",
    discussion: """
      Reads .AAE files of Photos, .xmp files of Lightroom, Camera Raw and darktable, .pp3 files of \
      RawTherapee, ASC CDL files (.cc, .ccc, .cdl), and the settings that Lightroom and Camera \
      Raw have written into a photo, such as a .dng. Lists all settings that the recipe only \
      approximates or cannot reproduce.
      """)

  @Argument(
    help: "The other program's file, or a photo with its settings.",
    completion: .file(extensions: ["aae", "xmp", "pp3", "cc", "ccc", "cdl", "dng"]))
  var file: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write. Without this option, the recipe is written to stdout.",
      valueName: "recipe"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "The recipe's identifier; derived from the file's name if left out.", valueName: "id"))
  var identifier: String?

  @Option(help: "What to print: text, or the notes and the recipe as json.")
  var format = OutputFormatOption.text

  @Flag(help: "Replace the recipe's file if it exists.")
  var yes = false

  func run() throws {
    let place = FilePath(file)
    let name = place.lastComponent?.string ?? file
    let settings = try SettingsFile(place)
    let imported: ImportedRecipe
    do throws(ForeignFileError) {
      imported = try PhotoImport.Import.recipe(
        from: settings.bytes, named: name, identifier: identifier ?? Self.identifier(for: name),
        photo: settings.photo)
    } catch {
      throw UnreadableImport(file: file, error: error)
    }
    // Checks that the recipe from the imported file is valid.
    _ = try RecipeDocument(SourceText(name: output ?? "recipe", text: imported.text)) {
      file throws(Problem) in throw .missingFile(file.path)
    }.recipe()
    for note in imported.notes where format == .text { Message.say("\(note)") }
    if let output { try NewFile(path: FilePath(output), replaces: yes).write(imported.text) }
    switch format {
    case .json: Message.document(imported.json.canonicalText)
    case .text where output == nil: Message.document(imported.text)
    case .text:
      Message.result("wrote \(output ?? ""): \(imported.filters.count.counting("filter"))")
    }
  }

  /// Returns the recipe identifier for an imported file: `org.example.imported.img-1234` for
  /// `IMG_1234.AAE`.
  private static func identifier(for name: String) -> String {
    let stem = FilePath.Component(name)?.stem ?? name
    let words = stem.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let slug = words.joined(separator: "-").prefix(80)
    return "org.example.imported.\(slug.isEmpty ? "recipe" : slug)"
  }
}

/// The error that another program's file cannot be imported.
private struct UnreadableImport: CommandError {
  let file: String
  let error: ForeignFileError

  var message: String { "'\(file)': \(error.message)" }
  var hint: String { error.hint }
  var code: PhotoBatch.ExitCode { PhotoBatch.ExitCode(error) }
}
