public import Notation

/// Lets another program change the photo, if the run permits external programs.
///
/// The program reads the photo from stdin: TIFF, 16 bits a channel, sRGB, with alpha if the photo
/// has it, without metadata. The program's output on stdout, in any supported photo format,
/// replaces the photo; an orientation tag in it is ignored. Both streams are files, so the program
/// can seek in them.
///
/// A program name without a path is searched in `PATH`, as in a shell. A path that does not begin
/// with `/` is relative to phbatch's working directory. The program is killed after its `timeout`,
/// or after the run's timeout for a photo if that is shorter. Its child processes are killed too,
/// except child processes that started their own session.
public struct ExternalFilter: Filter {
  public static let name = "external"
  public static let summary = "Changes the photo with another program; needs --allow-external."
  public static let category = FilterCategory.composite
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting(
      "command", \.command, .arguments, "The program and its arguments; no shell interprets them."),
    Setting(
      "timeout", \.timeout, .integer(.seconds, 1...86_400),
      "The time after which the program and its child processes are killed; a shorter --timeout"
        + " of the run takes precedence."
    ),
    Setting("resizes", \.resizes, .flag, "Whether the program may change the photo's size."),
  ]

  public static var example: Self {
    with { $0.command = Arguments(words: ["convert", "-", "-paint", "4", "tiff:-"]) }
  }

  public var command = Arguments(words: [])
  public var timeout = 60
  public var resizes = false

  public init() {}

  public var contradiction: Problem? {
    command.words.isEmpty ? .missingKey("command", in: "'external'") : nil
  }

  public var keepsFrame: Bool { !resizes }

  var step: External { External(command: command.words, timeout: timeout, resizes: resizes) }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append(.external(step), input)
  }
}
