import ArgumentParser
import Notation
import PhotoBatch
import PhotoLibrary
import PhotoRecipes
import SystemPackage

struct Adjust: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adjust",
    abstract: "Give photos their own settings.",
    discussion: """
      The settings are stored in the sidecar and override those of the recipe, also of its later \
      versions. The next run renders them.

      EXAMPLES
        phbatch adjust a.jpg --set exposure.stops=0.7 --disable vignette
        phbatch adjust a.jpg --unset exposure.stops --focal-point 0.3,0.4
        phbatch adjust b.jpg c.jpg --from a.jpg --only exposure,crop
        phbatch adjust a.jpg --list
      """)

  @Argument(
    help: "Photos, or folders of photos; without an extension, a raw photo and its JPEG.",
    completion: .file())
  var paths: [String]

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp(
      "Set a step's setting, or with --recipe a parameter of the recipe.",
      valueName: "step.setting=value"))
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
      "Crop to these fractions or pixels, in the recipe's step 'crop', which is enabled if it is "
        + "off; overrides its aspect ratio.",
      valueName: "left,top,width,height"))
  var crop: String?

  @Option(
    help: ArgumentHelp(
      "The point of interest, as fractions from the upper left; used by steps 'smartCrop' unless "
        + "their strategy is not focal; 'none' removes it.",
      valueName: "x,y"))
  var focalPoint: String?

  @Option(
    help: ArgumentHelp(
      "Replace the photos' own settings by those of this photo; with --only, the named ones only.",
      valueName: "photo"),
    completion: .file())
  var from: String?

  @Option(
    help: ArgumentHelp(
      "With --from: copy only these steps or settings; focalPoint is copied only if it is named.",
      valueName: "step,step.setting,…"))
  var only: String?

  @Flag(help: "Only print the photos' own settings.")
  var list = false

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
    try Usage.check(
      only == nil || from != nil,
      "--only selects settings that --from copies; name their photo with --from")
    let lists = [assignments, unset, disable, enable]
    let changes =
      !lists.allSatisfy(\.isEmpty) || [crop, focalPoint, from].contains { $0 != nil }
    try Usage.check(
      !list || (!changes && recipe == nil), "--list changes nothing; give it alone")
    try Usage.check(
      list || changes,
      "nothing to change; use --set, --unset, --disable, --crop, --focal-point, --from or --list")
    let names = only?.split(separator: ",").filter { !$0.allSatisfy(\.isWhitespace) }
    try Usage.check(
      names?.isEmpty != true, "--only needs steps or settings, such as exposure,crop")
    _ = try cropAssignments()
    _ = try focalPointChange()
  }

  func run() async throws {
    let (paths, library) = (paths.map { FilePath($0) }, place.path)
    if list { return try printSettings(of: paths, library) }
    let change = try change()
    try await editing.run("adjust") { editing, observe in
      try await editing.adjust(paths, library: library, change, observe)
    }
  }

  private func printSettings(of paths: [FilePath], _ library: FilePath?) throws {
    var problems = ListingProblems()
    let photos = try OwnSettings.read(paths, library: library, variant: variant) {
      problems.warn($0)
    }
    for photo in photos {
      Message.result(editing.format == .json ? photo.json.compactText : photo.text)
    }
    if photos.isEmpty && editing.format == .text {
      let reason = problems.isEmpty ? try NoPhotos(naming: paths, library: library) : nil
      Message.result(NoPhotos.text(reason))
    }
    try problems.end(photos.compactMap(\.problem?.reason))
  }

  private func change() throws -> AdjustmentChange {
    var change = AdjustmentChange()
    change.assignments = try assignments.map { try Assignment(argument: $0) }
    for (option, steps, value) in [("--disable", disable, "false"), ("--enable", enable, "true")] {
      change.assignments += steps.map { step in
        let source = SourceText(name: option, text: step)
        return Assignment(key: "\(step).enabled", text: value, in: source)
      }
    }
    change.assignments += try cropAssignments()
    if crop != nil { change.neededSteps = ["crop"] }
    change.unset = unset
    change.document = try recipe.map { try RecipeDocument(contentsOf: FilePath($0)) }
    change.variant = try variant ?? change.document?.recipe().recipe.variant
    change.focalPoint = try focalPointChange()
    change.copied = try from.map { from in
      try CopiedSettings(
        of: FilePath(from), library: place.path, variant: change.variant,
        only: only?.split(separator: ",").map { $0.split(separator: " ").joined() })
    }
    return change
  }

  private func cropAssignments() throws(ValidationError) -> [Assignment] {
    guard let crop else { return [] }
    let parts = crop.split(separator: ",", omittingEmptySubsequences: false)
    try Usage.check(parts.count == 4, "--crop needs four values, such as 0.1,0.1,0.8,0.8")
    let source = SourceText(name: "--crop", text: crop)
    let edges = zip(["left", "top", "width", "height"], parts).map { name, value in
      Assignment(
        key: "crop.\(name)", text: String(value), in: source,
        offset: crop.utf8.distance(from: crop.startIndex, to: value.startIndex))
    }
    // The given width and height may contradict the recipe's aspect ratio, so the ratio is removed.
    return edges + [Assignment(key: "crop.aspect", text: "null", in: source)]
  }

  private func focalPointChange() throws(ValidationError) -> AdjustmentChange.FocalPointChange? {
    guard let focalPoint else { return nil }
    if focalPoint == "none" { return .remove }
    let numbers = focalPoint.split(separator: ",").compactMap { Double($0) }
    try Usage.check(
      numbers.count == 2 && numbers.allSatisfy((0...1).contains),
      "--focal-point needs two numbers from 0 to 1, such as 0.3,0.4, or the word 'none'")
    return .set(Sidecar.FocalPoint(x: numbers[0], y: numbers[1]))
  }
}
