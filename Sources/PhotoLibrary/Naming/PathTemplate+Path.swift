public import PhotoRecipes
public import SystemPackage

extension PathTemplate {
  /// The path of a rendition, relative to the output root: below it, and none of phbatch's own.
  public func path(_ values: PathValues) throws(PathTemplateError) -> FilePath {
    var bytes: [UInt8] = []
    for piece in pieces { bytes += try piece.bytes(values) }
    var path: FilePath = isRooted ? "" : values.original.removingLastComponent()
    for part in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      path.append(try Self.component(FileName(bytes: part)))
    }
    return path
  }

  private static func component(
    _ name: FileName
  ) throws(PathTemplateError) -> FilePath.Component {
    guard name.bytes.count <= 255 else { throw .nameTooLong("\(name)", bytes: name.bytes.count) }
    guard !name.bytes.contains(0), let component = name.component else {
      throw .notAName("\(name)")
    }
    // Some file systems do not tell capitals apart.
    let folded = FileName(String(decoding: name.bytes, as: UTF8.self).lowercased())
    guard !folded.hasPrefix(".phbatch"), !folded.hasSuffix(".phbatch.json") else {
      throw .reservedName("\(name)")
    }
    return component
  }
}

extension PathPiece {
  fileprivate func bytes(_ values: PathValues) throws(PathTemplateError) -> [UInt8] {
    switch self {
    case .literal(let bytes): bytes
    case .stem: Array(FileName(try Self.lastComponent(values)).stem)
    case .name: try Self.lastComponent(values).bytes
    case .extension: try Self.name(values.extension, "ext")
    case .output: try Self.name(values.output, "output")
    case .variant: try Self.name(values.variant, "variant")
    case .recipe: try Self.name(values.recipe, "recipe")
    case .width: try Self.name(values.width.map(String.init), "width")
    case .height: try Self.name(values.height.map(String.init), "height")
    case .date(let format): format.bytes(values.date)
    case .digest(let count):
      try Array(Self.name(values.digest?.description, "digest").prefix(count))
    }
  }

  private static func lastComponent(
    _ values: PathValues
  ) throws(PathTemplateError) -> FilePath.Component {
    guard let component = values.original.lastComponent else { throw .noValue("name") }
    return component
  }

  private static func name(
    _ value: String?, _ placeholder: String
  ) throws(PathTemplateError) -> [UInt8] {
    guard let value else { throw .noValue(placeholder) }
    let bytes = Array(value.utf8)
    guard !bytes.contains(UInt8(ascii: "/")) else { throw .notAName(value) }
    return bytes
  }
}
