import Notation

extension RecipeSchema {
  /// The schema of a text without restrictions, in which a parameter is valid anyway.
  static var anyText: JSON { .object(["type": .string("string")]) }

  /// The schema, extended so that each member and each element may also be a parameter.
  ///
  /// The condition of an `if` stays, because it tests for one value.
  static func allowingParameters(_ schema: JSON) -> JSON {
    switch schema.value {
    case .array(let schemas): return .array(schemas.map(allowingParameters))
    case .object(let object):
      let members = object.members.map { member in
        let value: JSON =
          switch member.key {
          case "if", "default": member.value
          case "properties":
            .object(
              JSON.Object(
                (member.value.object?.members ?? []).map {
                  JSON.Object.Member($0.key, orParameter($0.value))
                }))
          case "items": orParameter(member.value)
          case "prefixItems": .array((member.value.array ?? []).map(orParameter))
          default: allowingParameters(member.value)
          }
        return JSON.Object.Member(member.key, value)
      }
      return .object(JSON.Object(members))
    case .null, .bool, .number, .string: return schema
    }
  }

  /// The schema of a value, or of a parameter in its place.
  private static func orParameter(_ schema: JSON) -> JSON {
    guard var plain = allowingParameters(schema).object, schema != anyText else { return schema }
    var result = JSON.Object()
    for key in ["description", "default"] {
      result[key] = plain[key]
      plain[key] = nil
    }
    let alternatives =
      plain.keys == ["anyOf"] ? plain["anyOf"]?.array ?? [] : [JSON.object(plain)]
    result["anyOf"] = .array(alternatives + [reference("parameter")])
    return .object(result)
  }
}
