/// Makes objects that were white under a given light look white.
///
/// `temperature` and `tint` describe the light. A low temperature (warm light) is corrected towards
/// blue, a high one towards yellow; a positive tint (greenish light) is corrected towards magenta.
/// The colours are adapted from the white of this light to the white of 6500 K by Bradford's cone
/// responses, in linear light; the luminance of white stays.
/// - Source: K. M. Lam, "Metamerism and colour constancy", University of Bradford, 1985.
public struct WhiteBalance: Filter {
  public static let name = "whiteBalance"
  public static let summary = "Corrects for the colour of the light."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.linear
  public static let settings: [Setting<Self>] = [
    Setting(
      "temperature", \.temperature, .number(.kelvin, 1000...32_000), identity: 6500,
      "The light's correlated colour temperature; higher gives a warmer photo."),
    Setting(
      "tint", \.tint, .number(.tint, -150...150), identity: 0,
      "The light's distance from black-body light; 3000 units are a distance of 1 in CIE 1960 uv."
        + " Higher gives a more magenta photo."
    ),
  ]

  public var temperature = 6500.0
  public var tint = 0.0

  public init() {}

  public static var example: Self { with { $0.temperature = 8500 } }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append([.matrix(adaptation)], in: Self.space, after: input)
  }

  /// The matrix from linear sRGB under the given light to linear sRGB under the neutral light.
  var adaptation: ColourMatrix {
    let light = Illuminant(temperature: temperature, tint: tint)
    let neutral = Illuminant(temperature: 6500, tint: 0)
    let xyz = Bradford.adaptation(from: light.xyz, to: neutral.xyz)
    return SRGB.rgbFromXYZ.after(xyz).after(SRGB.xyzFromRGB)
  }
}
