/// The photo's metadata that a rendition keeps, and the metadata that phbatch adds.
///
/// The colour profile is always embedded, and the orientation tag always matches the pixels.
public struct MetadataPolicy: Sendable, Hashable {
  public enum Preset: String, Choice {
    /// Copyright and creator.
    case web
    /// Everything that is valid for the rendition, except other programs' settings.
    case all
    /// Everything that is valid for the rendition.
    case archive
    case none
  }

  /// The treatment of coordinates.
  public enum Position: Sendable, Hashable {
    case keep
    case drop
    /// Coordinates rounded to a grid of this many kilometres, without other GPS data.
    case round(kilometres: Double)
  }

  /// The modification time of the rendition's file.
  public enum FileTime: String, Choice {
    /// The time at which the file is written.
    case now
    /// The modification time of the original file.
    case original
    /// The capture time, or the time of `original` if it is unknown.
    case exif
  }

  /// The items that a list keeps or drops.
  public enum Rule: Sendable, Hashable {
    case group(MetadataGroup)
    /// An XMP property such as `dc:subject`, or all properties of a prefix: `crs:*`.
    case property(String)
    /// An EXIF tag by its number, in any directory.
    case tag(UInt16)
  }

  public var preset: Preset
  public var kept: [Rule] = []
  public var dropped: [Rule] = []
  /// The treatment of coordinates; nil if the preset decides.
  public var position: Position?
  public var texts: [MetadataField: [TextTemplate]] = [:]
  public var fileTime = FileTime.now

  public init(_ preset: Preset) { self.preset = preset }

  public static let web = MetadataPolicy(.web)
  public static let all = MetadataPolicy(.all)
  public static let archive = MetadataPolicy(.archive)
  public static let none = MetadataPolicy(.none)
}

extension MetadataPolicy {
  /// The resulting treatment of coordinates.
  ///
  /// A rule that drops one part of the coordinates drops all parts.
  public var effectivePosition: Position {
    if dropped.contains(where: \.deniesCoordinates) { return .drop }
    if let position { return position }
    if dropped.contains(.group(.gps)) { return .drop }
    if kept.contains(.group(.gps)) { return .keep }
    return preset == .all || preset == .archive ? .keep : .drop
  }

  /// True if a group is kept, unless a rule names one of its members.
  ///
  /// Place names and the maker's block reveal where the photo was taken. Unless a rule keeps them,
  /// both are dropped if the coordinates are dropped; the maker's block is also dropped if the
  /// coordinates are rounded. The block repeats facts of other groups, such as serial numbers and
  /// the lens, so it is also dropped if a rule drops one of these groups.
  public func keeps(_ group: MetadataGroup) -> Bool {
    if group == .gps { return effectivePosition != .drop }
    if dropped.contains(.group(group)) { return false }
    if kept.contains(.group(group)) { return true }
    switch (group, effectivePosition) {
    case (.location, .drop), (.makerNote, .drop), (.makerNote, .round): return false
    case (.makerNote, .keep)
    where MetadataGroup.statedByMakers.contains { dropped.contains(.group($0)) }:
      return false
    default: break
    }
    switch preset {
    case .web: return group == .copyright || group == .creator
    case .all: return group != .settings
    case .archive: return true
    case .none: return false
    }
  }

  /// True if an XMP property of a group is kept; `name` is in the form `dc:title`.
  public func keeps(property name: String, of group: MetadataGroup) -> Bool {
    keeps(Naming(property: name), of: group)
  }

  /// True if an EXIF tag of a group is kept.
  public func keeps(tag: UInt16, of group: MetadataGroup) -> Bool {
    keeps(Naming(names: [.tag(tag)]), of: group)
  }

  /// True if a field of a group is kept; rules can name the field in several ways.
  public func keeps(_ naming: Naming, of group: MetadataGroup) -> Bool {
    if group == .gps && effectivePosition == .drop { return false }
    if naming.denials.contains(where: dropped.contains) { return false }
    if naming.names.contains(where: kept.contains) { return true }
    if naming.families.contains(where: dropped.contains) { return false }
    return (naming.synonyms + naming.families).contains(where: kept.contains)
      || ([group] + naming.otherGroups).allSatisfy { keeps($0) }
  }

  /// The rules that apply to a field of a file.
  public struct Naming: Sendable, Hashable {
    /// The rules that keep or drop the field by its own name.
    public var names: [Rule]
    /// The rules for the same fact in other blocks of the file, which keep or drop this field, too.
    public var synonyms: [Rule]
    /// The rules for the fact that this field, which belongs to one program, repeats.
    ///
    /// They drop this field, but do not keep it, because it can state more than the fact.
    public var originals: [Rule]
    /// The rules that keep or drop the field together with others.
    public var families: [Rule]
    /// Further groups of the field, which is kept only if they are kept, too.
    public var otherGroups: [MetadataGroup]

    /// Creates the rules; `properties` are the names of properties with the field's meaning whose
    /// families include the field.
    public init(
      names: [Rule] = [], synonyms: [Rule] = [], originals: [Rule] = [], families: [Rule] = [],
      likeProperties properties: [String] = [], otherGroups: [MetadataGroup] = []
    ) {
      (self.names, self.synonyms, self.originals) = (names, synonyms, originals)
      self.families = families + properties.compactMap { Rule.property($0).family }
      self.otherGroups = otherGroups
    }

    public init(property name: String) {
      let rule = Rule.property(name)
      self.init(names: [rule], families: [rule.family].compactMap { $0 })
    }

    /// The rules that drop the field by its name or by another name of the fact.
    public var denials: [Rule] { names + synonyms + originals }
  }
}

extension MetadataPolicy.Rule {
  /// The rule for the EXIF tag that refers to the GPS directory.
  public static let gpsDirectory = Self.tag(0x8825)

  /// The rule for all properties with the prefix of this property.
  fileprivate var family: Self? {
    guard case .property(let name) = self else { return nil }
    return name.split(separator: ":").first.map { .property("\($0):*") }
  }

  /// True if the rule names a latitude, a longitude, or the block that contains them.
  fileprivate var deniesCoordinates: Bool {
    switch self {
    case .tag(1...4), .gpsDirectory, .property("exif:*"), .property("exif:GPSLatitude"),
      .property("exif:GPSLongitude"):
      true
    case .tag, .property, .group: false
    }
  }
}
