import Foundation
import TestRandom
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Damaged and odd profiles: phbatch uses those that Little CMS uses.
///
/// `PHBATCH_SOAK=1` selects the larger number of damaged profiles.
@Suite(.enabled(if: LittleCMS.isHere)) struct ProfileVerdictTests {
  /// The profile, with the type signature of the named tags replaced by `type`.
  private static func profile(
    _ bytes: [UInt8], withTypeOf names: Set<String>, _ type: [UInt8]
  ) -> [UInt8] {
    var profile = bytes
    for entry in stride(from: 132, to: 132 + 12 * Int(bytes[131]), by: 12)
    where names.contains(String(decoding: bytes[entry..<entry + 4], as: UTF8.self)) {
      let place = bytes[entry + 4..<entry + 8].reduce(0) { $0 << 8 | Int($1) }
      profile.replaceSubrange(place..<place + 4, with: type)
    }
    return profile
  }

  private static let colorants: Set<String> = ["rXYZ", "gXYZ", "bXYZ"]
  private static let corbis: [UInt8] = [0x17, 0xA5, 0x05, 0xB8]

  private static func photo(_ profile: [UInt8], bands: Int, _ colour: [Int]) throws -> [UInt8] {
    let image = try Samples.flat(Array(colour.prefix(bands)), 1, 1).image()
    let space = bands == 4 ? "cmyk" : bands == 1 ? "b-w" : "srgb"
    return try ProfiledFile.tiff(
      image.applying("copy", ["interpretation": .choice(space)]), profile)
  }

  /// True if a photo's colours are converted by its profile.
  private static func uses(_ profile: [UInt8], bands: Int) throws -> Bool {
    let header = try Renderer.header(of: .bytes(photo(profile, bands: bands, [200, 100, 50, 30])))
    return SourceColour(header).warning == nil
  }

  /// /// True if phbatch can read the profile's matrix and curves, or its grey curve.
  private static func isWhole(_ profile: [UInt8]) -> Bool {
    switch ICCProfile(profile) {
    case .matrix, .grey: true
    case .table, nil: false
    }
  }

  /// Programs by Corbis wrote a wrong type signature into the colorant tags; Little CMS accepts
  /// these profiles, and so does phbatch.
  @Test func aProfileWhoseColorantTagsHaveAWrongTypeIsUsed() throws {
    let broken = Self.profile(
      StandardProfile.displayP3.bytes, withTypeOf: Self.colorants, Self.corbis)
    let colours = [200, 100, 50]
    let file = try Studio.develop(Self.photo(broken, bands: 3, colours), "[]")
    let wanted = try #require(LittleCMS.colour(of: colours, broken))
    let found = try Samples(file: file)[0, 0]
    #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= 1 }, "\(found), not \(wanted)")
    #expect(wanted != colours)
    #expect(try Self.uses(broken, bands: 3))
    let other = Self.profile(
      StandardProfile.displayP3.bytes, withTypeOf: Self.colorants, [0x17, 0xA5, 0x05, 0xB9])
    #expect(LittleCMS.colour(of: colours, other) == nil)
    #expect(try !Self.uses(other, bands: 3))
  }

  @Test(.enabled(if: Corpus.isHere)) func phbatchUsesTheSameProfilesAsLittleCMS() throws {
    var seen: Set<[UInt8]> = []
    for path in ["icc", "photos", "metadata", "aux", "formats"].flatMap(Corpus.files) {
      guard let image = try? Image.load(from: Source(file: path)),
        let profile = image.blob("icc-profile-data"), seen.insert(profile).inserted,
        let bands = LittleCMS.bands(of: profile)
      else { continue }
      let wanted = LittleCMS.uses(profile)
      #expect(try Self.uses(profile, bands: bands) == wanted, "\(path)")
    }
    #expect(seen.count > 20)
  }

  @Test func phbatchUsesTheSameDamagedProfilesAsLittleCMS() throws {
    var random = SeededGenerator(seed: 7)
    let grey = Profiles.grey(gamma: 2.2)
    let sources = Profiles.named.map(\.profile.bytes) + [grey, Profiles.swapped]
    var counts = [true: 0, false: 0]
    for number in 0..<(TestVolume.isWhole ? 10_000 : 300) {
      let source = sources[number % sources.count]
      var profile = source
      for _ in 0...Int.random(in: 0..<3, using: &random) { random.mutate(&profile) }
      // phbatch deliberately ignores a profile whose matrix maps all colours to a plane; see
      // `ColourTests`.
      if case nil = ICCProfile(profile), LittleCMS.hasFlatColorants(profile) { continue }
      let bands = source == grey ? 1 : 3
      let wanted = LittleCMS.uses(profile, bands: bands)
      let found = try Self.uses(profile, bands: bands)
      counts[wanted, default: 0] += 1
      // Little CMS refuses some profiles for damage in their headers, although their curves and
      // their matrix are intact.
      if found && !wanted && Self.isWhole(profile) { continue }
      #expect(found == wanted, "profile \(number)")
    }
    print("profiles: \(counts[true] ?? 0) used, \(counts[false] ?? 0) not used, as by Little CMS")
  }
}
