/// Shows luma as colours.
///
/// The BT.709 luma of display-encoded values, clamped to 0…1, selects a position on a path through
/// five colours at even steps; between two colours, the path is a straight line in OKLab. All
/// palettes except `spectrum` rise in lightness, so a grey print keeps the order of tones.
public struct FalseColour: Filter {
  public static let name = "falseColour"
  public static let summary = "Shows the luma of the photo as colours."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting("palette", \.palette, Palette.kind, "The colour map for the luma from black to white.")
  ]

  public enum Palette: String, Choice {
    case dusk, ember, ocean, spectrum

    /// The palette's sRGB colours, from black to white.
    private var colours: [Colour] {
      switch self {
      case .dusk: Self.colours(0x120A3A, 0x5B2A8C, 0xB8467F, 0xEF8F6B, 0xFBE9B0)
      case .ember: Self.colours(0x050208, 0x5A0F2A, 0xC23A1A, 0xF59E2C, 0xFFF6CF)
      case .ocean: Self.colours(0x06061F, 0x1B2F8F, 0x1189B0, 0x5ED6B8, 0xF3FFE0)
      case .spectrum: Self.colours(0x2B2FBF, 0x1FA7D6, 0x3FBF55, 0xF2D43C, 0xD6312B)
      }
    }

    /// The display-encoded colour for a luma of 0…1.
    func colour(_ luma: Double) -> ColourMatrix.Vector {
      let stops = colours.map { OKLab.lab(fromEncoded: $0.encoded) }
      let place = luma * Double(stops.count - 1)
      let index = min(Int(place), stops.count - 2)
      let part = place - Double(index)
      return OKLab.encoded(fromLab: stops[index] + part * (stops[index + 1] - stops[index]))
    }

    private static func colours(_ numbers: UInt32...) -> [Colour] {
      numbers.map { number in
        func component(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: number >> shift) }
        return Colour(red: component(16), green: component(8), blue: component(0))
      }
    }
  }

  public var palette = Palette.dusk

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let grade = Grade { Grade.Sample(gain: .zero, offset: palette.colour($0)) }
    return graph.append([.colour(.grade(grade))], in: Self.space, after: input)
  }
}
