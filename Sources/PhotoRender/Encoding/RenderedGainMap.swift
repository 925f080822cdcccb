import Glibc
import PhotoMetadata
import PhotoRecipes
import Vips

/// The gain map of a rendition: the gain map of the photo, cropped, rotated and resized like the
/// photo, and without effect beside the photo and below drawings.
struct RenderedGainMap {
  let map: GainMap
  let geometry: MapGeometry
  /// The parts of the rendition that drawings cover.
  let coverings: [Covering]

  /// True if the rendition has only greys.
  ///
  /// The map then has one channel, because different gains of the channels would colour the greys.
  let isGrey: Bool

  /// Returns the map.
  func made() throws(VipsError) -> GainMap {
    let part = try geometry.part(of: map.picture)
    var description = map.description
    // For a map with one channel, the decoder of HEIC files returns three equal channels.
    let levels = try MapLevels(
      part.picture, joinsEqual: description.channels.count == 1, map.described)
    let visible = coverings.visible(at: part.size, in: geometry.visible)
    func values(_ channel: Int) -> [Float] {
      let neutral = Float(map.description.neutral(channel))
      let band = min(channel, levels.bands - 1)
      let values = part.values { levels[$0, band] }
      return values.enumerated().map { pixel, value in
        min(max(neutral + visible(pixel) * (value - neutral), 0), 1)
      }
    }
    let joins = isGrey && max(levels.bands, description.channels.count) > 1
    let bands = joins ? 1 : levels.bands
    var samples = [UInt8](repeating: 0, count: part.size.pixels * bands)
    if joins {
      description = description.joined
      var stops = [Double](repeating: 0, count: part.size.pixels)
      for (channel, weight) in GainMapDescription.weights.enumerated() {
        for (pixel, value) in values(channel).enumerated() {
          stops[pixel] += weight * map.description.stops(of: Double(value), channel)
        }
      }
      samples = stops.map { UInt8((255 * description.level(of: $0)).rounded()) }
    } else {
      for band in 0..<bands {
        for (pixel, value) in values(band).enumerated() {
          samples[pixel * bands + band] = UInt8((255 * value).rounded())
        }
      }
    }
    let made = try Image(
      samples: samples, width: part.size.width, height: part.size.height, bands: bands)
    var result = GainMap(picture: try geometry.coding.encoded(made), description: description)
    // Only Apple's programs read Apple's headroom, and only in HEIC files.
    if map.coding == .described, geometry.coding == .hevc {
      result.appleHeadroom = map.appleHeadroom
    }
    return result
  }
}

/// One channel in place of three, for greys.
///
/// Its gain in stops is the mean of the channels' gains, weighted by luminance. The mean is that of
/// the logarithms because displays with less headroom apply a fraction of each logarithm; so the
/// mean is the same at every headroom.
extension GainMapDescription {
  /// The parts of red, green and blue in the luminance of sRGB.
  fileprivate static let weights = (0..<3).map { SRGB.xyzFromRGB.rows[1][$0] }

  fileprivate var joined: GainMapDescription {
    func mean(_ value: KeyPath<Channel, Double>) -> Double {
      Self.weights.enumerated().reduce(0) { sum, item in
        sum + item.element * channel(item.offset)[keyPath: value]
      }
    }
    var joined = self
    joined.channels = [
      Channel(
        minimum: mean(\.minimum), maximum: mean(\.maximum), gamma: mean(\.gamma),
        baseOffset: mean(\.baseOffset), alternateOffset: mean(\.alternateOffset))
    ]
    return joined
  }

  private func channel(_ number: Int) -> Channel { channels[min(number, channels.count - 1)] }

  /// The gain in stops that a sample of a channel, 0…1, encodes.
  fileprivate func stops(of level: Double, _ number: Int) -> Double {
    let channel = channel(number)
    return channel.minimum + (channel.maximum - channel.minimum) * pow(level, 1 / channel.gamma)
  }

  /// The sample, 0…1, of the first channel that encodes a gain in stops.
  fileprivate func level(of stops: Double) -> Double {
    let channel = channels[0]
    guard channel.maximum > channel.minimum else { return 0 }
    let part = (stops - channel.minimum) / (channel.maximum - channel.minimum)
    return pow(min(1, max(0, part)), channel.gamma)
  }
}
