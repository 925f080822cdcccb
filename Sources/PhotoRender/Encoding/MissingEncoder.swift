public import Notation
public import PhotoRecipes

/// The error of an output in a format that this machine cannot write.
public struct MissingEncoder: UserError, Hashable {
  public let format: String
  /// The name of the output; nil if the formats are checked without a recipe.
  public let output: String?

  public var message: String {
    let what = "this machine cannot write \(format)"
    return output.map { "the output '\($0)' cannot be written: \(what)" } ?? what
  }

  public var hint: String {
    switch format {
    case HEICFormat.name:
      "install x265 for libheif, on Debian 13 and Ubuntu 24.04 libheif-plugin-x265, or use avif"
    default: "install a libvips that has an encoder for \(format), or use another format"
    }
  }

  /// The error of the first output that cannot be written; nil if all can be written.
  public static func first(among outputs: [Output]) -> MissingEncoder? {
    outputs.first { !type(of: $0.format).encoded.canWrite }.map {
      MissingEncoder(format: type(of: $0.format).name, output: $0.name)
    }
  }

  /// The errors of all formats that cannot be written on this machine.
  public static var all: [MissingEncoder] {
    FormatCatalog.formats.filter { !$0.encoded.canWrite }.map {
      MissingEncoder(format: $0.name, output: nil)
    }
  }
}
