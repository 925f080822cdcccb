import PhotoRecipes
public import SystemPackage

extension RecordedName {
  private static let rootMark = Array("{root}/".utf8)

  /// Creates the recorded form of a path below the output root: from the original's folder if the
  /// path is below that folder, otherwise from the output root.
  public init(_ path: FilePath, besides original: FilePath) {
    var relative = path
    if relative.removePrefix(original.removingLastComponent()) && !relative.isEmpty {
      self.init(bytes: relative.bytes)
    } else {
      self.init(bytes: Self.rootMark + path.bytes)
    }
  }

  /// True if the file is directly in the original's folder.
  public var isInFolder: Bool { !bytes.contains(UInt8(ascii: "/")) && !bytes.contains(0) }

  /// The path, from the output root, of the file that this name gives for an original; nil if the
  /// name is invalid or leads out of the root.
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
  /// The path of a rendition of this adjustment; nil if it differs from the path that the recorded
  /// template gives.
  ///
  /// A sidecar may contain any path; only a path that its own template gives for the original is
  /// accepted as a rendition.
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

  /// True if a recorded rendition cannot be a rendition of this original: its path leads out of the
  /// output root, or differs from the path that the recorded template gives.
  ///
  /// False if the template is unknown, or if it uses the capture date, which may have changed, or
  /// the photo's folder, which may have moved.
  fileprivate func isStray(
    _ rendition: RenditionRecord, _ original: FilePath, _ record: OriginalRecord
  ) -> Bool {
    if rendition.file.path(besides: original) == nil { return true }
    guard let (template, _) = naming(of: rendition, original: original, record),
      !template.usesDate, !template.usesFolder
    else { return false }
    return path(of: rendition, original: original, record) == nil
  }

  /// The path that the recorded template gives for a rendition of an original; nil if the template
  /// is invalid or gives no path.
  public func templatePath(
    of rendition: RenditionRecord, original: FilePath, _ record: OriginalRecord
  ) -> FilePath? {
    guard let (template, values) = naming(of: rendition, original: original, record) else {
      return nil
    }
    return try? template.path(values)
  }

  /// The name of a rendition that the recorded template gives, if the recorded name differs from it
  /// only in its Unicode normalization form; nil otherwise.
  fileprivate func spelling(
    of rendition: RenditionRecord, _ original: FilePath, _ record: OriginalRecord
  ) -> RecordedName? {
    guard let place = templatePath(of: rendition, original: original, record),
      let recorded = rendition.file.path(besides: original).flatMap({ String(validating: $0) }),
      // Texts are equal in Swift if they are canonically equivalent.
      String(validating: place) == recorded
    else { return nil }
    return RecordedName(place, besides: original)
  }

  private func naming(
    of rendition: RenditionRecord, original: FilePath, _ record: OriginalRecord
  ) -> (PathTemplate, PathValues)? {
    let output = PairedFilm.output(of: rendition.output)
    guard let place = self.record.place(of: output ?? rendition.output) else { return nil }
    // A film has the name of its photo, which may contain the photo's size and digest.
    let photo = output.flatMap { name in renditions.first { $0.output == name } }
    if output != nil, photo == nil, !place.template.isStatic { return nil }
    let named = photo ?? rendition
    var values = PathValues(
      original: original, extension: place.fileExtension, output: output ?? rendition.output,
      recipe: Recipe.shortName(of: formatIdentifier),
      variant: variant, date: CivilTime(nanoseconds: 0), width: named.width,
      height: named.height)
    values.isFilm = output != nil
    if place.template.usesDate, let date = record.date.flatMap({ CivilTime($0) }) {
      values.date = date
    }
    if place.template.usesDigest {
      values.digest = Digest(hexadecimal: named.sha256, count: Int64(named.bytes))
    }
    return (place.template, values)
  }
}

extension Sidecar {
  /// The sidecar with the names of its files in the spelling of the original's path.
  ///
  /// A copy of a library may have all names in another Unicode normalization form, for example "é"
  /// as a letter and an accent, while the text of its sidecars stays the same.
  ///
  /// - Throws: `.stray` if the sidecar records the files of another photo, or files outside the
  ///   output root.
  public func checked(for original: FilePath) throws(SidecarError) -> Sidecar {
    var spellings: [RecordedName: RecordedName] = [:]
    for adjustment in adjustments {
      for rendition in adjustment.renditions
      where adjustment.path(of: rendition, original: original, self.original) == nil {
        if let name = adjustment.spelling(of: rendition, original, self.original) {
          spellings[rendition.file] = name
        } else if adjustment.isStray(rendition, original, self.original) {
          throw .stray(rendition.file)
        }
      }
    }
    for record in kept where record.path(of: original, self.original) == nil {
      spellings[record.rendition.file] = record.adjustment.spelling(
        of: record.rendition, original, self.original)
    }
    return spellings.isEmpty ? self : respelled(spellings)
  }

  private func respelled(_ spellings: [RecordedName: RecordedName]) -> Sidecar {
    func spelled(_ name: RecordedName) -> RecordedName { spellings[name] ?? name }
    var sidecar = self
    sidecar.adjustments = adjustments.map { adjustment in
      var adjustment = adjustment
      for (index, rendition) in adjustment.renditions.enumerated() {
        adjustment.renditions[index].file = spelled(rendition.file)
      }
      if case .rendition(let name, let sha256) = adjustment.base {
        adjustment.base = .rendition(spelled(name), sha256: sha256)
      }
      // An adopted edit and its rendition have the same name.
      if let foreign = adjustment.foreign {
        adjustment.foreign?.file = spelled(foreign.file)
        if let current = foreign.current {
          adjustment.foreign?.current?.file = spelled(current.file)
        }
      }
      return adjustment
    }
    for (index, record) in kept.enumerated() {
      sidecar.kept[index].rendition.file = spelled(record.rendition.file)
    }
    return sidecar
  }
}

extension Digest {
  /// Creates a digest from its recorded form.
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
