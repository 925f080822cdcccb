import Foundation
import PhotoRecipes
import TestSupport
import Testing

/// Nine zones of tones, one stop apart; each setting moves one zone.
@Suite struct ToneEqualizerTests {
  /// A display-encoded grey that is `stops` below white.
  private static func grey(_ stops: Double) -> Double { PointFormulas.display(exp2(-stops)) }

  /// In a flat photo the local base equals the photo, so all its pixels move by the setting of
  /// their zone.
  @Test(arguments: [
    (1, -0.5), (2, -0.8), (3, 0.4), (4, 0.7), (5, -0.6), (6, 0.8), (7, 0.5), (8, -0.4), (9, 0.6),
  ]) func theTonesOfAZoneMoveByItsSetting(_ zone: Int, _ stops: Double) throws {
    let place = Double(zone)
    let found = try ToneEqualizer.applied(toFlat: Self.grey(place), #""zone\#(zone)": \#(stops)"#)
    #expect(abs(found - Self.grey(place - stops)) < 0.002, "\(zone): \(found)")
    // A tone two zones away does not move.
    let other = place > 4 ? place - 2.5 : place + 2.5
    let far = try ToneEqualizer.applied(toFlat: Self.grey(other), #""zone\#(zone)": \#(stops)"#)
    #expect(abs(far - Self.grey(other)) < 0.002, "\(zone): \(far) at \(other)")
  }

  /// If all zones have the same setting, the effect is a change of exposure for tones from one stop
  /// below white downwards.
  @Test func equalSettingsOfAllZonesDarkenLikeExposure() throws {
    let settings = (1...9).map { "\"zone\($0)\": -1" }.joined(separator: ", ")
    for place in [1, 2, 2.5, 4, 6.7, 8, 10] {
      let found = try ToneEqualizer.applied(toFlat: Self.grey(place), settings)
      #expect(abs(found - Self.grey(place + 1)) < 0.003, "\(place): \(found)")
    }
    #expect(try ToneEqualizer.applied(toFlat: 1, settings) == 1)
  }

  /// If the settings would move a zone past another, both zones meet in the middle, so the order of
  /// tones stays.
  @Test func extremeSettingsKeepTheOrderOfTheZones() throws {
    let settings = #""zone4": -2, "zone5": 2"#
    let found = try stride(from: 8.0, through: 0, by: -0.25).map {
      try ToneEqualizer.applied(toFlat: Self.grey($0), settings)
    }
    for (darker, brighter) in zip(found, found.dropFirst()) { #expect(darker < brighter) }
    // The two zones meet in the middle, 0.15 stops apart.
    #expect(abs(found[16] - Self.grey(4.425)) < 0.002 && abs(found[12] - Self.grey(4.575)) < 0.002)
    #expect(found.last == 1)
  }

  /// A bright area keeps its tone beside brightened shadows, and the edge gets no halo.
  @Test func brightenedShadowsDoNotChangeABrightAreaBesideThem() throws {
    let photo = Samples.edge(0.15, 0.85, 240, 120)
    let settings = #""zone9": 1, "zone8": 1, "zone7": 1, "zone6": 1, "zone5": 1"#
    let found = try ToneEqualizer.applied(to: photo, settings)
    #expect(abs(found[180, 60, 1] - photo[180, 60, 1]) < 300)
    #expect(found[60, 60, 1] - photo[60, 60, 1] > 4_400)
    // Two levels of 255.
    let dark = (0..<110).map { found[$0, 60, 1] }
    #expect((dark.max() ?? 0) - (dark.min() ?? 0) < 2 * 257)
    try ToneEqualizer.expectNoChange(#""zone4": 0"#)
  }
}
