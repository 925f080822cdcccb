public import Notation

/// Lets another program change the photo, where the run allows it.
///
/// The program reads the photo from its stdin: TIFF, 16 bits a channel, sRGB, with alpha if it has
/// one, its metadata left out. What it writes on its stdout, in any format that photos may have,
/// takes the photo's place; an orientation tag in it is not looked at. Both are files, so that a
/// program can move in them.
///
/// A program that is no path is looked for as a shell would; a path that does not begin with `/`
/// counts from the folder that phbatch runs in. It is killed after its `timeout`, or after that of
/// the run for a photo where this is shorter. With it ends what it started, except for what made
/// itself a session of its own.
public struct ExternalFilter: Filter {
  public static let name = "external"
  public static let summary = "Lets another program change the photo; needs --allow-external."
  public static let category = FilterCategory.composite
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting("command", \.command, .arguments, "The program and its arguments; no shell."),
    Setting(
      "timeout", \.timeout, .integer(.seconds, 1...86_400),
      "When the program, with all that it started, is killed; a shorter --timeout of the run goes"
        + " before."),
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
