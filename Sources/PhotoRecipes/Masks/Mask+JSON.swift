public import Notation

extension Mask {
  /// The mask as JSON in a recipe, without values that are at their defaults.
  public var json: JSON {
    var object = JSON.Object()
    switch shape {
    case .linear(let from, let to):
      object["linear"] = .object(["from": MaskPoint(from).value, "to": MaskPoint(to).value])
    case .radial(let centre, let radii, let angle, let feather):
      var radial = JSON.Object()
      radial["center"] = MaskPoint(centre).value
      radial["radius"] = .number(radii.x)
      if radii.y != radii.x { radial["height"] = .number(radii.y) }
      if angle != 0 { radial["angle"] = .number(angle) }
      radial["feather"] = .number(feather)
      object["radial"] = .object(radial)
    case .polygon(let points, let feather):
      object["polygon"] = .object([
        "points": .array(points.map { MaskPoint($0).value }), "feather": .number(feather),
      ])
    case .luminance(let range, let feather):
      object["luminance"] = .object([
        "min": .number(range.lowerBound), "max": .number(range.upperBound),
        "feather": .number(feather),
      ])
    case .colour(let colour, let tolerance, let feather):
      var members = JSON.Object()
      members["colour"] = colour.json
      members["tolerance"] = .number(tolerance)
      members["feather"] = .number(feather)
      object["colour"] = .object(members)
    case .image(let file, let feather):
      var members = JSON.Object()
      members["file"] = file.json
      members["feather"] = .number(feather)
      object["image"] = .object(members)
    case .auxiliary(let map):
      var members = JSON.Object()
      switch map.reading {
      case .range(let range, let feather):
        members["min"] = .number(range.lowerBound)
        members["max"] = .number(range.upperBound)
        members["feather"] = .number(feather)
      case .matte(let feather):
        members["of"] = map.picture.json
        members["feather"] = .number(feather)
      case .values: break
      }
      if map.absent != nil { members["missing"] = AuxiliaryMap.Missing.nothing.json }
      object[map.picture == .depth ? "depth" : "matte"] = .object(members)
    case .face(let part): object["face"] = part.json
    case .combination(let combination, let parts):
      object[combination.rawValue] = .array(parts.map(\.json))
    }
    if feather != 0 { object["feather"] = .number(feather) }
    if isInverted { object["invert"] = .bool(true) }
    if density != 1 { object["density"] = .number(density) }
    return .object(object)
  }
}
