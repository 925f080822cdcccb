/// Replaces spots, such as dust or blemishes, by other parts of the photo.
///
/// The new pixels of a spot are the pixels of its source plus a smooth correction, which makes them
/// equal to the photo around the spot. The correction is the solution of Laplace's equation whose
/// border values are the differences between the photo and the source. So the texture comes from
/// the source, and tones and colours from the surroundings, without a seam. The new pixels cover
/// the photo fully within `radius`, and fade out over `feather × radius` beyond it.
///
/// Without a `source`, the filter searches the part of the photo whose surroundings are most like
/// the surroundings of the spot. The search covers six radii to the left and right, and three up
/// and down. Parts with spots are excluded, and parts with more contrast than the surroundings are
/// avoided. All spots read the photo before the step. Spots that overlap, as along a scratch, are
/// filled from beyond their common edge.
/// - Source: P. Pérez, M. Gangnet, A. Blake, "Poisson Image Editing", SIGGRAPH 2003.
public struct Heal: Filter {
  public static let name = "heal"
  public static let summary = "Replaces spots, such as dust, by other parts of the photo."
  public static let category = FilterCategory.detail
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting(
      "spots", \.spots, .spots, identity: Spots(),
      "The spots: the centre, the radius that covers the blemish, the soft edge around it as a"
        + " fraction of the radius (by default 0.25), and the centre of the part that replaces it"
        + " (by default found automatically)."
    )
  ]

  public var spots = Spots()

  public init() {}

  public static var example: Self {
    with {
      $0.spots = Spots([Spots.Spot(centre: Placement.Point(0.3, 0.4), radius: .percent(0.5))])
    }
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append(.area(AreaOperation(.heal, ["spots": .spots(spots)])), input)
  }
}
