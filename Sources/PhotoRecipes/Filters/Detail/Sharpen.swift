/// Makes luma edges steeper, by an unsharp mask of the luma.
///
/// `out = in + amount × d`, where `d` is the display-encoded luma `0.2126 R + 0.7152 G + 0.0722 B`
/// minus its Gaussian blur, moved towards 0 by `threshold`. If the luma's standard deviation under
/// the Gaussian is below `edges × 0.1`, less than `amount × d` is added; `falloff` makes this
/// transition gradual. Pixels are weighted by alpha, and transparent pixels are ignored.
///
/// `halo` limits overshoot, which is sharpened luma outside the local range. The ends of this range
/// are the minimum and the maximum of the luma within about the radius, each then averaged over
/// about the radius, down the columns and then along the rows. The fraction `halo × (2 − halo)` of the overshoot is removed. From a radius of 2
/// pixels on, overshoot is also measured in luma that is smoothed by 0.15 × radius, and the greater
/// one counts, so that details which only a large rendition has hardly matter. By default, `halo` is
/// `1 − 1 / radius`, and 0 up to a radius of 1, because wider halos are more visible. For this, a
/// radius in percent is that of a photo whose longer edge has 2048 pixels.
///
/// A radius in percent gives the same look at every size. Below 0.6 pixels, the blur gets the
/// radius at which its samples have the variance of the Gaussian; below the smallest such radius,
/// the amount is reduced in proportion to the variance.
public struct Sharpen: Filter {
  public static let name = "sharpen"
  public static let summary = "Makes edges steeper, without coloured fringes."
  public static let category = FilterCategory.detail
  public static let space = WorkingSpace.encoded
  public static let revision = 7
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.factor, 0...10), identity: 0, "The strength of the sharpening."
    ).usually(0...2),
    Setting("radius", \.radius, .extent(radii), "The standard deviation of the blur.").usually(
      0.3...3),
    Setting(
      "threshold", \.threshold, .number(.fraction, 0...1),
      "Luma differences up to this value, which may be noise, are not sharpened."),
    Setting(
      "edges", \.edges, .number(.fraction, 0...1),
      "The minimum strength of the edges that are sharpened; flat areas and fine noise do not"
        + " change."
    ),
    Setting(
      "falloff", \.falloff, .number(.fraction, 0...1),
      "How gradually the sharpening decreases for weak edges; 0 is an abrupt limit."),
    Setting(
      "halo", \.halo, .number(.fraction, 0...1),
      "How much of the bright and dark halos along edges is removed; 1 removes all. By default 1"
        + " − 1 / radius, and 0 up to a radius of 1."
    ),
  ]

  private static let radii = 0.3...50.0
  /// The smoothing of the luma in which halos are measured, as a fraction of the radius.
  private static let smoothing = 0.15

  public var amount = 0.5
  public var radius = Extent.pixels(0.8)
  public var threshold = 0.0
  public var edges = 0.0
  public var falloff = 0.5
  public var halo: Double?

  public init() {}

  /// The longer edge for which the halo of a radius in percent is computed, in pixels.
  private static let usualEdge = 2048

  /// The default halo, 0…1; nil if it depends on the radius in the pixels of the reduced photo.
  private var usualHalo: Double? {
    guard case .percent = radius else { return nil }
    return max(0, 1 - 1 / radius.pixels(of: Self.usualEdge, in: Self.radii))
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    var mask = AreaOperation(
      .unsharp,
      [
        "sigma": radius.argument(in: 0...Self.radii.upperBound), "amount": .number(amount),
        "threshold": .number(threshold),
      ])
    if edges > 0 {
      mask.arguments["edges"] = .number(edges)
      mask.arguments["falloff"] = .number(falloff)
    }
    if let halo = halo ?? usualHalo {
      mask.arguments["halo"] = halo > 0 ? .number(halo * (2 - halo)) : nil
    } else {
      mask.arguments["halo"] = .haloOfSigma
    }
    mask.arguments["smoothing"] = .number(Self.smoothing)
    return graph.append(.area(mask), input)
  }
}
