import PhotoRecipes
public import SystemPackage

extension RecordedName {
  private static let rootMark = Array("{root}/".utf8)

  /// A path below the output root as the sidecar of an original records it: from the original's
  /// folder where it lies below that, else from the output root.
  public init(_ path: FilePath, besides original: FilePath) {
    var relative = path
    if relative.removePrefix(original.removingLastComponent()) && !relative.isEmpty {
      self.init(bytes: relative.bytes)
    } else {
      self.init(bytes: Self.rootMark + path.bytes)
    }
  }

  /// The path below the output root that the name stands for beside an original; nil for one that
  /// leads elsewhere.
  public func path(besides original: FilePath) -> FilePath? {
    let isRooted = bytes.starts(with: Self.rootMark)
    let rest = isRooted ? bytes.dropFirst(Self.rootMark.count) : bytes[...]
    guard let relative = FilePath(bytes: rest), !relative.isAbsolute, !relative.isEmpty,
      relative.components.allSatisfy({ $0.kind == .regular })
    else { return nil }
    let folder = isRooted ? FilePath("") : original.removingLastComponent()
    return folder.appending(relative.components)
  }
}

extension Adjustment {
  /// Where a rendition of this adjustment lies, if it is where the recorded template puts it.
  ///
  /// A sidecar may say anything; only a path that its own template gives for the original is taken
  /// for a rendition.
  public func path(
    of rendition: RenditionRecord, original: FilePath, _ record: OriginalRecord
  ) -> FilePath? {
    guard let claimed = rendition.file.path(besides: original) else { return nil }
    return templatePath(of: rendition, original: original, record) == claimed ? claimed : nil
  }

  /// Where the recorded template puts a rendition of an original; nil if it puts it nowhere.
  public func templatePath(
    of rendition: RenditionRecord, original: FilePath, _ record: OriginalRecord
  ) -> FilePath? {
    guard
      let output = recipe["outputs"]?.array?.first(where: { $0["name"]?.string == rendition.output }
      ),
      let format = output["format"]?.string.flatMap(FormatCatalog.format(named:)),
      let template = try? PathTemplate(output["path"]?.string ?? PathTemplate.standard)
    else { return nil }
    let values = PathValues(
      original: original, extension: format.fileExtension, output: rendition.output,
      recipe: formatIdentifier.split(separator: ".").last.map(String.init) ?? formatIdentifier,
      variant: variant, date: record.date.flatMap { CivilTime($0) } ?? CivilTime(nanoseconds: 0),
      width: rendition.width, height: rendition.height,
      digest: Digest(hexadecimal: rendition.sha256, count: Int64(rendition.bytes)))
    return try? template.path(values)
  }
}

extension Digest {
  /// A digest as a sidecar records it.
  public init?(hexadecimal text: String, count: Int64) {
    let values = text.utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
      default: nil
      }
    }
    guard values.count == 64, text.utf8.count == 64 else { return nil }
    let bytes = stride(from: 0, to: 64, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    self.init(bytes: bytes, count: count)
  }
}
