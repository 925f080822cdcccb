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

  private(set) var patterns: [[UInt8]] = []

  /// Collects the strings of `original` that `curation` denies, except strings that occur in
  /// `allowed`.
  init(_ original: Metadata, _ curation: Curation, besides allowed: [[UInt8]]) {
    if let exif = original.exif {
      for directory in EXIF.Directory.allCases {
        for entry in exif[directory] where Self.isDenied(entry, directory, curation) {
          add(entry.bytes)
          if entry.type.unit > 1 {
            let other = exif.inOrder(exif.order == .little ? .big : .little)
            add(other[directory].first { $0.tag == entry.tag }?.bytes ?? [])
          }
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
    if !curation.keepsComments { for text in original.comments { add(Array(text.utf8)) } }
    patterns.removeAll { pattern in allowed.contains { $0.contains(pattern) } }
  }

  private static func isDenied(
    _ entry: EXIF.Entry, _ directory: EXIF.Directory, _ curation: Curation
  ) -> Bool {
    guard case .group = EXIF.kind(of: entry.tag, in: directory) else { return false }
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
    let pattern = Array(bytes[first...last].prefix(Self.longest))
    if pattern.count >= Self.shortest && Set(pattern).count >= Self.variety
      && !patterns.contains(pattern)
    {
      patterns.append(pattern)
    }
  }

  /// The first of the strings that occurs in a file; nil if none does.
  func found(in source: ByteSource) -> [UInt8]? {
    if patterns.isEmpty { return nil }
    // A table of the first two bytes of all strings; it excludes most offsets without a full
    // comparison.
    var begins = [Bool](repeating: false, count: 1 << 16)
    var beginning: [Int: [[UInt8]]] = [:]
    for pattern in patterns {
      let pair = Int(pattern[0]) << 8 | Int(pattern[1])
      begins[pair] = true
      beginning[pair, default: []].append(pattern)
    }
    let window = 1 << 18
    for start in stride(from: 0, to: source.count, by: window) {
      let bytes = source.bytes(at: start, window + Self.longest)
      var pair = 0
      for index in bytes.indices {
        pair = (pair & 0xFF) << 8 | Int(bytes[index])
        guard begins[pair], index > 0 else { continue }
        let here = bytes[(index - 1)...]
        let candidates = beginning[pair] ?? []
        if let pattern = candidates.first(where: { here.starts(with: $0) }) { return pattern }
      }
    }
    return nil
  }
}
