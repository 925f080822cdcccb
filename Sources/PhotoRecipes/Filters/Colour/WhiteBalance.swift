public import Notation

/// Makes objects that were white under a given light look white.
///
/// `temperature` and `tint` describe the light. A low temperature (warm light) is corrected towards
/// blue, a high one towards yellow; a positive tint (greenish light) is corrected towards magenta.
/// The colours are adapted from the white of this light to the white of 6500 K by Bradford's cone
/// responses, in linear light; the luminance of white stays.
///
/// `kelvin` replaces `temperature` and means the light in front of the camera. For a raw photo, the
/// step then sets the multipliers of the sensor's channels, if it is the first step that changes
/// colours; see `Recipe.cameraLight`. In the JPEG embedded in a raw file, the step changes the
/// camera's white balance by the same light. For other photos it is the same as `temperature`,
/// because their white is assumed to be 6500 K.
/// - Source: K. M. Lam, "Metamerism and colour constancy", University of Bradford, 1985.
public struct WhiteBalance: Filter {
  public static let name = "whiteBalance"
  public static let summary = "Corrects for the colour of the light."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.linear
  public static let settings: [Setting<Self>] = [
    Setting(
      "temperature", \.temperature, .number(.kelvin, 1000...32_000), identity: 6500,
      "The light's correlated colour temperature; higher gives a warmer photo."
    ).usually(2500...12_000),
    Setting(
      "kelvin", \.kelvin, .number(.kelvin, 1000...32_000),
      "As `temperature`; the first colour step of a raw photo balances the sensor's channels for"
        + " this light and `tint`, instead of the camera's own white balance."
    ).usually(2500...12_000),
    Setting(
      "tint", \.tint, .number(.tint, -150...150), identity: 0,
      "The light's distance from black-body light; 3000 units are a distance of 1 in CIE 1960 uv."
        + " Higher gives a more magenta photo."
    ).usually(-60...60),
  ]

  public var temperature = 6500.0
  public var kelvin: Double?
  public var tint = 0.0
  /// The light for which the picture is balanced before the step.
  var balanced = Illuminant(temperature: 6500, tint: 0)

  public init() {}

  public var isIdentity: Bool { kelvin == nil && temperature == 6500 && tint == 0 }

  public var contradiction: Problem? {
    if kelvin == nil || temperature == 6500 { return nil }
    return .contradiction(
      "'kelvin' and 'temperature' both set the temperature of the light",
      remedy: "keep 'kelvin' for raw photos, or 'temperature' for others")
  }

  public static var example: Self { with { $0.temperature = 8500 } }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append([.matrix(adaptation)], in: Self.space, after: input)
  }

  /// The light to correct for.
  var light: Illuminant { Illuminant(temperature: kelvin ?? temperature, tint: tint) }

  /// The matrix from linear sRGB, balanced for another light, to linear sRGB balanced for `light`.
  var adaptation: ColourMatrix {
    let xyz = Bradford.adaptation(from: light.xyz, to: balanced.xyz)
    return SRGB.rgbFromXYZ.after(xyz).after(SRGB.xyzFromRGB)
  }
}
