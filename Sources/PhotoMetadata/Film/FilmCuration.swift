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
  private let texts: [MetadataField: [String]]
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

  private var policy: MetadataPolicy { curation.policy }

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
  private func keeps(_ property: String) -> Bool {
    let naming = XMP.naming(of: property)
    let rules = texts.keys.map { MetadataPolicy.Rule.property($0.property.prefixed) }
    if rules.contains(where: { naming.names.contains($0) || naming.synonyms.contains($0) }) {
      return false
    }
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
  private var coordinates: Coordinates? { description?.coordinates }

  /// Coordinates as the policy keeps them; nil if it drops them.
  private func kept(_ coordinates: Coordinates) -> Coordinates? {
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
      let key = field == .creator ? "artist" : field.rawValue
      return (key, texts.joined(separator: "; "))
    }
  }

  // MARK: The ISO base media format

  /// True if a track with timed metadata stays; `description` is its sample description.
  public func keepsTrack(describedBy description: [UInt8]) -> Bool {
    if keepsAll { return true }
    let keys = FilmVocabulary.timedKeys(in: description)
    return keys.isEmpty
      ? keepsUnknown && policy.effectivePosition == .keep
      : keys.allSatisfy { text($0, "") != nil }
  }

  /// The content of a box `udta`; `isQuickTime` is true for a QuickTime file.
  ///
  /// XMP in it is left out: it belongs to the packet.
  public func userData(_ content: [UInt8]) -> [UInt8] {
    if keepsAll { return content }
    var result: [UInt8] = []
    for box in FilmItems.boxes(in: content, 0..<content.count) {
      let (name, bytes) = (FilmItems.latin(box.name), Array(content[box.content]))
      let kept: [UInt8]? =
        switch name {
        case "XMP_": nil
        // Chapters, which stay in tracks, too.
        case "chpl": bytes
        case "meta": meta(bytes)
        case _ where name.hasPrefix("©"): internationalText(name, bytes)
        case "loci": place(bytes)
        case _ where FilmVocabulary.property(of: name) != nil: text(name, "").map { _ in bytes }
        default: keepsUnknown ? bytes : nil
        }
      if let kept { result += FilmItems.box(Array(box.name), kept) }
    }
    return result
  }

  /// A text of QuickTime: two bytes of length, two of language, and the text, for each language.
  private func internationalText(_ name: String, _ bytes: [UInt8]) -> [UInt8]? {
    let language = Array(bytes.dropFirst(2).prefix(2))
    guard let length = bytes.number(at: 0, 2, .big), bytes.count >= 4 else { return nil }
    let old = String(decoding: bytes.dropFirst(4).prefix(length), as: UTF8.self)
    guard let new = text(name, old) else { return nil }
    if new == old { return bytes }
    return ByteOrder.big.bytes(new.utf8.count, 2) + language + Array(new.utf8)
  }

  /// A place of 3GPP with the coordinates and names that stay; nil if it is dropped or damaged.
  ///
  /// - Source: 3GPP TS 26.244 16.0, 8.11 (version, language, name, role, longitude, latitude and
  ///   altitude in 1/65,536, body and notes).
  private func place(_ bytes: [UInt8]) -> [UInt8]? {
    guard keeps("exif:GPSLatitude"), bytes.count > 6,
      let name = bytes.dropFirst(6).firstIndex(of: 0),
      let longitude = bytes.number(at: name + 2, 4, .big),
      let latitude = bytes.number(at: name + 6, 4, .big)
    else { return nil }
    let isRounded = if case .round = policy.effectivePosition { true } else { false }
    let isOwn = coordinates == nil && !isRounded
    if isOwn && keeps("Iptc4xmpCore:Location") { return bytes }
    let end = Array("earth\0\0".utf8)
    if isOwn { return bytes[..<6] + [0] + bytes[(name + 1)..<min(name + 14, bytes.count)] + end }
    let degrees = [longitude, latitude].map { Double(Int32(truncatingIfNeeded: $0)) / 65536 }
    let old = Coordinates(latitude: degrees[1], longitude: degrees[0])
    guard let new = kept(coordinates ?? old) else { return nil }
    let numbers = [new.longitude, new.latitude].flatMap {
      ByteOrder.big.bytes(Int(UInt32(bitPattern: Int32(($0 * 65536).rounded()))), 4)
    }
    return bytes[..<6] + [0, 0] + numbers + [0, 0, 0, 0] + end
  }

  /// The content of a box `meta`; nil if nothing stays.
  public func meta(_ content: [UInt8]) -> [UInt8]? {
    if keepsAll { return content }
    guard var list = FilmItems(content) else { return keepsUnknown ? content : nil }
    list.items = list.items.compactMap { item in
      let old = item.values.count >= 16 ? item.values.dropFirst(16) : []
      let text = String(decoding: old, as: UTF8.self)
      guard let new = self.text(item.key, text) else { return nil }
      if new == text { return item }
      var item = item
      item.values = Box.bytes("data", Array(item.values[8..<16]) + new.utf8)
      return item
    }
    return list.items.isEmpty ? nil : list.content
  }

  /// The boxes `udta` and `meta` of a film's header with the texts that the policy sets; the
  /// arguments are the contents that the rendition keeps, or nil.
  ///
  /// QuickTime has these texts in `meta` of the header, MP4 in `meta` of the user data.
  public func headerBoxes(userData: [UInt8]?, meta: [UInt8]?, isQuickTime: Bool) -> [UInt8] {
    var (user, meta) = (userData ?? [], meta)
    if isQuickTime, !named.isEmpty {
      var list = meta.flatMap { FilmItems($0) } ?? FilmItems(isNamed: true)
      for (key, text) in list.isNamed ? named : boxed { list.add(text, as: key) }
      meta = list.content
    } else if !boxed.isEmpty {
      let old = FilmItems.boxes(in: user, 0..<user.count).first {
        $0.name.elementsEqual("meta".utf8)
      }
      var list = old.flatMap { FilmItems(Array(user[$0.content])) } ?? FilmItems(isNamed: false)
      for (key, text) in list.isNamed ? named : boxed { list.add(text, as: key) }
      if let old { user.removeSubrange((old.content.lowerBound - 8)..<old.content.upperBound) }
      user += Box.bytes("meta", list.content)
    }
    return (user.isEmpty ? [] : Box.bytes("udta", user))
      + (meta.map { Box.bytes("meta", $0) } ?? [])
  }

  private static let keys: [MetadataField: (named: String, boxed: String)] = [
    .title: ("title", "©nam"), .description: ("description", "desc"),
    .creator: ("author", "©ART"), .copyright: ("copyright", "cprt"),
    .keywords: ("keywords", "keyw"),
  ]

  private var named: [(key: String, text: String)] {
    tagged { $0.named }.map { ("com.apple.quicktime.\($0.key)", $0.text) }
  }

  private var boxed: [(key: String, text: String)] { tagged { $0.boxed } }

  private func tagged(
    _ key: ((named: String, boxed: String)) -> String
  ) -> [(key: String, text: String)] {
    texts.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { field, texts in
      Self.keys[field].map { (key($0), texts.joined(separator: ", ")) }
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

extension FilmVocabulary {
  /// The keys of timed metadata, from the description of a track's samples.
  ///
  /// - Source: Apple, "QuickTime File Format", "Timed Metadata Media".
  fileprivate static func timedKeys(in description: [UInt8]) -> [String] {
    let mark = Array("keyd".utf8)
    var keys: [String] = []
    for index in description.indices.dropFirst(4) where description[index...].starts(with: mark) {
      guard let length = description.number(at: index - 4, 4, .big), length > 12,
        index - 4 + length <= description.count
      else { continue }
      let name = description[(index + 8)..<(index - 4 + length)]
      keys.append(String(decoding: name, as: UTF8.self))
    }
    return keys
  }
}
