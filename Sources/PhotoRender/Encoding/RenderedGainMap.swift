import PhotoMetadata
import PhotoRecipes
import Vips

/// The gain map of a rendition: the gain map of the photo, cropped, rotated and resized like the
/// photo, and without effect below drawings.
struct RenderedGainMap {
  let map: GainMap
  let geometry: MapGeometry
  /// The parts of the rendition that drawings cover.
  let coverings: [Covering]

  /// Returns the map; beyond the edges of the photo, it has no effect.
  func made() throws(VipsError) -> GainMap {
    let part = try geometry.part(of: map.picture)
    // For a map with one channel, the decoder of HEIC files returns three equal channels.
    let levels = try MapLevels(
      part.picture, joinsEqual: map.description.channels.count == 1, map.described)
    let visible = coverings.visible(at: part.size)
    let bands = levels.bands
    var samples = [UInt8](repeating: 0, count: part.size.pixels * bands)
    for band in 0..<bands {
      let neutral = Float(map.description.neutral(band))
      let values = part.values(beyond: neutral) { levels[$0, band] }
      for (pixel, value) in values.enumerated() {
        let level = neutral + visible(pixel) * (value - neutral)
        samples[pixel * bands + band] = UInt8((255 * min(max(level, 0), 1)).rounded())
      }
    }
    let made = try Image(
      samples: samples, width: part.size.width, height: part.size.height, bands: bands)
    var result = GainMap(
      picture: try geometry.coding.encoded(made), description: map.description)
    // Only Apple's programs read Apple's headroom, and only in HEIC files.
    if map.coding == .described, geometry.coding == .hevc {
      result.appleHeadroom = map.appleHeadroom
    }
    return result
  }
}
