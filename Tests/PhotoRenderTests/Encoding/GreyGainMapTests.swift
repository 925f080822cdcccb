import FileStructure
import Foundation
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoMetadata

/// Gain maps in colours of photos whose renditions have only greys.
@Suite struct GreyGainMapTests {
  private static let best: [String: Argument] = [
    "Q": .integer(98), "subsample-mode": .choice("off"),
  ]
  private static let weights = [0.2126, 0.7152, 0.0722]
  private static let sample = [200, 120, 40]
  private static let description = GainMapDescription(
    channels: [(-1.0, 3.0, 1.0), (0, 2, 1.25), (0.5, 1.5, 0.8)].map { minimum, maximum, gamma in
      .init(
        minimum: minimum, maximum: maximum, gamma: gamma, baseOffset: 0.015625,
        alternateOffset: 0.015625)
    }, baseHeadroom: 0, alternateHeadroom: 2.5)

  private static func file() throws -> [UInt8] {
    let payload = Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + description.bytes
    return UltraHDRFile.bytes(
      base: try Samples(96, 64) { x, y in [60 + x, 90 + y, 200 - x] }
        .file("jpegsave_target", best),
      map: try Samples.flat(sample, 48, 32).file("jpegsave_target", best),
      describedBy: UltraHDRFile.segment(0xE2, payload))
  }

  private static func map(_ filters: String, _ output: String = "") throws -> GainMap {
    let file = try Studio.develop(
      file(), "[\(filters)]", output: #""format": "jpeg"\#(output)"#)
    return try #require(GainMap(of: .bytes(file)))
  }

  /// The gain in stops of a sample of a channel.
  private static func stops(_ sample: Int, _ channel: GainMapDescription.Channel) -> Double {
    channel.minimum
      + (channel.maximum - channel.minimum) * pow(Double(sample) / 255, 1 / channel.gamma)
  }

  /// The gain is the mean of the logarithms of the channels' gains, weighted by luminance.
  @Test(arguments: [
    (#"{"filter": "blackAndWhite"}"#, ""),
    (#"{"filter": "blackAndWhite", "neutral": 0.3, "tone": 0.2, "grain": 0.2}"#, ""),
    (#"{"filter": "saturation", "amount": -1}"#, ""),
    (#"{"filter": "sepia"}, {"filter": "blackAndWhite"}, {"filter": "exposure"}"#, ""),
    ("", #", "profile": "grey""#),
  ])
  func theMapOfAGreyRenditionHasOneChannel(_ filters: String, _ output: String) throws {
    let map = try Self.map(filters, output)
    let channel = try #require(map.description.channels.first)
    #expect(map.description.channels.count == 1)
    let picture = try Samples(file: map.picture)
    #expect(picture.bands == 1)
    let wanted = (0..<3).reduce(0) {
      $0 + Self.weights[$1] * Self.stops(Self.sample[$1], Self.description.channels[$1])
    }
    let found = Self.stops(picture[picture.width / 2, picture.height / 2, 0], channel)
    #expect(abs(found - wanted) < 0.05, "\(found) \(wanted)")
  }

  /// Steps that keep some colour, or make some again, leave the map in colours.
  @Test(arguments: [
    "", #"{"filter": "blackAndWhite", "intensity": 0.5}"#,
    #"{"filter": "blackAndWhite", "opacity": 0.5}"#,
    #"{"filter": "blackAndWhite", "mask": {"luminance": {"min": 0.5}}}"#,
    #"{"filter": "saturation", "amount": -0.9}"#,
    #"{"filter": "blackAndWhite"}, {"filter": "sepia"}"#,
  ])
  func theMapOfAColouredRenditionKeepsItsChannels(_ filters: String) throws {
    let map = try Self.map(filters)
    #expect(map.description.channels.count == 3)
    #expect(try Samples(file: map.picture).bands == 3)
  }
}
