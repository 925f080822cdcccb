import ArgumentParser
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The `adjust` command.
struct Adjust: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Give photos their own settings.",
    discussion: """
      The settings are stored in the sidecar and override those of the recipe, also of its later \
      versions. The next run renders them.

      EXAMPLES
        phbatch adjust a.jpg --set exposure.stops=0.7 --disable vignette
        phbatch adjust a.jpg --unset exposure.stops --focal-point 0.3,0.4
      """)

  @Argument(help: "Photos, or folders of photos.", completion: .file())
  var paths: [String]

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp("Set a step's setting.", valueName: "step.setting=value"))
  var assignments: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Use the recipe's value for a setting again.", valueName: "step.setting"))
  var unset: [String] = []

  @Option(parsing: .singleValue, help: ArgumentHelp("Disable a step.", valueName: "step"))
  var disable: [String] = []

  @Option(parsing: .singleValue, help: ArgumentHelp("Enable a step again.", valueName: "step"))
  var enable: [String] = []

  @Option(
    help: ArgumentHelp(
      "Crop to these fractions or pixels, in the recipe's step 'crop'; overrides its aspect ratio.",
      valueName: "left,top,width,height"))
  var crop: String?

  @Option(
    help: ArgumentHelp(
      "The point of interest, as fractions from the upper left; used by steps 'smartCrop' unless "
        + "their strategy is not focal; 'none' removes it.",
      valueName: "x,y"))
  var focalPoint: String?

  @Option(
    help: "The variant to change; the main stack, or a photo's only stack, if left out.")
  var variant: String?

  @Option(
    help: "The recipe whose edit is changed, even if it has not run yet.",
    completion: .file(extensions: ["json"]))
  var recipe: String?

  @OptionGroup var place: LibraryOption
  @OptionGroup var editing: EditingOptions

  func validate() throws {
    let lists = [assignments, unset, disable, enable]
    if lists.allSatisfy(\.isEmpty) && crop == nil && focalPoint == nil {
      throw ValidationError("nothing to change; use --set, --unset, --disable or --focal-point")
    }
  }

  func run() async throws {
    let change = try change()
    let (paths, library) = (paths.map { FilePath($0) }, place.path)
    try await editing.run("adjust") { editing, observe in
      try await editing.adjust(paths, library: library, change, observe)
    }
  }

  private func change() throws -> AdjustmentChange {
    var change = AdjustmentChange()
    change.assignments = try assignments.map { try Assignment(argument: $0) }
    change.assignments += try disable.map { try Assignment(argument: "\($0).enabled=false") }
    change.assignments += try enable.map { try Assignment(argument: "\($0).enabled=true") }
    change.assignments += try cropAssignments()
    change.unset = unset
    change.document = try recipe.map { try RecipeDocument(contentsOf: FilePath($0)) }
    change.variant = try variant ?? change.document?.recipe().recipe.variant
    change.focalPoint = try focalPointChange()
    return change
  }

  private func cropAssignments() throws -> [Assignment] {
    guard let crop else { return [] }
    let parts = crop.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 4 else {
      throw ValidationError("--crop needs four values, such as 0.1,0.1,0.8,0.8")
    }
    let edges = try zip(["left", "top", "width", "height"], parts).map { name, value in
      try Assignment(argument: "crop.\(name)=\(value)")
    }
    // The recipe's aspect ratio may contradict the given edges, so it is removed.
    return try edges + [Assignment(argument: "crop.aspect=null")]
  }

  private func focalPointChange() throws -> AdjustmentChange.FocalPointChange? {
    guard let focalPoint else { return nil }
    if focalPoint == "none" { return .remove }
    let numbers = focalPoint.split(separator: ",").compactMap { Double($0) }
    guard numbers.count == 2, numbers.allSatisfy((0...1).contains) else {
      throw ValidationError("--focal-point needs two numbers from 0 to 1, such as 0.3,0.4, or none")
    }
    return .set(Sidecar.FocalPoint(x: numbers[0], y: numbers[1]))
  }
}
