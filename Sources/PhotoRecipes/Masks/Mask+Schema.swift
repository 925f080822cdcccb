import Notation

extension Mask {
  /// The JSON Schema of a mask; `reference` is the schema's reference to itself.
  static func schema(reference: JSON) -> JSON {
    let feather = SettingKind.number(.fraction, 0...1).schema
    let radius = SettingKind.number(.fraction, 0.001...10).schema
    let point = SettingKind.position.schema
    let missing = AuxiliaryMap.Missing.kind.schema
    func object(_ required: [String], _ members: KeyValuePairs<String, JSON>) -> JSON {
      .object([
        "type": .string("object"), "required": .array(required.map(JSON.string)),
        "properties": .object(JSON.Object(members.map { JSON.Object.Member($0.key, $0.value) })),
        "additionalProperties": .bool(false),
      ])
    }
    let shapes: KeyValuePairs<String, JSON> = [
      "linear": object(["from", "to"], ["from": point, "to": point]),
      "radial": object(
        ["radius"],
        [
          "center": point, "radius": radius, "height": radius,
          "angle": SettingKind.number(.degrees, -180...180).schema, "feather": feather,
        ]),
      "polygon": object(
        ["points"], ["points": SettingKind.outline.schema, "feather": feather]),
      "luminance": object([], ["min": feather, "max": feather, "feather": feather]),
      "colour": object(
        ["colour"],
        ["colour": SettingKind.colour.schema, "tolerance": feather, "feather": feather]),
      "image": object(
        ["file"], ["file": SettingKind.file.schema, "feather": feather]),
      "matte": object(
        ["of"],
        [
          "of": SettingKind.choice(AuxiliaryPicture.mattes.map(\.rawValue)).schema,
          "feather": feather, "missing": missing,
        ]),
      "depth": object(
        [], ["min": feather, "max": feather, "feather": feather, "missing": missing]),
      "face": FaceMap.Part.kind.schema,
    ]
    let list = JSON.object([
      "type": .string("array"), "items": reference, "minItems": .integer(2),
      "maxItems": .integer(16),
    ])
    var properties = shapes.map { JSON.Object.Member($0.key, $0.value) }
    properties += combinations.map { JSON.Object.Member($0.rawValue, list) }
    properties.append(JSON.Object.Member("feather", feather))
    properties.append(JSON.Object.Member("invert", SettingKind.flag.schema))
    properties.append(JSON.Object.Member("density", feather))
    properties.append(
      JSON.Object.Member("comment", .object(["type": .string("string")])))
    return .object([
      "type": .string("object"), "properties": .object(JSON.Object(properties)),
      "additionalProperties": .bool(false),
      "oneOf": .array(shapeKeys.map { .object(["required": .array([.string($0)])]) }),
    ])
  }
}
