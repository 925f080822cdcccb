public import PhotoRecipes
public import SystemPackage

extension PathTemplate {
  /// The path of a rendition relative to the output root.
  ///
  /// It is always below that root, and never one of phbatch's own files.
  public func path(_ values: PathValues) throws(PathTemplateError) -> FilePath {
    var path: FilePath = isRooted ? "" : values.original.removingLastComponent()
    for part in Self.parts(try name(values)) {
      let name = FileName(bytes: part)
      guard let component = name.component else { throw .notAName("\(name)") }
      path.append(component)
    }
    return path
  }

  /// The path as bytes: from the output root if the template begins there, otherwise from the
  /// original's folder.
  func name(_ values: PathValues) throws(PathTemplateError) -> [UInt8] {
    var bytes: [UInt8] = []
    var leavesOutSlash = false
    for piece in pieces {
      let next = try piece.bytes(values)
      // An original at the top of the library has an empty folder; the slash that follows the
      // folder is then left out, too.
      bytes += leavesOutSlash ? next.dropFirst() : next[...]
      leavesOutSlash = piece == .folder && next.isEmpty
    }
    if values.isFilm {
      let ending = Array(PairedFilm.fileExtension.utf8)
      bytes =
        endsInExtension
        ? bytes.dropLast(values.extension.utf8.count) + ending
        : bytes + [UInt8(ascii: ".")] + ending
    }
    for part in Self.parts(bytes) { try Self.check(FileName(bytes: part)) }
    return bytes
  }

  private static func parts(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  }

  private static func check(_ name: FileName) throws(PathTemplateError) {
    guard name.bytes.count <= 255 else { throw .nameTooLong("\(name)", bytes: name.bytes.count) }
    guard !name.bytes.isEmpty, !name.bytes.contains(0), !name.bytes.elementsEqual([0x2E]),
      !name.bytes.elementsEqual([0x2E, 0x2E])
    else { throw .notAName("\(name)") }
    // Case is ignored, because some file systems ignore it.
    let folded = FileName(String(decoding: name.bytes, as: UTF8.self).lowercased())
    guard !folded.hasPrefix(".phbatch"), !folded.hasSuffix(".phbatch.json") else {
      throw .reservedName("\(name)")
    }
  }
}

extension PathPiece {
  fileprivate func bytes(_ values: PathValues) throws(PathTemplateError) -> [UInt8] {
    switch self {
    case .literal(let bytes): bytes
    case .folder: values.original.removingLastComponent().bytes
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
