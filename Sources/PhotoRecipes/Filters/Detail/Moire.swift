/// Removes the false colours that a sensor makes of fine patterns, such as cloth.
///
/// Each channel of chroma moves towards its mean over a square of `radius`. Two limits apply:
///
/// - The channel stays between its morphological opening and closing by that square, which keep
///   edges and wider areas.
/// - The channel moves by at most the lesser of two heights within `radius`: the highest peak above
///   the opening, and the deepest valley below the closing. A single coloured line or point is
///   either a peak or a valley, and therefore stays.
///
/// The luminance, in linear light, does not change. Small coloured objects lose a part of their
/// colour too, so a mask is useful.
public struct Moire: Filter {
  public static let name = "moire"
  public static let summary = "Removes false colours of fine patterns, such as cloth."
  public static let category = FilterCategory.detail
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.fraction, 0...1), identity: 0,
      "How much of the false colours is removed."),
    Setting(
      "radius", \.radius, .integer(.pixels, 1...16),
      "The width of the widest coloured stripe; areas of more than twice this width stay."),
  ]

  public var amount = 1.0
  public var radius = 6

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let operation = AreaOperation(.moire, ["radius": .integer(radius), "amount": .number(amount)])
    return graph.append(.area(operation), input)
  }
}
