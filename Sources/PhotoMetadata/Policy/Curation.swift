public import PhotoRecipes

/// Makes of an original's metadata what a policy lets a rendition say.
public struct Curation: Sendable {
  let policy: MetadataPolicy
  let facts: RenditionFacts
  /// What the placeholders of texts stand for.
  let values: [String: String]

  public init(
    _ policy: MetadataPolicy, for facts: RenditionFacts, values: [String: String] = [:]
  ) {
    self.policy = policy
    self.facts = facts
    self.values = values
  }

  /// The rendition's metadata, with a warning that names the pictures of the file that are lost.
  public func curated(_ original: Metadata) -> Metadata {
    var result = Metadata()
    result.warnings = original.warnings
    result.exif = original.exif.map(filtered)
    result.xmp = original.xmp.map(filtered)
    result.iptc = original.iptc.map(filtered)
    if keepsComments { result.comments = original.comments }
    if case .round(let kilometres) = policy.effectivePosition {
      result.roundPosition(kilometres: kilometres)
    }
    recordHistory(&result)
    setTexts(&result)
    describe(&result)
    if result.exif?.isEmpty == true { result.exif = nil }
    if result.xmp?.isEmpty == true { result.xmp = nil }
    if result.iptc?.isEmpty == true { result.iptc = nil }
    let lost = original.attachments.map(\.rawValue).sorted()
    if !lost.isEmpty {
      result.warnings.append("not in the renditions: the photo's \(lost.joined(separator: ", "))")
    }
    return result
  }

  func keeps(_ entry: EXIF.Entry, in directory: EXIF.Directory) -> Bool {
    guard case .group(let group) = EXIF.kind(of: entry.tag, in: directory) else { return false }
    return policy.keeps(EXIF.naming(of: entry.tag, in: directory), of: group)
  }

  func keeps(_ property: MarkupElement) -> Bool {
    guard case .group(let group) = XMP.kind(of: property.name) else { return false }
    // A face's frame is a part of the original's.
    if property.name.local == "Regions" && !facts.keepsFrame { return false }
    return policy.keeps(XMP.naming(of: property.name.prefixed), of: group)
  }

  func keeps(_ set: IPTC.DataSet) -> Bool {
    guard case .group(let group) = IPTC.kind(of: set) else {
      return set.record == 1 && set.number == 90
    }
    return policy.keeps(IPTC.naming(of: set), of: group)
  }

  /// Comments of the container, which say what XMP and EXIF call the user's comment.
  var keepsComments: Bool {
    let tag = EXIFTag.userComment
    let naming = EXIF.naming(of: tag.number, in: tag.directory)
    return policy.keeps(.init(synonyms: naming.names + naming.synonyms), of: .comment)
  }

  private func filtered(_ exif: EXIF) -> EXIF {
    var exif = exif
    exif.removeAll { !keeps($1, in: $0) }
    exif.removePictures()
    return exif
  }

  private func filtered(_ xmp: XMP) -> XMP {
    var xmp = xmp
    xmp.removeAll { !keeps($0) }
    xmp.removeNestedThumbnails()
    if policy.effectivePosition == .drop { xmp.removeNestedPositions() }
    return xmp
  }

  private func filtered(_ iptc: IPTC) -> IPTC {
    var iptc = iptc
    iptc.removeAll { !keeps($0) }
    return iptc
  }

  /// Makes tags true that say how the picture is stored, where there are tags at all.
  private func describe(_ metadata: inout Metadata) {
    if var exif = metadata.exif, !exif.isEmpty {
      exif.set(.orientation, short: 1)
      exif.set(.colourSpace, short: facts.isSRGB ? 1 : 0xFFFF)
      exif.set(.pixelWidth, long: facts.width)
      exif.set(.pixelHeight, long: facts.height)
      let version = Array("0232".utf8)
      exif.set(EXIF.Entry(tag: 0x9000, type: .undefined, bytes: version), in: .photo)
      if let dpi = facts.dpi {
        let resolution = [(above: Int((dpi * 1000).rounded()), below: 1000)]
        exif.set(.xResolution, fractions: resolution)
        exif.set(.yResolution, fractions: resolution)
        exif.set(.resolutionUnit, short: 2)
      }
      metadata.exif = exif
    }
    if metadata.xmp?[Self.settingsFlag] != nil || metadata.xmp?.hasSettings == true {
      // Or Camera Raw would apply them once more.
      metadata.xmp?.set(Self.settingsFlag, text: "True")
    }
  }

  private static let settingsFlag = MarkupName(XMPNamespace.cameraRaw, "AlreadyApplied")
}

extension XMP {
  /// Whether Camera Raw's settings are in it.
  var hasSettings: Bool {
    properties.contains { $0.name.namespace == XMPNamespace.cameraRaw }
  }
}
