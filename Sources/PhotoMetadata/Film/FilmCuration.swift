import FileStructure
import Notation
public import PhotoRecipes

/// Selects the metadata of a film's rendition from those of the film, by a policy.
public struct FilmCuration: Sendable {
  private let curation: Curation
  /// True for the film of a Live Photo, whose identifier joins it with the photo.
  private let isPaired: Bool
  /// The mark that names the original; nil for none.
  public let mark: String?
  /// The texts that the policy sets.
  let texts: [MetadataField: [String]]
  /// The description in an XMP file beside the film or its photo; nil if there is none.
  private let description: XMP?
  /// Warnings about texts that the policy sets.
  public let warnings: [String]

  /// - Parameters:
  ///   - policy: The policy of the output.
  ///   - values: The values of the placeholders in its texts.
  ///   - description: The description in an XMP file beside the film or its photo.
  ///   - digest: The original's digest, 64 hexadecimal digits; nil if the rendition does not name it.
  ///   - keepsFrame: True if the rendition shows the film's whole frame.
  ///   - isPaired: True for the film of a Live Photo.
  public init(
    _ policy: MetadataPolicy, values: [String: String] = [:], describedBy description: XMP? = nil,
    original digest: String? = nil, keepsFrame: Bool = true, isPaired: Bool = false
  ) {
    let facts = RenditionFacts(width: 0, height: 0, isSRGB: false, keepsFrame: keepsFrame)
    curation = Curation(policy, for: facts, values: values)
    self.isPaired = isPaired
    mark = digest.flatMap { RenditionMark.text($0, policy) }
    var set = Metadata()
    curation.setTexts(&set, [:])
    warnings = set.warnings
    self.description = description
    texts = MetadataField.allCases.reduce(into: [:]) { texts, field in
      let isKept = Self.keeps(field.property.prefixed, policy)
      let beside = isKept ? description?.texts(field.property) : nil
      let new = set.xmp?.texts(field.property) ?? []
      texts[field] = new.isEmpty ? beside : new
    }.filter { !$0.value.isEmpty }
  }

  var policy: MetadataPolicy { curation.policy }

  /// True if the film's metadata stay as they are.
  public var keepsAll: Bool {
    [.all, .archive].contains(policy.preset) && policy.kept.isEmpty && policy.dropped.isEmpty
      && policy.effectivePosition == .keep && policy.texts.isEmpty && description == nil
  }

  /// True if the dates in the headers of the film and its tracks stay.
  public var keepsDates: Bool { keepsAll || keeps("xmp:CreateDate") }

  /// True if data whose meaning is unknown stay: they can state the place and the camera.
  public var keepsUnknown: Bool { keepsAll || policy.keeps(.makerNote) && policy.keeps(.other) }

  /// True if the policy keeps a property such as `dc:title`, and sets no other text.
  func keeps(_ property: String) -> Bool {
    let naming = XMP.naming(of: property)
    let rules = texts.keys.map { MetadataPolicy.Rule.property($0.property.prefixed) }
    if rules.contains(where: naming.denials.contains) { return false }
    if Self.group(of: property) == .location, let description,
      description.properties.contains(where: { XMP.kind(of: $0.name) == .group(.location) })
    {
      return false
    }
    return Self.keeps(property, policy)
  }

  private static func keeps(_ property: String, _ policy: MetadataPolicy) -> Bool {
    group(of: property).map { policy.keeps(XMP.naming(of: property), of: $0) } ?? false
  }

  private static func group(of property: String) -> MetadataGroup? {
    guard let name = MarkupName(prefixed: property), case .group(let group) = XMP.kind(of: name)
    else { return nil }
    return group
  }

  /// The coordinates that replace those of the film; nil if the film keeps its own.
  var coordinates: Coordinates? { description?.coordinates }

  /// Coordinates as the policy keeps them; nil if it drops them.
  func kept(_ coordinates: Coordinates) -> Coordinates? {
    guard keeps("exif:GPSLatitude") else { return nil }
    guard case .round(let kilometres) = policy.effectivePosition else { return coordinates }
    return coordinates.rounded(kilometres: kilometres)
  }

