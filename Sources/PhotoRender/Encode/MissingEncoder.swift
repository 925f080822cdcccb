public import PhotoRecipes
import Vips

/// An output in a format that this machine cannot write.
public struct MissingEncoder: UserError, Hashable {
  public let format: String
  /// The output that asks for it; nil where nobody does.
  public let output: String?

  public var message: String {
    let what = "this machine cannot write \(format)"
    return output.map { "the output '\($0)' cannot be made: \(what)" } ?? what
  }

  public var hint: String {
    switch format {
    case HEICFormat.name:
      "install x265 for libheif, on Debian 13 and Ubuntu 24.04 libheif-plugin-x265, or use avif"
    default: "install a libvips that has an encoder for \(format), or use another format"
    }
  }

  /// The first of some outputs that cannot be written; nil: all can.
  public static func first(among outputs: [Output]) -> MissingEncoder? {
    outputs.first { !canWrite(type(of: $0.format)) }.map {
      MissingEncoder(format: type(of: $0.format).name, output: $0.name)
    }
  }

  /// The formats that cannot be written here.
  public static var all: [MissingEncoder] {
    FormatCatalog.formats.filter { !canWrite($0) }.map {
      MissingEncoder(format: $0.name, output: nil)
    }
  }

  /// libvips needs the others itself, or is never built without.
  private static func canWrite(_ format: any OutputFormat.Type) -> Bool {
    switch format.name {
    case HEICFormat.name: VipsRuntime.canEncodeHEVC
    case GIFFormat.name, JXLFormat.name: VipsRuntime.hasOperation(format.init().saver)
    default: true
    }
  }
}
