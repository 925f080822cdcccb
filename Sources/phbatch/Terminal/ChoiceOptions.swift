import ArgumentParser
import PhotoBatch

/// Selects the photos of a run.
struct ChoiceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Process only the photos in this list, one path per line; - reads stdin.",
      valueName: "file"),
    completion: .file())
  var filesFrom: String?

  @Flag(
    name: [.customShort("0"), .customLong("null")],
    help: "The paths of --files-from end with a zero byte, as find -print0 and git -z write them.")
  var null = false

  @Option(
    help: ArgumentHelp(
      """
      Look only at photos that changed since this revision of git, or whose sidecars or renditions \
      did; at all if the recipe did.
      """,
      valueName: "revision"))
  var since: String?

  func validate() throws {
    if null && filesFrom == nil { throw ValidationError("--null goes with --files-from") }
    if since != nil && filesFrom != nil {
      throw ValidationError("give one of --since and --files-from")
    }
    if since?.isEmpty == true { throw ValidationError("--since needs a revision") }
  }

  func apply(to options: inout BatchOptions) throws {
    options.photos = try filesFrom.map { try PathList($0, separator: null ? 0 : 10).paths }
    options.since = since
  }
}
