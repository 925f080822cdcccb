import Notation
import PhotoRecipes

/// The notation of a region's position in one vocabulary.
struct RegionPosition: Sendable {
  /// A rectangle in fractions of the frame; a point has no extent.
  struct Area: Sendable {
    typealias Point = Homography.Point

    var origin: Point
    var extent: Point

    var centre: Point { origin + extent / 2 }
    var corners: [Point] {
      [origin, origin + [extent.x, 0], origin + extent, origin + [0, extent.y]]
    }
  }

  /// The fields that state a position.
  let names: Set<MarkupName>
  /// The area that the fields of a structure state; nil if the region is not a rectangle or point
  /// in fractions of the frame.
  let area: @Sendable ([MarkupName: String]) -> Area?
  /// The names and values of the fields that state an area.
  let fields: @Sendable (Area) -> [MarkupName: String]

  static let kinds = [metadataWorkingGroup, iptc, microsoft]

  private static func name(_ prefix: String, _ local: String) -> MarkupName {
    MarkupName(XMPPrefix.byPrefix[prefix] ?? prefix, local)
  }

  /// A number from -10 to 10; nil for other text.
  private static func number(_ text: String?) -> Double? {
    text.flatMap { Double($0.trimmed) }.flatMap { abs($0) <= 10 ? $0 : nil }
  }

  private static func text(_ number: Double) -> String { number.fixed(6) }

  /// The notation of the Metadata Working Group: centre, width and height; circles, which have a
  /// diameter, are not supported.
  private static let metadataWorkingGroup: RegionPosition = {
    let (x, y, w, h) = (
      name("stArea", "x"), name("stArea", "y"), name("stArea", "w"), name("stArea", "h")
    )
    let (diameter, unit) = (name("stArea", "d"), name("stArea", "unit"))
    return RegionPosition(
      names: [x, y, w, h, diameter],
      area: { fields in
        guard fields[unit] ?? "normalized" == "normalized", fields[diameter] == nil,
          let centreX = number(fields[x]), let centreY = number(fields[y])
        else { return nil }
        let extent = Area.Point(number(fields[w]) ?? 0, number(fields[h]) ?? 0)
        return Area(origin: Area.Point(centreX, centreY) - extent / 2, extent: extent)
      },
      fields: { area in
        [
          x: text(area.centre.x), y: text(area.centre.y), w: text(area.extent.x),
          h: text(area.extent.y),
        ]
      })
  }()

  /// The notation of IPTC: the upper left corner, width and height of a rectangle.
  private static let iptc: RegionPosition = {
    func field(_ local: String) -> MarkupName { name("Iptc4xmpExt", local) }
    let (x, y, w, h) = (field("rbX"), field("rbY"), field("rbW"), field("rbH"))
    let (shape, unit, radius) = (field("rbShape"), field("rbUnit"), field("rbRx"))
    return RegionPosition(
      names: [x, y, w, h, shape, unit, radius, field("rbVertices")],
      area: { fields in
        guard fields[shape] == "rectangle", fields[unit] == "relative",
          let left = number(fields[x]), let top = number(fields[y]),
          let width = number(fields[w]), let height = number(fields[h])
        else { return nil }
        return Area(origin: [left, top], extent: [width, height])
      },
      fields: { area in
        [
          x: text(area.origin.x), y: text(area.origin.y), w: text(area.extent.x),
          h: text(area.extent.y),
        ]
      })
  }()

  /// The notation of Microsoft: the upper left corner, width and height in one text.
  private static let microsoft: RegionPosition = {
    let rectangle = name("MPReg", "Rectangle")
    return RegionPosition(
      names: [rectangle],
      area: { fields in
        let numbers = (fields[rectangle] ?? "").split(separator: ",").map { number("\($0)") }
        guard numbers.count == 4, let left = numbers[0], let top = numbers[1],
          let width = numbers[2], let height = numbers[3]
        else { return nil }
        return Area(origin: [left, top], extent: [width, height])
      },
      fields: { area in
        let numbers = [area.origin.x, area.origin.y, area.extent.x, area.extent.y]
        return [rectangle: numbers.map(text).joined(separator: ", ")]
      })
  }()
}
