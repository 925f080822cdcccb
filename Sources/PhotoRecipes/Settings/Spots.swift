public import Notation

/// Discs of a frame that are replaced by other parts of it.
///
/// Each is `{"at": [0.3, 0.4], "radius": "0.5%"}`, with an optional `feather` and `source`.
public struct Spots: SettingValue {
  public struct Spot: Sendable, Hashable {
    /// The centre, as fractions of the frame.
    public var centre: Placement.Point
    public var radius: Extent
    /// The width of the soft edge around the radius, as a fraction of the radius.
    public var feather = standardFeather
    /// The centre of the part that replaces it, as fractions of the frame; nil to search one.
    public var source: Placement.Point?

    public init(
      centre: Placement.Point, radius: Extent, feather: Double = standardFeather,
      source: Placement.Point? = nil
    ) {
      self.centre = centre
      self.radius = radius
      self.feather = feather
      self.source = source
    }
  }

  static let most = 200
  static let radii = 0.5...500.0
  static let fractions = 0.0...1
  public static let standardFeather = 0.25
  fileprivate static let keys = ["at", "radius", "feather", "source"]
  fileprivate static let place =
    "a position in the frame such as [0.3, 0.4], each number from 0 to 1"

  static let expectation =
    "at most \(most) spots such as {\"at\": [0.3, 0.4], \"radius\": \"0.5%\"}, each with an"
    + " optional \"feather\" and \"source\""

  public var spots: [Spot]

  public init(_ spots: [Spot] = []) { self.spots = spots }

  public static func read(_ json: JSON, as kind: SettingKind) -> Result<Spots, Problem> {
    guard let items = json.array else { return wrongType(json, kind) }
    guard items.count <= most else {
      return .failure(.wrongCount(items.count, of: "spot", expected: kind.expectation))
    }
    var spots: [Spot] = []
    for (index, item) in items.enumerated() {
      guard let object = item.object else { return wrongType(item, kind) }
      do throws(Problem) { spots.append(try Spot(object, number: index + 1)) } catch {
        return .failure(error)
      }
    }
    return .success(Spots(spots))
  }

  public var json: JSON? { .array(spots.map(\.json)) }

  static var schema: JSON {
    let fraction = JSON.object([
      "type": .string("number"), "minimum": .number(fractions.lowerBound),
      "maximum": .number(fractions.upperBound),
    ])
    let position = JSON.object([
      "type": .string("array"), "minItems": .integer(2), "maxItems": .integer(2),
      "items": fraction,
    ])
    return .object([
      "type": .string("array"), "maxItems": .integer(most),
      "items": .object([
        "type": .string("object"), "required": .array([.string("at"), .string("radius")]),
        "additionalProperties": .bool(false),
        "properties": .object([
          "at": position, "radius": SettingKind.extent(radii).schema, "feather": fraction,
          "source": position,
        ]),
      ]),
    ])
  }
}

extension Spots.Spot {
  /// Reads a spot; `number` counts from 1 and names the spot in problems.
  fileprivate init(_ object: JSON.Object, number: Int) throws(Problem) {
    func value<Value>(
      _ key: String, _ expected: String, _ read: (JSON) -> Value?
    ) throws(Problem) -> Value? {
      guard let json = object[key] else { return nil }
      if let value = read(json) { return value }
      throw .outOfRange(
        found: "\"\(key)\": \(json.compactText) of spot \(number)", expected: expected)
    }
    for member in object.members where !Spots.keys.contains(member.key) {
      throw .unknownKey(member.key, in: "spot \(number)", known: Spots.keys)
    }
    let extent = SettingKind.extent(Spots.radii)
    guard let centre = try value("at", Spots.place, Self.position) else {
      throw .missingKey("at", in: "spot \(number)")
    }
    let radius = try value("radius", extent.expectation) { json in
      let radius = try? Extent.read(json, as: extent).get()
      return radius == .percent(0) ? nil : radius
    }
    guard let radius else { throw .missingKey("radius", in: "spot \(number)") }
    self.init(centre: centre, radius: radius)
    feather =
      try value("feather", "a number from 0 to 1") { json in
        json.number.flatMap { Spots.fractions.contains($0) ? $0 : nil }
      } ?? Spots.standardFeather
    source = try value("source", Spots.place, Self.position)
  }

  private static func position(_ json: JSON) -> Placement.Point? {
    guard let pair = json.array?.map(\.number), pair.count == 2, let x = pair[0], let y = pair[1],
      Spots.fractions.contains(x), Spots.fractions.contains(y)
    else { return nil }
    return Placement.Point(x, y)
  }

  fileprivate var json: JSON {
    var object = JSON.Object()
    object["at"] = MaskPoint(centre).value
    object["radius"] = radius.json
    if feather != Spots.standardFeather { object["feather"] = .number(feather) }
    object["source"] = source.map { MaskPoint($0).value }
    return .object(object)
  }
}
