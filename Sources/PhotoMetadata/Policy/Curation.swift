import FileStructure
import Notation
public import PhotoRecipes

/// Facts about a rendition that its metadata must state.
public struct RenditionFacts: Sendable, Hashable {
  public var width: Int
  public var height: Int
  public var isSRGB: Bool
  /// The output's resolution in pixels per inch; nil if the output sets none.
  public var dpi: Double?
  /// True if the rendition shows the original's whole frame, so that positions relative to the
  /// frame remain valid.
  public var keepsFrame: Bool
  /// The map from positions in the upright photo to positions in the rendition, both 0…1; nil if it
  /// is unknown.
  public var frame: Homography?
  /// The original's orientation, 1…8, from which the rendition was turned upright.
  public var orientation: Int
  /// The name and version of the program.
  public var software: String
  /// The recipe's identifier and version.
  public var recipe: String
  /// The original's file name; nil if unknown.
  public var original: String?
  /// The SHA-256 of the original's file, as 64 hexadecimal digits; nil if unknown.
  public var originalDigest: String?

  /// The map of positions, 0…1, from the photo to the rendition; nil if unknown.
  ///
  /// The map is `frame`, or the identity if the rendition keeps the whole frame.
  var map: Homography? { frame ?? (keepsFrame ? .identity : nil) }

  /// The map of positions, 0…1, from the photo as stored to the rendition; nil if unknown.
  var fromStored: Homography? {
    let orientation = Orientation(rawValue: orientation) ?? .upright
    return map?.after(orientation.stored.inverse)
  }

  /// The map of positions, 0…1, from the rendition to the photo as stored; nil if unknown.
  public var fromRendition: Homography? { fromStored?.inverse }

  public init(
    width: Int, height: Int, isSRGB: Bool, dpi: Double? = nil, keepsFrame: Bool = false,
    frame: Homography? = nil, orientation: Int = 1,
    software: String = "phbatch", recipe: String = "", original: String? = nil,
    originalDigest: String? = nil
  ) {
    self.width = width
    self.height = height
    self.isSRGB = isSRGB
    self.dpi = dpi
    self.keepsFrame = keepsFrame
    self.frame = frame
    self.orientation = orientation
    self.software = software
    self.recipe = recipe
    self.original = original
    self.originalDigest = originalDigest
  }
}

/// Selects a rendition's metadata from its original's metadata, by a policy.
public struct Curation: Sendable {
  let policy: MetadataPolicy
  let facts: RenditionFacts
  /// The values of the placeholders in texts.
  let values: [String: String]

  public init(
    _ policy: MetadataPolicy, for facts: RenditionFacts, values: [String: String] = [:]
  ) {
    self.policy = policy.withRuleForMakerNote
    self.facts = facts
    self.values = values
  }

  /// The rendition's metadata.
  public func curated(_ original: Metadata) -> Metadata {
    curated(original, lists: original.lists)
  }

  /// The rendition's metadata; `lists` are the items of the placeholders that stand for lists.
  func curated(_ original: Metadata, lists: [String: [String]]) -> Metadata {
    var result = Metadata()
    result.warnings = original.warnings
    result.exif = original.exif.map(filtered)
    result.xmp = original.xmp.map(filtered)
    result.iptc = original.iptc.map(filtered)
    if keepsComments { result.comments = original.comments }
    result.texts = original.texts.filter(keeps)
    if case .round(let kilometres) = policy.effectivePosition {
      result.roundCoordinates(kilometres: kilometres)
    }
    recordHistory(&result)
    setTexts(&result, lists)
    describe(&result)
    if result.exif?.isEmpty == true { result.exif = nil }
    if result.xmp?.isEmpty == true { result.xmp = nil }
    if result.iptc?.isEmpty == true { result.iptc = nil }
    return result
  }

  func keeps(_ entry: EXIF.Entry, in directory: EXIF.Directory) -> Bool {
    guard case .group(let group) = EXIF.kind(of: entry.tag, in: directory) else { return false }
    if group == .gps && directory != .gps && !keepsPicturePositions { return false }
    // Such a picture is a preview of the original.
    if group == .other && MakerNote.holdPicture(entry.bytes) { return false }
    return policy.keeps(EXIF.naming(of: entry.tag, in: directory), of: group)
  }

