import FileStructure
import Notation
import PhotoRecipes

/// Byte strings that must not occur anywhere in a rendition: the values in the original's metadata
/// that the policy denies, if they are long and varied enough not to occur by chance.
struct DeniedBytes {
  private static let shortest = 6
  private static let longest = 64
  /// The minimum number of different bytes in a string, because runs of spaces or zeros occur in
  /// many pictures.
  private static let variety = 4

  private var patterns: Set<ArraySlice<UInt8>> = []
  /// The lengths of the strings that have the same key, which is the number in their first six
  /// bytes.
  ///
  /// The time of a search does not depend on the number of strings, because the strings at an
  /// offset are looked up by their key and length.
  private var lengths: [UInt64: [Int]] = [:]
  /// True for the first two bytes of a string; the table excludes most offsets without a look-up.
  private var begins = [Bool](repeating: false, count: 1 << 16)

  /// Collects the strings of `original` that `curation` denies, except strings that occur in
  /// `allowed`.
  init(_ original: Metadata, _ curation: Curation, besides allowed: [[UInt8]]) {
    if let exif = original.exif {
      let swapped = exif.inOrder(exif.order == .little ? .big : .little)
      for directory in EXIF.Directory.allCases {
        for (entry, other) in zip(exif[directory], swapped[directory])
        where Self.isDenied(entry, directory, curation) {
          add(entry.bytes)
          add(other.bytes)
        }
      }
    }
    for property in original.xmp?.properties ?? [] {
      guard case .group = XMP.kind(of: property.name) else { continue }
      let isRounded = XMP.kind(of: property.name) == .group(.gps) && Self.rounds(curation)
      if curation.keeps(property) && !isRounded {
        for part in curation.deniedParts(of: property) { add(part) }
      } else {
        add(property)
      }
    }
    for set in original.iptc?.dataSets ?? [] {
      if case .group = IPTC.kind(of: set), !curation.keeps(set) { add(set.bytes) }
    }
    for text in original.texts where !curation.keeps(text) { add(Array(text.text.utf8)) }
    if !curation.keepsComments { for text in original.comments { add(Array(text.utf8)) } }
    for bytes in allowed {
      var occurring: Set<ArraySlice<UInt8>> = []
      _ = first(in: bytes) { pattern in
        occurring.insert(pattern)
        return false
      }
      patterns.subtract(occurring)
    }
  }

  private static func isDenied(
    _ entry: EXIF.Entry, _ directory: EXIF.Directory, _ curation: Curation
  ) -> Bool {
    // The first bytes of a preview occur in other JPEG files, too.
    guard case .group = EXIF.kind(of: entry.tag, in: directory),
      !MakerNote.holdPicture(entry.bytes)
    else { return false }
    return directory == .gps && rounds(curation) || !curation.keeps(entry, in: directory)
  }

  /// True if the policy rounds coordinates, so that exact coordinates are denied.
  private static func rounds(_ curation: Curation) -> Bool {
    if case .round = curation.policy.effectivePosition { true } else { false }
  }

  private mutating func add(_ property: MarkupElement) {
    add(Array(property.text.trimmed.utf8))
    for attribute in property.attributes { add(Array(attribute.value.utf8)) }
    for child in property.children { add(child) }
  }

  private mutating func add(_ bytes: [UInt8]) {
    let isPadding = { (byte: UInt8) in byte == 0 || byte == 0x20 }
    guard let first = bytes.firstIndex(where: { !isPadding($0) }),
      let last = bytes.lastIndex(where: { !isPadding($0) })
    else { return }
    let pattern = Array(bytes[first...last].prefix(Self.longest))[...]
    guard pattern.count >= Self.shortest, Set(pattern).count >= Self.variety,
      patterns.insert(pattern).inserted
    else { return }
    let key = pattern.prefix(Self.shortest).reduce(0, Self.key)
    begins[Self.beginning(of: key)] = true
    if lengths[key]?.contains(pattern.count) != true {
      lengths[key, default: []].append(pattern.count)
    }
  }

  /// The key of the last six bytes, after one more byte.
  private static func key(_ key: UInt64, _ byte: UInt8) -> UInt64 {
    (key << 8 | UInt64(byte)) & (1 << (8 * UInt64(shortest)) - 1)
  }

  /// The number in the first two bytes of a key.
  private static func beginning(of key: UInt64) -> Int { Int(key >> (8 * UInt64(shortest - 2))) }

  /// The first of the strings that occurs in a file; nil if none does.
  func found(in source: ByteSource) -> [UInt8]? {
    if patterns.isEmpty { return nil }
    let window = 1 << 18
    for start in stride(from: 0, to: source.count, by: window) {
      let bytes = source.bytes(at: start, window + Self.longest)
      if let pattern = first(in: bytes, where: { _ in true }) { return Array(pattern) }
    }
    return nil
  }

  /// The first of the strings that occurs in `bytes` and that `isWanted` accepts; nil if there is
  /// none.
  private func first(
    in bytes: [UInt8], where isWanted: (ArraySlice<UInt8>) -> Bool
  ) -> ArraySlice<UInt8>? {
    var key: UInt64 = 0
    for index in bytes.indices {
      key = Self.key(key, bytes[index])
      guard begins[Self.beginning(of: key)], let lengths = lengths[key] else { continue }
      let rest = bytes[max(0, index + 1 - Self.shortest)...]
      for length in lengths {
        let pattern = rest.prefix(length)
        if patterns.contains(pattern), isWanted(pattern) { return pattern }
      }
    }
    return nil
  }
}