  /// The text of a key as the rendition has it; nil if it is dropped.
  public func text(_ key: String, _ value: String) -> String? {
    if keepsAll || ["language", "rotate"].contains(key.lowercased()) { return value }
    if isPaired && Self.joins(key) { return value }
    guard let property = FilmVocabulary.property(of: key) else {
      return policy.keeps(.other) ? value : nil
    }
    guard keeps(property) else { return nil }
    guard property.hasPrefix("exif:GPS") else { return value }
    if property == "exif:GPSLatitude", let coordinates { return kept(coordinates)?.iso6709 }
    if coordinates != nil { return nil }
    guard case .round = policy.effectivePosition else { return value }
    return Coordinates(iso6709: value).flatMap(kept)?.iso6709
  }

  /// True if a key describes a Live Photo.
  private static func joins(_ key: String) -> Bool {
    ["content.identifier", "live-photo", "still-image-time", "video-orientation"].contains {
      key.hasPrefix("com.apple.quicktime.\($0)")
    }
  }

  /// The texts of a film, which has them under these keys, by the keys that FFmpeg writes to MP4 and
  /// MOV files, if the film does not have those keys.
  public func translated(_ texts: [(key: String, text: String)]) -> [(key: String, text: String)] {
    var known = Set(texts.map(\.key))
    return texts.compactMap { key, text in
      guard let new = FilmVocabulary.property(of: key).flatMap({ FilmVocabulary.written[$0] }),
        key != "creation_time", known.insert(new).inserted
      else { return nil }
      return (new, text)
    }
  }

  /// The texts of a film, which has them under these keys, by the tags of Matroska.
  ///
  /// Keys of Apple and Android with a known meaning get the tag of this meaning. Their other keys
  /// belong to the programs of these makers, and some keys describe the old container, so both are
  /// left out.
  public func matroskaTags(
    _ texts: [(key: String, text: String)]
  ) -> [(key: String, text: String)] {
    var tags = texts.filter { key, _ in
      !FilmVocabulary.isOfMaker(key) && !FilmVocabulary.ofContainer.contains(key.lowercased())
    }
    var known = Set(tags.map { $0.key.lowercased() })
    for (key, text) in texts where FilmVocabulary.isOfMaker(key) {
      guard let tag = FilmVocabulary.property(of: key).flatMap({ FilmVocabulary.matroska[$0] }),
        known.insert(tag).inserted
      else { continue }
      tags.append((tag, text))
    }
    return tags
  }

  /// The texts about the camera for which MP4 has no place, as XMP.
  public func camera(in texts: [(key: String, text: String)]) -> XMP {
    var xmp = XMP()
    for (key, text) in texts {
      guard let property = FilmVocabulary.property(of: key),
        ["tiff:Make", "tiff:Model", "aux:Lens"].contains(property),
        let name = MarkupName(prefixed: property)
      else { continue }
      xmp.set(name, text: text)
    }
    return xmp
  }

  /// The texts that the policy sets, by the tags of Matroska and FFmpeg.
  public var tags: [(key: String, text: String)] {
    texts.sorted { $0.key.rawValue < $1.key.rawValue }.map { field, texts in
      let key = FilmVocabulary.written[field.property.prefixed] ?? field.rawValue
      return (key, texts.joined(separator: "; "))
    }
  }

  /// A box with the XMP that stays, the mark and the texts that the policy sets, for the end of the
  /// file; empty if there are none.
  public func packet(_ known: XMP) -> [UInt8] {
    var metadata = Metadata()
    metadata.xmp = known
    let lists = metadata.lists
    if !keepsAll {
      if let description { metadata.add(describing: description) }
      metadata.xmp = curation.filtered(metadata.xmp ?? XMP())
      if case .round(let kilometres) = policy.effectivePosition {
        metadata.roundCoordinates(kilometres: kilometres)
      }
      curation.setTexts(&metadata, lists)
    }
    var xmp = metadata.xmp ?? XMP()
    if let mark { xmp.set(RenditionMark.property(mark)) }
    return xmp.isEmpty ? [] : Box.bytes("uuid", XMP.boxIdentifier + xmp.packet)
  }
}