  /// True if the coordinates of the picture's corners, as in GeoTIFF, are kept.
  ///
  /// phbatch can neither move nor round these coordinates. They are kept only if the rendition has
  /// the original's frame and orientation, and the policy keeps exact positions.
  private var keepsPicturePositions: Bool {
    facts.keepsFrame && facts.orientation == 1 && policy.effectivePosition == .keep
  }

  /// True if the positions of regions remain valid in the rendition.
  private var keepsRegions: Bool { facts.keepsFrame && facts.orientation == 1 }

  /// True if the positions of a region remain valid in the rendition, or can be moved with its
  /// pixels.
  private func holds(region name: MarkupName) -> Bool {
    keepsRegions || (facts.map != nil && MovedRegions.properties.contains(name))
  }

  func keeps(_ property: MarkupElement) -> Bool {
    guard case .group(let group) = XMP.kind(of: property.name) else { return false }
    if PeopleAndPlaces.isRegion(property.name) && !holds(region: property.name) { return false }
    return policy.keeps(XMP.naming(of: property.name.prefixed), of: group)
  }

  func keeps(_ set: IPTC.DataSet) -> Bool {
    guard case .group(let group) = IPTC.kind(of: set) else {
      return set.record == 1 && set.number == 90
    }
    return policy.keeps(IPTC.naming(of: set), of: group)
  }

  func keeps(_ text: PNGFile.Text) -> Bool { policy.keeps(.init(), of: text.group) }

  /// True if the container's comments are kept, by the rules for the user comment of EXIF and XMP.
  var keepsComments: Bool {
    var naming = XMP.naming(of: "exif:UserComment")
    // The comments are in no directory of EXIF.
    naming.families = [.property("exif:*")]
    return policy.keeps(naming, of: .comment)
  }

  private func filtered(_ exif: EXIF) -> EXIF {
    var exif = exif
    exif.removeAll { !keeps($1, in: $0) }
    exif.removePictures()
    return exif
  }

  func filtered(_ xmp: XMP) -> XMP {
    var xmp = xmp
    xmp.removeAll { !keeps($0) }
    xmp.removeNestedThumbnails()
    xmp.replaceAll(withoutDeniedParts)
    if !keepsRegions, let moved = MovedRegions(facts) {
      for case let regions? in MovedRegions.properties.map({ xmp[$0] }) {
        xmp.remove(regions.name)
        moved.moved(regions).map { xmp.set($0) }
      }
    }
    return xmp
  }

  private func filtered(_ iptc: IPTC) -> IPTC {
    var iptc = iptc
    iptc.removeAll { !keeps($0) }
    return iptc
  }

  /// Sets the tags that describe how the rendition is stored, if the metadata has any tags.
  private func describe(_ metadata: inout Metadata) {
    if var exif = metadata.exif, !exif.isEmpty {
      exif.set(.orientation, short: 1)
      exif.set(.colourSpace, short: facts.isSRGB ? 1 : 0xFFFF)
      exif.set(.pixelWidth, long: facts.width)
      exif.set(.pixelHeight, long: facts.height)
      let version = Array("0232".utf8)
      exif.set(EXIF.Entry(tag: 0x9000, type: .undefined, bytes: version), in: .photo)
      if let dpi = facts.dpi {
        let resolution = [(numerator: Int((dpi * 1000).rounded()), denominator: 1000)]
        exif.set(.xResolution, fractions: resolution)
        exif.set(.yResolution, fractions: resolution)
        exif.set(.resolutionUnit, short: 2)
      }
      metadata.exif = exif
    }
    if metadata.xmp?[Self.settingsFlag] != nil || metadata.xmp?.hasSettings == true {
      // Without this flag, Camera Raw would apply the settings a second time.
      metadata.xmp?.set(Self.settingsFlag, text: "True")
    }
  }

  private static let settingsFlag = MarkupName(XMPNamespace.cameraRaw, "AlreadyApplied")
}

extension XMP {
  /// True if the packet contains settings of Camera Raw.
  var hasSettings: Bool {
    properties.contains { $0.name.namespace == XMPNamespace.cameraRaw }
  }
}
