public import Notation

/// A sampled colour of a photo: a given colour, or the mean, in linear light, of the unclipped
/// pixels around a position.
public struct ColourSample: Sendable, Hashable {
  /// The position; nil for the centre.
  public var place: MaskPoint?
  /// The radius, as a fraction of the photo's longer edge, 0…1.
  public var radius = 0.02
  public var colour: Colour?
}

/// A filter that corrects the light of a photo by a sampled colour.
public protocol SamplingFilter: MeasuringFilter {
  var sample: ColourSample { get set }

  /// The matrix that corrects the photo's linear sRGB, given the sampled colour `light`. `light` is
  /// linear and above 0 in all channels.
  func correction(of light: ColourMatrix.Vector) -> ColourMatrix

  /// The instructions on linear sRGB that correct the photo.
  func instructions(correcting light: ColourMatrix.Vector) -> [PointProgram.Instruction]
}

extension SamplingFilter {
  public static var category: FilterCategory { .colour }
  public static var space: WorkingSpace { .linear }

  public var contradiction: Problem? {
    guard sample.place != nil, sample.colour != nil else { return nil }
    return .contradiction(
      "'\(Self.name)' has both 'place' and 'colour'", remedy: "keep one of them")
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    guard let colour = sample.colour else {
      return graph.append(.measured(MeasuredStep(self)), input)
    }
    return append(to: &graph, after: input, correcting: colour.light)
  }

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    let light = view.light(around: sample.place?.point, radius: sample.radius)
    return append(to: &graph, after: input, correcting: light)
  }

  /// Appends the correction; `light` is nil if no colour was found.
  func append(
    to graph: inout Graph, after input: Graph.ID, correcting light: ColourMatrix.Vector?
  ) -> Graph.ID {
    guard let light, light.min() > 0 else { return input }
    return graph.append(instructions(correcting: light), in: Self.space, after: input)
  }

  public func instructions(
    correcting light: ColourMatrix.Vector
  ) -> [PointProgram.Instruction] {
    [.matrix(correction(of: light))]
  }

  /// The settings of the sample; `place` and `colour` are the descriptions of these settings.
  static func sampling(place: String, colour: String) -> [Setting<Self>] {
    [
      Setting("place", \.sample.place, .position, place),
      Setting(
        "radius", \.sample.radius, .number(.fraction, 0...1),
        "The radius of the sample, as a fraction of the photo's longer edge."),
      Setting("colour", \.sample.colour, .colour, colour),
    ]
  }
}
