/// Changes the hue, the saturation and the luminance of eight colours separately.
///
/// The eight colours are at 0, 30, 60, 120, 180, 240, 280 and 320° of sRGB's HSV wheel. The change
/// of each fades towards its neighbours along OKLab's hues. Greys do not change. With the strengths
/// h, s and l of a colour, and its chroma C:
/// - the hue moves by 0.6 × h of the distance to the neighbour in that direction; if that neighbour
///   moves towards it, both share the 0.6, so that hues never pass one another;
/// - lightness moves by `d r / (|d| + r)`, `d = l × C`, where r is the distance to white or to
///   black;
/// - chroma is multiplied by (1 + s). If the three changes make the colour purer, chroma is then
///   divided by `max(1 + G q², P / max(1, p))`, with `q = min(1, p)`. Here p is the purity before
///   the changes (as for `saturation`, but more than 1 outside the output's colour space), P is the
///   purity after them, and `G = P / p − 1`, with 0.001 added to both. Thus the space's colours
///   stay in it, or hardly leave it.
public struct HSL: Filter {
  public static let name = "hsl"
  public static let summary = "Changes hue, saturation and luminance of eight colours."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.oklab
  public static let revision = 3
  public static let settings: [Setting<Self>] =
    settings("red", \.red.hue, \.red.saturation, \.red.luminance)
    + settings("orange", \.orange.hue, \.orange.saturation, \.orange.luminance)
    + settings("yellow", \.yellow.hue, \.yellow.saturation, \.yellow.luminance)
    + settings("green", \.green.hue, \.green.saturation, \.green.luminance)
    + settings("aqua", \.aqua.hue, \.aqua.saturation, \.aqua.luminance)
    + settings("blue", \.blue.hue, \.blue.saturation, \.blue.luminance)
    + settings("purple", \.purple.hue, \.purple.saturation, \.purple.luminance)
    + settings("magenta", \.magenta.hue, \.magenta.saturation, \.magenta.luminance)

  /// The strengths of the changes of one colour, −1…1.
  public struct Change: Sendable, Hashable {
    public var hue = 0.0
    public var saturation = 0.0
    public var luminance = 0.0

    package init(hue: Double = 0, saturation: Double = 0, luminance: Double = 0) {
      self.hue = hue
      self.saturation = saturation
      self.luminance = luminance
    }
  }

  public var red = Change()
  public var orange = Change()
  public var yellow = Change()
  public var green = Change()
  public var aqua = Change()
  public var blue = Change()
  public var purple = Change()
  public var magenta = Change()

  public init() {}

  public static var example: Self {
    with {
      $0.orange.hue = -0.6
      $0.green.saturation = -0.8
      $0.red.luminance = 0.4
    }
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append([.colour(.hues(map))], in: Self.space, after: input)
  }

  var map: HueMap {
    let colours = [
      (0.0, red),
      (30.0, orange),
      (60.0, yellow),
      (120.0, green),
      (180.0, aqua),
      (240.0, blue),
      (280.0, purple),
      (320.0, magenta),
    ]
    let hues = colours.map { ColourWheel.oklabHue($0.0) }
    let strengths = colours.map(\.1.hue)
    let points = colours.indices.map { index in
      let change = colours[index].1
      return HueMap.Point(
        hue: hues[index], shift: Self.shift(index, strengths, hues),
        chroma: 1 + change.saturation, lightness: change.luminance)
    }
    return HueMap(points)
  }

  /// The shift of one of the eight colours, given by its index, in degrees of OKLab hue.
  private static func shift(_ index: Int, _ strengths: [Double], _ hues: [Double]) -> Double {
    let strength = strengths[index]
    let isForward = strength >= 0
    let neighbour = (index + (isForward ? 1 : hues.count - 1)) % hues.count
    let way = abs(hues[neighbour] - hues[index])
    let coming = max(0, isForward ? -strengths[neighbour] : strengths[neighbour])
    return 0.6 * min(way, 360 - way) * strength / max(1, abs(strength) + coming)
  }

  private static func settings(
    _ colour: String, _ hue: Setting<Self>.Path<Double>, _ saturation: Setting<Self>.Path<Double>,
    _ luminance: Setting<Self>.Path<Double>
  ) -> [Setting<Self>] {
    func setting(
      _ name: String, _ path: Setting<Self>.Path<Double>, _ summary: String
    ) -> Setting<Self> {
      Setting(colour + name, path, .number(.strength, -1...1), identity: 0, summary)
    }
    return [
      setting("Hue", hue, "Positive shifts \(colour) towards the next hue of the colour wheel."),
      setting(
        "Saturation", saturation,
        "−1 makes \(colour) grey, +1 doubles the chroma of pale \(colour)."),
      setting("Luminance", luminance, "Positive brightens \(colour), most where it is saturated."),
    ]
  }
}
