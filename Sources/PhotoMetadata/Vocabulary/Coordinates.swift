import FileStructure
import Glibc
import Notation
import PhotoRecipes

/// Coordinates in degrees; north and east are positive.
struct Coordinates: Sendable, Hashable {
  var latitude: Double
  var longitude: Double

  /// The nearest point of a grid with a spacing of `kilometres`.
  ///
  /// A degree of latitude is 111.32 km; one of longitude is 111.32 km × cos(latitude).
  func rounded(kilometres: Double) -> Coordinates {
    let step = kilometres / 111.32
    let north = min(90, max(-90, (latitude / step).rounded() * step))
    let across = min(360, step / max(0.01, cos(north * .pi / 180)))
    let east = (longitude / across).rounded() * across
    return Coordinates(latitude: north, longitude: min(180, max(-180, east)))
  }
}

extension EXIF {
  /// The location where the photo was taken; nil if unknown or not a location on Earth.
  var coordinates: Coordinates? { coordinates(from: EXIFTag.latitudeReference.number) }

  /// The location to which the camera was directed; nil if unknown.
  var targetCoordinates: Coordinates? { coordinates(from: 0x0013) }

  /// The location in four consecutive tags: north or south, latitude, east or west, longitude.
  private func coordinates(from first: UInt16) -> Coordinates? {
    func degrees(_ reference: UInt16, _ negative: String) -> Double? {
      let parts = fractions(EXIFTag(.gps, reference + 1))
      guard parts.count == 3, let whole = parts[0] else { return nil }
      let value = whole + (parts[1] ?? 0) / 60 + (parts[2] ?? 0) / 3600
      return text(EXIFTag(.gps, reference)) == negative ? -value : value
    }
    guard let latitude = degrees(first, "S"), let longitude = degrees(first + 2, "W"),
      abs(latitude) <= 90,
      abs(longitude) <= 180
    else { return nil }
    return Coordinates(latitude: latitude, longitude: longitude)
  }

  mutating func set(_ coordinates: Coordinates) {
    func parts(_ degrees: Double) -> [(numerator: Int, denominator: Int)] {
      // The angle in units of 1/10,000 of a minute.
      let units = Int((abs(degrees) * 600_000).rounded())
      return [(units / 600_000, 1), (units % 600_000, 10_000), (0, 1)]
    }
    set(EXIF.Entry(tag: 0, type: .byte, bytes: [2, 3, 0, 0]), in: .gps)
    set(.latitudeReference, text: coordinates.latitude < 0 ? "S" : "N")
    set(.latitude, fractions: parts(coordinates.latitude))
    set(.longitudeReference, text: coordinates.longitude < 0 ? "W" : "E")
    set(.longitude, fractions: parts(coordinates.longitude))
  }
}

extension XMP {
  /// The location where the photo was taken, from `exif:GPSLatitude` in the form `48,51.5N` or
  /// `48,51,30N` and from the longitude; nil if unknown.
  var coordinates: Coordinates? {
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
    return Coordinates(latitude: latitude, longitude: longitude)
  }

  /// Sets the coordinates in the properties whose names begin with `prefix`.
  mutating func set(_ coordinates: Coordinates, _ prefix: String = "GPS") {
    func text(_ degrees: Double, _ positive: String, _ negative: String) -> String {
      // The angle in units of 1/10,000 of a minute.
      let units = Int((abs(degrees) * 600_000).rounded())
      let minutes = (Double(units % 600_000) / 10_000).fixed(4)
      return "\(units / 600_000),\(minutes)\(degrees < 0 ? negative : positive)"
    }
    set(.exif("\(prefix)Latitude"), text: text(coordinates.latitude, "N", "S"))
    set(.exif("\(prefix)Longitude"), text: text(coordinates.longitude, "E", "W"))
  }

  /// Removes coordinates from within structured properties, such as named places.
  mutating func removeNestedCoordinates() {
    for property in properties where property.holdsCoordinates { set(property.withoutCoordinates) }
  }
}

extension MarkupElement {
  private static func isCoordinate(_ name: MarkupName) -> Bool {
    XMP.kind(of: name) == .group(.gps)
  }

  fileprivate var holdsCoordinates: Bool {
    attributes.contains { Self.isCoordinate($0.name) }
      || children.contains { Self.isCoordinate($0.name) || $0.holdsCoordinates }
  }

  fileprivate var withoutCoordinates: MarkupElement {
    MarkupElement(
      name, attributes: attributes.filter { !Self.isCoordinate($0.name) },
      children: children.filter { !Self.isCoordinate($0.name) }.map(\.withoutCoordinates),
      text: text)
  }
}
