/// Makes a place of the photo, such as a grey card in it, neutral grey.
///
/// The light is taken to have the colour of the mean, in linear light, of what lies within `radius`
/// of the place and is not clipped, or the colour that is given. The colours are adapted to D65 by
/// Bradford's cone responses in linear light, and keep the luminance of white, as `whiteBalance` does.
/// A place that is black or all clipped has no colour, and changes nothing.
public struct GreyPoint: MeasuringFilter {
  public static let name = "greyPoint"
  public static let summary = "Makes a place of the photo, or a given colour, neutral grey."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.linear
  public static let settings: [Setting<Self>] = [
    Setting("place", \.place, .position, "The place in the frame; the middle if left out."),
    Setting(
      "radius", \.radius, .number(.fraction, 0...1),
      "How far around it the photo is looked at, as a part of its longer edge."),
    Setting(
      "colour", \.colour, .colour,
      "The colour instead, as a grey card has it in another photo of that light."),
    Setting(
      "strength", \.strength, .number(.fraction, 0...1), identity: 0, "How far it becomes grey."),
  ]

  public var place: MaskPoint?
  public var radius = 0.02
  public var colour: Colour?
  public var strength = 1.0

  public init() {}

  public var contradiction: Problem? {
    guard place != nil, colour != nil else { return nil }
    return .contradiction("'greyPoint' has both 'place' and 'colour'", remedy: "keep one of them")
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    guard let colour else { return graph.append(.measured(MeasuredStep(self)), input) }
    return append(to: &graph, after: input, makingGrey: colour.light)
  }

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    append(
      to: &graph, after: input, makingGrey: view.light(around: place?.point, radius: radius))
  }

  /// `light` is linear, and nil where there is none.
  private func append(
    to graph: inout Graph, after input: Graph.ID, makingGrey light: ColourMatrix.Vector?
  ) -> Graph.ID {
    guard let light, light.min() > 0 else { return input }
    let found = UniformChromaticity.uv(SRGB.xyzFromRGB(light))
    let neutral = UniformChromaticity.neutral
    let adapted = Bradford.adaptation(
      from: UniformChromaticity.xyz(neutral + strength * (found - neutral)),
      to: Primaries.xyz(Primaries.d65))
    let matrix = SRGB.rgbFromXYZ.after(adapted).after(SRGB.xyzFromRGB)
    return graph.append([.matrix(matrix)], in: Self.space, after: input)
  }
}
