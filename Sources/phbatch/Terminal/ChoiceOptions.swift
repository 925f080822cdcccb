import ArgumentParser
import PhotoBatch

/// The options that select the photos of a run.
struct ChoiceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Process only the photos in this list, with one path per line; - reads stdin.",
      valueName: "file"),
    completion: .file())
  var filesFrom: String?

  @Flag(
    name: [.customShort("0"), .customLong("null")],
    help: "The paths of --files-from end with a zero byte, as from find -print0 or git -z.")
  var null = false

  @Option(
    help: ArgumentHelp(
      """
      Process only photos that changed since this git revision, or whose sidecars or renditions \
      changed; all photos if the recipe changed.
      """,
      valueName: "revision"))
  var since: String?

  func validate() throws {
    try Usage.check(!null || filesFrom != nil, "--null works only with --files-from")
    try Usage.check(
      since == nil || filesFrom == nil, "give only one of --since and --files-from")
    try Usage.check(since?.isEmpty != true, "--since needs a git revision")
  }

  func apply(to options: inout BatchOptions) throws {
    options.photos = try filesFrom.map { try PathList($0, separator: null ? 0 : 10).paths }
    options.since = since
  }
}
