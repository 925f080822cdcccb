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

  /// True if it is the name of a file in the original's own folder.
  public var isInFolder: Bool { !bytes.contains(UInt8(ascii: "/")) && !bytes.contains(0) }

  /// The path below the output root that the name stands for beside an original; nil for one that
  /// leads elsewhere.
  public func path(besides original: FilePath) -> FilePath? {
    if isInFolder {
      guard let name = FileName(bytes: bytes[...]).component else { return nil }
      return original.removingLastComponent().appending(name)
    }
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
    guard let claimed = rendition.file.path(besides: original),
      let (template, values) = naming(of: rendition, original: original, record)
    else { return nil }
    if !template.startsAtRoot, (try? template.name(values)) == rendition.file.bytes {
      return claimed
    }
    return (try? template.path(values)) == claimed ? claimed : nil
  }

  /// Where the recorded template puts a rendition of an original; nil if it puts it nowhere.
  public func templatePath(
    of rendition: RenditionRecord, original: FilePath, _ record: OriginalRecord
  ) -> FilePath? {
    guard let (template, values) = naming(of: rendition, original: original, record) else {
      return nil
    }
    return try? template.path(values)
  }

  private func naming(
    of rendition: RenditionRecord, original: FilePath, _ record: OriginalRecord
  ) -> (PathTemplate, PathValues)? {
    guard let place = self.record.place(of: rendition.output) else { return nil }
    var values = PathValues(
      original: original, extension: place.fileExtension, output: rendition.output,
      recipe: Recipe.shortName(of: formatIdentifier),
      variant: variant, date: CivilTime(nanoseconds: 0), width: rendition.width,
      height: rendition.height)
    if place.template.usesDate, let date = record.date.flatMap({ CivilTime($0) }) {
      values.date = date
    }
    if place.template.usesDigest {
      values.digest = Digest(hexadecimal: rendition.sha256, count: Int64(rendition.bytes))
    }
    return (place.template, values)
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
