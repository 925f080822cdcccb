public import FileStructure
import Notation
import PhotoRecipes

/// Searches a finished rendition for metadata that the policy denies, before it is published.
///
/// The audit reads the file again, independently of the code that wrote it: it checks the metadata
/// blocks, and searches all bytes for the denied texts and coordinates of the original.
public struct Audit {
  private let original: Metadata
  private let curation: Curation
  /// The metadata that the recipe sets.
  private let own: Metadata
  /// The rendition's colour profile, which is always allowed.
  private let profile: [UInt8]
  /// The kinds of further pictures that the rendition may have.
  private let pictures: Set<Metadata.Attachment>
  /// True if the rendition will have a film, which is appended after the audit.
  private let hasFilm: Bool

  public init(
    _ original: Metadata, _ curation: Curation, profile: [UInt8] = [],
    pictures: Set<Metadata.Attachment> = [], hasFilm: Bool = false
  ) {
    self.hasFilm = hasFilm
    self.pictures = pictures
    self.original = original
    self.curation = curation
    self.profile = profile
    own = curation.curated(Metadata(), lists: original.lists)
  }

  /// Checks a rendition, and throws `denied` with the first finding.
  public func check(_ source: ByteSource) throws(MetadataError) {
    guard let format = ContainerFormat(of: source) else {
      // phbatch cannot read the metadata blocks of this format, but it can search the file's bytes.
      try search(source, kept: own)
      return
    }
    if let part = format.unexpectedParts(in: source, with: pictures).first {
      throw .denied(part)
    }
    let found = Metadata(of: source)
    let own = own.adapted(to: format)
    try checkNames(found, own)
    try check(found.exif, own.exif)
    try check(found.xmp, own.xmp)
    for set in found.iptc?.dataSets ?? [] where !curation.keeps(set) && set.record > 1 {
      if own.iptc?.dataSets.contains(set) != true && !isSet(set) {
        throw .denied("the IPTC data set \(set.record):\(set.number)")
      }
    }
    if let comment = found.comments.first, !curation.keepsComments {
      throw .denied("the comment \"\(comment.prefix(40))\"")
    }
    if let text = found.texts.first(where: { !curation.keeps($0) }) {
      throw .denied("the PNG text \"\(text.keyword)\"")
    }
    for attachment in found.attachments
    where attachment != .pictures && !pictures.contains(attachment) {
      throw .denied("a \(attachment.rawValue)")
    }
    if !pictures.isEmpty {
      for data in AuxiliaryData.all(in: source) { try check(data) }
    }
    try search(source, kept: found)
  }

  /// Throws `denied` if the policy drops a part of the description of a matte or a depth map.
  private func check(_ data: AuxiliaryData) throws(MetadataError) {
    let kept = curation.curated(data).xmp
    if let property = data.xmp.properties.first(where: { kept[$0.name] != $0 }) {
      throw .denied("\(property.name.prefixed) in the description of the \(data.kind.title)")
    }
  }

  /// Throws `denied` if the rendition has a tag or property that the policy drops by name, unless
  /// the recipe sets it.
  private func checkNames(_ found: Metadata, _ own: Metadata) throws(MetadataError) {
    for case .tag(let tag) in curation.policy.dropped {
      for directory in EXIF.Directory.allCases {
        for entry in found.exif?[directory] ?? [] {
          guard entry.tag == tag || directory.pointer == tag,
            case .group = EXIF.kind(of: entry.tag, in: directory),
            own.exif?[directory].contains(where: { $0.tag == entry.tag }) != true,
            directory.pointer != tag || !curation.policy.kept.contains(.tag(entry.tag))
          else { continue }
          throw .denied("the EXIF tag 0x\(String(entry.tag, radix: 16))")
        }
      }
    }
    if curation.policy.effectivePosition == .drop, found.exif?[.gps].isEmpty == false {
      throw .denied("a GPS directory")
    }
    for case .property(let name) in curation.policy.dropped {
      let property = found.xmp?.properties.first { $0.name.prefixed == name }
      if let property, own.xmp?[property.name] == nil, XMP.kind(of: property.name) != .structure {
        throw .denied("the XMP property \(name)")
      }
    }
  }

  private func check(_ exif: EXIF?, _ own: EXIF?) throws(MetadataError) {
    guard let exif else { return }
    if exif.hasThumbnail { throw .denied("a thumbnail") }
    for directory in EXIF.Directory.allCases {
      for entry in exif[directory] {
        guard case .group = EXIF.kind(of: entry.tag, in: directory) else { continue }
        if curation.keeps(entry, in: directory) || entry.isPairNote { continue }
        let same = own?.inOrder(exif.order)[directory].contains(entry) == true
        if !same { throw .denied("the EXIF tag 0x\(String(entry.tag, radix: 16))") }
      }
    }
    if case .round(let kilometres) = curation.policy.effectivePosition {
      guard exif[.gps].allSatisfy({ $0.tag <= EXIFTag.longitude.number }) else {
        throw .denied("GPS tags other than the coordinates")
      }
      if let coordinates = exif.coordinates,
        !coordinates.isNear(coordinates.rounded(kilometres: kilometres), degrees: 1e-4)
      {
        throw .denied("coordinates that are not rounded")
      }
    }
  }

  private func check(_ xmp: XMP?, _ own: XMP?) throws(MetadataError) {
    for property in xmp?.properties ?? [] {
      if let announced = XMP.announced(property), !isWanted(announced) {
        throw .denied(
          "\(property.name.prefixed), which describes a picture that is not in the file")
      }
      if let part = curation.deniedParts(of: property).first {
        throw .denied("\(part.name.prefixed) in the XMP property \(property.name.prefixed)")
      }
      let isKept = curation.keeps(property) || own?[property.name] == property
      guard case .group = XMP.kind(of: property.name), !isKept else { continue }
      throw .denied("the XMP property \(property.name.prefixed)")
    }
  }

  /// True if the rendition may have an attachment of this kind.
  private func isWanted(_ attachment: Metadata.Attachment) -> Bool {
    pictures.contains(attachment) || attachment == .video && hasFilm
  }

  /// True if the data set contains a text that the recipe sets, cut to IPTC's maximum length.
  private func isSet(_ set: IPTC.DataSet) -> Bool {
    guard let texts = own.xmp, set.record == 2, let field = IPTC.Field(rawValue: set.number) else {
      return false
    }
    return texts.properties.contains { property in
      texts.texts(property.name).contains { IPTC.cut($0, field.limit) == set.bytes }
    }
  }

  private func search(_ source: ByteSource, kept: Metadata) throws(MetadataError) {
    var warnings: [String] = []
    var allowed = [profile, kept.xmp?.packet ?? [], kept.iptc?.bytes ?? []]
    allowed.append(kept.exif?.block(limit: .max, &warnings) ?? [])
    allowed += (kept.comments + kept.texts.map(\.text)).map { Array($0.utf8) }
    let denied = DeniedBytes(original, curation, besides: allowed)
    if let bytes = denied.found(in: source) {
      let text = String(validating: bytes, as: UTF8.self)
      let what = text.map { "\"\($0)\"" } ?? "\(bytes.count) bytes"
      throw .denied("\(what) from the original's metadata")
    }
  }
}

extension Coordinates {
  fileprivate func isNear(_ other: Coordinates, degrees: Double) -> Bool {
    abs(latitude - other.latitude) <= degrees && abs(longitude - other.longitude) <= degrees
  }
}
