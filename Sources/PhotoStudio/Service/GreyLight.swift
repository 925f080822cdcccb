import Notation
import PhotoRecipes

/// The light under which a colour of the picture is grey, as settings of the white balance.
struct GreyLight {
  private let light: Illuminant

  /// Decodes a colour: linear sRGB, 0…1, as `[red, green, blue]`; nil if it is malformed or black.
  init?(_ json: JSON) {
    guard let values = json["colour"]?.array?.compactMap(\.number), values.count == 3,
      values.allSatisfy({ $0.isFinite && (0...1).contains($0) }), let most = values.max(), most > 0
    else { return nil }
    // No light has a channel of zero.
    let clamped = values.map { max($0, most / 1000) }
    let colour = ColourMatrix.Vector(clamped[0], clamped[1], clamped[2])
    // The step adapts the light to that of 6500 K, and the result must be the white of sRGB.
    let neutral = Illuminant(temperature: 6500, tint: 0).xyz
    let adapted = Bradford.adaptation(from: Primaries.xyz(Primaries.d65), to: neutral)
    light = Illuminant(white: adapted(SRGB.xyzFromRGB(colour)))
  }

  /// The settings, within the ranges of the filter.
  var json: JSON {
    .object([
      "temperature": .integer(Int(min(max(light.temperature, 1000), 32_000).rounded())),
      "tint": .number((min(max(light.tint, -150), 150) * 10).rounded() / 10),
    ])
  }
}
