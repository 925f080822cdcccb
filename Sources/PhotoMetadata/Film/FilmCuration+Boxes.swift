import FileStructure
import PhotoRecipes

/// Boxes of the ISO base media format.
extension FilmCuration {
  /// True if a track with timed metadata stays; `description` is its sample description.
  public func keepsTrack(describedBy description: [UInt8]) -> Bool {
    if keepsAll { return true }
    let keys = FilmVocabulary.timedKeys(in: description)
    return keys.isEmpty
      ? keepsUnknown && policy.effectivePosition == .keep
      : keys.allSatisfy { text($0, "") != nil }
  }

  /// True if a box `uuid` with this content stays where it is; XMP belongs to the packet.
  public func keepsBox(_ content: [UInt8]) -> Bool {
    keepsAll || keepsUnknown && !content.starts(with: XMP.boxIdentifier)
  }

  /// The content of a box `udta`.
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
      // The item has no text that could be replaced.
      if old.isEmpty { return nil }
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
