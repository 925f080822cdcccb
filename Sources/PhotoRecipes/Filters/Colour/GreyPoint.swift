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
    return append(to: &graph, after: input, makingGrey: colour.encoded.light)
  }

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    append(to: &graph, after: input, makingGrey: light(in: view))
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

  /// An encoded value from which a channel is taken to be clipped.
  private static let clipped: Float = 0.995

  /// The mean of what tells around the place, at least of the pixel there.
  private func light(in view: PhotoView) -> ColourMatrix.Vector? {
    let centre = place?.point ?? Placement.Point(0.5, 0.5)
    let (x, y) = (centre.x * Double(view.size.width), centre.y * Double(view.size.height))
    let reach = max(0.71, radius * Double(view.size.longEdge))
    var (sum, count) = (ColourMatrix.Vector.zero, 0.0)
    for row in 0..<view.size.height {
      for column in 0..<view.size.width {
        let (dx, dy) = (Double(column) + 0.5 - x, Double(row) + 0.5 - y)
        let index = row * view.size.width + column
        let pixel = view.pixels[index]
        guard dx * dx + dy * dy <= reach * reach, pixel.max() < Self.clipped,
          view.alpha?[index] ?? 1 >= 0.5
        else { continue }
        sum += ColourMatrix.Vector(Double(pixel.x), Double(pixel.y), Double(pixel.z)).light
        count += 1
      }
    }
    return count > 0 ? sum / count : nil
  }
}

extension ColourMatrix.Vector {
  /// Linear light of display-encoded values.
  fileprivate var light: Self { Self(Curve.decode(x), Curve.decode(y), Curve.decode(z)) }
}
