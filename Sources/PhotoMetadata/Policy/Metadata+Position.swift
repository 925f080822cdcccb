import Foundation
import PhotoRecipes

/// Coordinates in degrees, north and east positive.
struct Position: Sendable, Hashable {
  var latitude: Double
  var longitude: Double

  /// The nearest point of a grid of so many kilometres.
  ///
  /// A degree of latitude is 111.32 km, one of longitude less by the cosine of the latitude.
  func rounded(kilometres: Double) -> Position {
    let step = kilometres / 111.32
    let north = min(90, max(-90, (latitude / step).rounded() * step))
    let across = min(360, step / max(0.01, cos(north * .pi / 180)))
    let east = (longitude / across).rounded() * across
    return Position(latitude: north, longitude: min(180, max(-180, east)))
  }
}

extension EXIF {
  /// Where the photo was taken; nil where it is not said, or where it is no place on Earth.
  var position: Position? {
    func degrees(_ tag: EXIFTag, _ reference: EXIFTag, _ negative: String) -> Double? {
      let parts = fractions(tag)
      guard parts.count == 3, let whole = parts[0] else { return nil }
      let value = whole + (parts[1] ?? 0) / 60 + (parts[2] ?? 0) / 3600
      return text(reference) == negative ? -value : value
    }
    guard let latitude = degrees(.latitude, .latitudeReference, "S"),
      let longitude = degrees(.longitude, .longitudeReference, "W"), abs(latitude) <= 90,
      abs(longitude) <= 180
    else { return nil }
    return Position(latitude: latitude, longitude: longitude)
  }

  mutating func set(_ position: Position) {
    func parts(_ degrees: Double) -> [(above: Int, below: Int)] {
      let tenThousandths = Int((abs(degrees) * 600_000).rounded())
      return [(tenThousandths / 600_000, 1), (tenThousandths % 600_000, 10_000), (0, 1)]
    }
    set(EXIF.Entry(tag: 0, type: .byte, bytes: [2, 3, 0, 0]), in: .gps)
    set(.latitudeReference, text: position.latitude < 0 ? "S" : "N")
    set(.latitude, fractions: parts(position.latitude))
    set(.longitudeReference, text: position.longitude < 0 ? "W" : "E")
    set(.longitude, fractions: parts(position.longitude))
  }
}

extension XMP {
  /// Where the photo was taken, by `exif:GPSLatitude` as `48,51.5N` or `48,51,30N`.
  var position: Position? {
    func degrees(_ name: String, _ positive: Character, _ negative: Character) -> Double? {
      guard let text = text(.exif(name)), let side = text.last, side == positive || side == negative
      else { return nil }
      let parts = text.dropLast().split(separator: ",").map { Double($0) }
      guard let whole = parts.first.flatMap({ $0 }), parts.count <= 3 else { return nil }
      let value = zip(parts.dropFirst(), [60.0, 3600]).reduce(whole) { $0 + ($1.0 ?? 0) / $1.1 }
      return side == negative ? -value : value
    }
    guard let latitude = degrees("GPSLatitude", "N", "S"),
      let longitude = degrees("GPSLongitude", "E", "W"), abs(latitude) <= 90, abs(longitude) <= 180
    else { return nil }
    return Position(latitude: latitude, longitude: longitude)
  }

  mutating func set(_ position: Position) {
    func text(_ degrees: Double, _ positive: String, _ negative: String) -> String {
      let tenThousandths = Int((abs(degrees) * 600_000).rounded())
      let minutes = String(format: "%.4f", Double(tenThousandths % 600_000) / 10_000)
      return "\(tenThousandths / 600_000),\(minutes)\(degrees < 0 ? negative : positive)"
    }
    set(.exif("GPSLatitude"), text: text(position.latitude, "N", "S"))
    set(.exif("GPSLongitude"), text: text(position.longitude, "E", "W"))
  }

  /// Removes coordinates from within places that are named.
  mutating func removeNestedPositions() {
    for property in properties where property.holdsPosition { set(property.withoutPositions) }
  }
}

extension MarkupElement {
  private static func isPosition(_ name: MarkupName) -> Bool {
    name.namespace == XMPNamespace.exif && name.local.hasPrefix("GPS")
  }

  var holdsPosition: Bool {
    attributes.contains { Self.isPosition($0.name) }
      || children.contains { Self.isPosition($0.name) || $0.holdsPosition }
  }

  fileprivate var withoutPositions: MarkupElement {
    MarkupElement(
      name, attributes: attributes.filter { !Self.isPosition($0.name) },
      children: children.filter { !Self.isPosition($0.name) }.map(\.withoutPositions), text: text)
  }
}

extension Metadata {
  /// Replaces coordinates by the nearest of a grid, and removes all else that tells the place.
  mutating func roundPosition(kilometres: Double) {
    let known = exif?.position ?? xmp?.position
    let hadExif = exif?[.gps].isEmpty == false
    let hadXMP = xmp?.properties.contains { XMP.kind(of: $0.name) == .group(.gps) } == true
    exif?.removeAll { directory, _ in directory == .gps }
    xmp?.removeAll { XMP.kind(of: $0.name) == .group(.gps) }
    xmp?.removeNestedPositions()
    guard let rounded = known?.rounded(kilometres: kilometres) else { return }
    if hadExif { exif?.set(rounded) }
    if hadXMP { xmp?.set(rounded) }
  }
}
