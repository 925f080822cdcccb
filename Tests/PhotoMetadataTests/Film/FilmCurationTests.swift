import Foundation
import PhotoMetadata
import PhotoRecipes
import TestRandom
import Testing

/// Policies for the boxes of films, also for damaged boxes.
@Suite struct FilmCurationTests {
  private static func number(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  private static func box(_ name: [UInt8], _ content: [UInt8]) -> [UInt8] {
    number(content.count + 8) + name + content
  }

  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    box(name.unicodeScalars.map { UInt8($0.value) }, content)
  }

  private static func data(_ text: String) -> [UInt8] {
    box("data", [0, 0, 0, 1, 0, 0, 0, 0] + text.utf8)
  }

  /// QuickTime's metadata with a place, a title and a key that is not known.
  private static let meta: [UInt8] = {
    let keys = ["location.ISO6709", "title", "reel"].map {
      box("mdta", Array("com.apple.quicktime.\($0)".utf8))
    }
    let values = ["+48.8577+002.2950+035.000/", "Old title", "A1"]
    let items = values.enumerated().map { box(number($0 + 1), data($1)) }
    return box(
      "hdlr", [UInt8](repeating: 0, count: 8) + "mdta".utf8 + [UInt8](repeating: 0, count: 13))
      + box("keys", number(0) + number(3) + keys.flatMap { $0 }) + box("ilst", items.flatMap { $0 })
  }()

  /// User data with a place of Android, one of 3GPP, a title, chapters and a maker's box.
  private static let user: [UInt8] = {
    let place = Array("+48.8577+002.2950/".utf8)
    let loci =
      [0, 0, 0, 0, 0x15, 0xC7] + Array("Paris\0".utf8) + [0]
      + number(150_405) + number(3_201_938) + number(0) + Array("earth\0\0".utf8)
    return box("\u{A9}xyz", [0, UInt8(place.count), 0x15, 0xC7] + place) + box("loci", loci)
      + box("titl", [0, 0, 0, 0, 0x15, 0xC7] + Array("Old title\0".utf8))
      + box("chpl", [1, 2, 3]) + box("Xtra", Array("secret".utf8)) + box("meta", meta)
  }()

  private static let description: XMP? = try? XMP(
    Array(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
       xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="10,30.0S"
       exif:GPSLongitude="20,15.0W"/></rdf:RDF>
      """.utf8))

  private static func policy(_ change: (inout MetadataPolicy) -> Void) -> MetadataPolicy {
    var policy = MetadataPolicy.all
    change(&policy)
    return policy
  }

  private static let curations = [
    FilmCuration(.all), FilmCuration(.web), FilmCuration(.none),
    FilmCuration(policy { $0.dropped = [.group(.gps)] }),
    FilmCuration(policy { $0.dropped = [.group(.title)] }),
    FilmCuration(policy { $0.position = .round(kilometres: 10) }),
    FilmCuration(.all, describedBy: description),
  ]

  private func has(_ bytes: [UInt8], _ text: String) -> Bool {
    bytes.firstRange(of: Array(text.utf8)) != nil
  }

  @Test func whatThePolicyDropsIsNotInTheBoxes() throws {
    let (all, web, none) = (Self.curations[0], Self.curations[1], Self.curations[2])
    #expect(all.userData(Self.user) == Self.user)
    #expect(all.meta(Self.meta) == Self.meta)
    #expect(web.meta(Self.meta) == nil && none.meta(Self.meta) == nil)
    for text in ["48.85", "Paris", "Old title", "secret"] {
      #expect(!has(web.userData(Self.user), text))
    }
    let placeless = Self.curations[3].userData(Self.user)
    #expect(!has(placeless, "48.85") && !has(placeless, "Paris") && !has(placeless, "secret"))
    #expect(has(placeless, "Old title") && has(placeless, "A1"))
    let untitled = Self.curations[4].userData(Self.user)
    #expect(!has(untitled, "Old title") && has(untitled, "48.8577") && has(untitled, "secret"))
    let described = Self.curations[6].userData(Self.user)
    #expect(!has(described, "48.85") && has(described, "-10.5000-020.2500/"))
  }

  /// The other items keep their keys if an item is removed.
  @Test func itemsKeepTheirKeys() throws {
    let new = try #require(Self.curations[3].meta(Self.meta))
    #expect(!has(new, "location"))
    let keys = try #require(new.firstRange(of: Array("keys".utf8)))
    #expect(Array(new[(keys.upperBound + 4)..<(keys.upperBound + 8)]) == Self.number(2))
    #expect(Self.curations[0].meta(new) == new && Self.curations[3].meta(new) == new)
  }

  /// Damaged boxes lose items; they never stop the program, and never give back a dropped place.
  @Test func damagedBoxesAreHandled() {
    var random = SeededGenerator(seed: 7)
    for curation in Self.curations {
      for length in 0...Self.user.count {
        _ = curation.userData(Array(Self.user.prefix(length)))
        _ = curation.meta(Array(Self.meta.prefix(length)))
      }
      for _ in 0..<2_000 {
        var (user, meta) = (Self.user, Self.meta)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          user[Int.random(in: 0..<user.count, using: &random)] = .random(
            in: 0...255, using: &random)
          let place = Int.random(in: 0..<meta.count, using: &random)
          meta[place] = Bool.random(using: &random) ? 0 : .random(in: 0...40, using: &random)
        }
        let made = curation.meta(meta)
        _ = curation.userData(user)
        _ = curation.headerBoxes(userData: user, meta: made, isQuickTime: .random(using: &random))
      }
    }
    // A list of keys without its head, and an item without a value.
    let short = Self.box("hdlr", [0, 0]) + Self.box("keys", [0]) + Self.box("ilst", [])
    let empty = Self.box("hdlr", [0, 0]) + Self.box("ilst", Self.box("loci", [0]))
    for curation in Self.curations {
      _ = (curation.meta(short), curation.meta(empty))
    }
  }

  @Test(arguments: [
    ("+48.8577+002.2950+035/", 48.8577, 2.295), ("-3348.5+15112.6/", -33.80833, 151.21),
    ("+401213.1-0750015.1/", 40.20364, -75.00419), ("+48-002/", 48, -2),
  ])
  func placesAreRounded(_ text: String, _ latitude: Double, _ longitude: Double) throws {
    let curation = Self.curations[5]
    let made = try #require(curation.text("location", text))
    let parts = made.dropLast().split(omittingEmptySubsequences: true) { "+-".contains($0) }
    #expect(try abs(#require(Double(parts[0])) - abs(latitude)) < 0.05, "\(made)")
    #expect(try abs(#require(Double(parts[1])) - abs(longitude)) < 0.08, "\(made)")
    for wrong in ["", "+", "+91+000/", "x", "+48", "+nan+nan/", "+4+1e9/"] {
      #expect(curation.text("location", wrong) == nil, "\(wrong)")
    }
  }
}
