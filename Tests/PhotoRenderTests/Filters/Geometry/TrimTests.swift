import PhotoRecipes
import TestSupport
import Testing

/// Plain borders are removed; the picture inside them stays.
@Suite struct TrimTests {
  private static let photo = Samples.noise(60, 40, to: 190)

  private static func developed(
    _ filters: String, _ photo: Samples, rendering: String
  ) throws -> Samples {
    try Samples(file: Studio.develop(photo.file(), "[\(filters)]", rendering: rendering))
  }

  @Test(arguments: ["balanced", "exact"]) func aPlainBorderIsTrimmed(_ rendering: String) throws {
    let border = Border.step(##""width": 9, "colour": "#ffffff""##)
    let filters = "\(border), \(Trim.step(#""threshold": 0.2"#))"
    #expect(try Self.developed(filters, Self.photo, rendering: rendering) == Self.photo)
  }

  /// In a large photo, the whole border is removed, and only a little of the subject.
  ///
  /// With exact rendering, none of the subject is removed.
  @Test(arguments: ["balanced", "exact"]) func theWholeBorderOfALargePhotoIsTrimmed(
    _ rendering: String
  ) throws {
    let photo = Samples.flat([10, 20, 200], 1501, 1103)
    let pad = PadFilter.step(##""width": 2600, "height": 1903, "colour": "#fafafa""##)
    let found = try Self.developed("\(pad), \(Trim.step(""))", photo, rendering: rendering)
    #expect(Set(found.values) == [10, 20, 200])
    if rendering == "exact" {
      #expect(found.width == 1501 && found.height == 1103)
    } else {
      #expect(found.width > 1501 - 12 && found.height > 1103 - 12)
    }
  }

  /// The subject is the box from (12, 5) to (32, 25) in 60 × 40 pixels.
  @Test func settingsDecideWhichBordersAreTrimmed() throws {
    let photo = Samples(60, 40) { x, y in
      (12..<32).contains(x) && (5..<25).contains(y) ? [200, 40, 40] : [30, 30, 30]
    }
    func size(_ settings: String) throws -> [Int] {
      let found = try Trim.applied(to: photo, settings)
      return [found.width, found.height]
    }
    #expect(try size("") == [20, 20])
    // Both sides lose as much as the narrower border.
    #expect(try size(#""evenAcross": true"#) == [36, 20])
    #expect(try size(#""evenDown": true"#) == [20, 30])
    // The photo has no border of this colour.
    #expect(try size(##""colour": "#ffffff""##) == [60, 40])
    #expect(try Trim.applied(to: .flat([30, 30, 30], 9, 7)) == .flat([30, 30, 30], 9, 7))
  }
}
