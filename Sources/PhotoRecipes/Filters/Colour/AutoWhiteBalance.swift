/// Finds the colour of the light in the photo, and corrects for it.
///
/// The light is taken to be the mean of the photo in linear light with `greyWorld`, and its
/// brightest values, the quantile of 99 % of each channel, with `whitePatch`. The colours are adapted
/// from it to D65 by Bradford's cone responses, each by a factor of at most 4; the luminance of what
/// has the light's colour stays.
/// - Source: G. Buchsbaum, "A spatial processor model for object colour perception", J. Franklin
///   Inst. 310 (1980); E. Land, J. McCann, "Lightness and Retinex Theory", JOSA 61 (1971), with the
///   quantile of M. Ebner, "Color Constancy", 2007, for the maximum.
public struct AutoWhiteBalance: MeasuringFilter {
  public static let name = "autoWhiteBalance"
  public static let summary = "Finds the colour of the light in the photo, and corrects for it."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.linear
  public static let settings: [Setting<Self>] = [
    Setting("method", \.method, Method.kind, "How the colour of the light is found."),
    Setting(
      "strength", \.strength, .number(.fraction, 0...1), identity: 0,
      "How far the light is corrected; 1 is all the way."),
  ]

  public enum Method: String, Choice {
    case greyWorld, whitePatch
  }

  public var method = Method.greyWorld
  public var strength = 1.0

  public init() {}

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    let visible = view.visible
    let light =
      switch method {
      case .greyWorld: visible.lightMean
      case .whitePatch: visible.lightQuantile(0.99)
      }
    guard let light, let matrix = adaptation(from: light) else { return input }
    return graph.append([.matrix(matrix)], in: Self.space, after: input)
  }

  /// Linear sRGB under a light to linear sRGB under D65; nil where there is no light.
  private func adaptation(from light: ColourMatrix.Vector) -> ColourMatrix? {
    let xyz = SRGB.xyzFromRGB(light)
    if xyz.y < 1e-4 { return nil }
    let white = Primaries.xyz(Primaries.d65)
    let found = white + strength * (xyz / xyz.y - white)
    let neutral = Bradford.cones(white)
    let cones = Bradford.cones(found).clamped(lowerBound: neutral / 4, upperBound: neutral * 4)
    guard let back = Bradford.cones.inverse else { return nil }
    let adapted = back.after(.diagonal(neutral / cones)).after(Bradford.cones)
    return SRGB.rgbFromXYZ.after(adapted).after(SRGB.xyzFromRGB)
  }
}
