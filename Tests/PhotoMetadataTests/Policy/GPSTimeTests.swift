import FileStructure
import PhotoRecipes
import Testing

@testable import PhotoMetadata

/// The date and the time of GPS belong to the groups `gps` and `date`.
@Suite struct GPSTimeTests {
  private static let facts = RenditionFacts(width: 60, height: 40, isSRGB: true)

  private static func policy(
    _ preset: MetadataPolicy.Preset, keep: [MetadataGroup] = [], drop: [MetadataGroup] = [],
    _ position: MetadataPolicy.Position? = nil
  ) -> MetadataPolicy {
    var policy = MetadataPolicy(preset)
    policy.kept = keep.map { .group($0) }
    policy.dropped = drop.map { .group($0) }
    policy.position = position
    return policy
  }

  /// The date, the time, and the date and time of GPS, each in metadata of its own.
  private static let times: [Metadata] = {
    var (date, time, both) = (Metadata(), Metadata(), Metadata())
    var exif = EXIF()
    exif.set(EXIF.Entry(tag: 0x1D, type: .ascii, bytes: Array("2020:01:02\0".utf8)), in: .gps)
    date.exif = exif
    exif = EXIF()
    let parts: [UInt8] = [3, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0]
    exif.set(EXIF.Entry(tag: 0x07, type: .rational, bytes: parts), in: .gps)
    time.exif = exif
    both.xmp = XMP()
    both.xmp?.set(.exif("GPSTimeStamp"), text: "2020-01-02T03:04:05Z")
    return [date, time, both]
  }()

  /// A photo with coordinates, and with the date and the time of GPS in EXIF and XMP.
  private static let photo: Metadata = {
    var photo = Metadata()
    var (exif, xmp) = (EXIF(), XMP())
    exif.set(Coordinates(latitude: 48.5, longitude: 2.5))
    xmp.set(Coordinates(latitude: 48.5, longitude: 2.5))
    for one in times {
      for entry in one.exif?[.gps] ?? [] { exif.set(entry, in: .gps) }
      for property in one.xmp?.properties ?? [] { xmp.set(property) }
    }
    (photo.exif, photo.xmp) = (exif, xmp)
    return photo
  }()

  static let kept: [MetadataPolicy] = [
    .all, .archive, policy(.none, keep: [.gps, .date]), policy(.web, keep: [.date], .keep),
  ]
  static let dropped: [MetadataPolicy] = [
    policy(.all, drop: [.date]), policy(.archive, drop: [.date]), policy(.none, keep: [.gps]),
    policy(.web, keep: [.gps]), policy(.all, drop: [.date], .keep),
  ]
  static let rounded = policy(.all, .round(kilometres: 10))

  @Test(arguments: kept.map { ($0, true) } + (dropped + [rounded]).map { ($0, false) })
  func theDateAndTimeOfGPSAreKeptOnlyWithBothGroups(
    _ policy: MetadataPolicy, _ isKept: Bool
  ) throws {
    let curation = Curation(policy, for: Self.facts)
    let file = try curation.curated(Self.photo).embedded(in: Specimen.plain("jpeg"))
    try Audit(Self.photo, curation).check(.bytes(file))
    let found = Metadata(of: .bytes(file))
    let tags = (found.exif?[.gps] ?? []).map(\.tag)
    #expect(tags.contains(0x02) && found.xmp?[.exif("GPSLatitude")] != nil, "\(policy)")
    #expect(tags.contains(0x07) == isKept && tags.contains(0x1D) == isKept, "\(policy)")
    #expect((found.xmp?[.exif("GPSTimeStamp")] != nil) == isKept, "\(policy)")
  }

  @Test(arguments: dropped) func theAuditFindsTheDateAndTimeOfGPS(
    _ policy: MetadataPolicy
  ) throws {
    let audit = Audit(Metadata(), Curation(policy, for: Self.facts))
    for time in Self.times {
      let file = try time.embedded(in: Specimen.plain("jpeg"))
      #expect(throws: MetadataError.self, "\(policy)") { try audit.check(.bytes(file)) }
    }
  }
}
