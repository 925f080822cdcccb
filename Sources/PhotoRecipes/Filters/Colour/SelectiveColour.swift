public import Notation

/// Changes the hue, the saturation and the lightness of one freely chosen colour.
///
/// The change is full at the colour's hue in OKLab and fades as `½ + ½ cos` to 0 at a distance of
/// `w = 15° + 30° × spread` on either side. Greys do not change. A colour changes as in `hsl`: the
/// hue moves by 0.6 × hue × w, so that hues never pass one another; saturation and lightness change
/// exactly as in `hsl`.
public struct SelectiveColour: Filter {
  public static let name = "selectiveColour"
  public static let summary = "Changes hue, saturation and luminance of one colour of your choice."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.oklab
  public static let revision = 2
  public static let settings: [Setting<Self>] = [
    Setting("colour", \.colour, .colour, "The colour to change; only its hue is used."),
    Setting(
      "spread", \.spread, .number(.factor, 0...2),
      "The range of hues that change: 0 is 15°, 1 is 45°, 2 is 75° on either side."),
    Setting(
      "hue", \.hue, .number(.strength, -1...1), identity: 0,
      "Positive shifts the hue, from red towards yellow, green and blue."),
    Setting(
      "saturation", \.saturation, .number(.strength, -1...1), identity: 0,
      "−1 makes the colour grey, +1 doubles its chroma where it is pale."),
    Setting(
      "luminance", \.luminance, .number(.strength, -1...1), identity: 0,
      "Positive brightens the colour, most where it is saturated."),
  ]

  public var colour = Colour(red: 255, green: 0, blue: 0)
  public var spread = 1.0
  public var hue = 0.0
  public var saturation = 0.0
  public var luminance = 0.0

  public init() {}

  public static var example: Self {
    with {
      $0.colour = Colour(red: 60, green: 140, blue: 60)
      $0.hue = 0.7
      $0.saturation = 0.4
    }
  }

  public var contradiction: Problem? {
    if colour.red != colour.green || colour.green != colour.blue { return nil }
    return .contradiction(
      "'\(colour.json?.string ?? "")' is grey and has no hue",
      remedy: "give a colour that is not grey")
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append([.colour(.hues(map))], in: Self.space, after: input)
  }

  var map: HueMap {
    let (centre, width) = (OKLab.hue(ofEncoded: colour.encoded), 15 + 30 * spread)
    func turned(_ hue: Double) -> Double { hue - 360 * (hue / 360).rounded(.down) }
    return HueMap([
      HueMap.Point(hue: turned(centre - width)),
      HueMap.Point(
        hue: centre, shift: 0.6 * width * hue, chroma: 1 + saturation, lightness: luminance),
      HueMap.Point(hue: turned(centre + width)),
    ])
  }
}
