import Notation

extension Mask {
  static let shapes = [
    "linear", "radial", "polygon", "luminance", "colour", "image", "matte", "depth", "face",
  ]
  static let combinations = [Cover.Combination.add, .subtract, .intersect]
  static let shapeKeys = shapes + combinations.map(\.rawValue)
  static let keys = shapeKeys + ["feather", "invert", "density", "comment"]
  static let expectation =
    "a mask such as {\"radial\": {\"center\": [0.5, 0.5], \"radius\": 0.6, \"feather\": 0.4}}"
  private static let pictureExpectation =
    "at most \(mostPictures) images, mattes, depths, faces, polygons with a feather above"
    + " \(thinFeather), and feathers outside shapes"

  init?(_ field: Field, _ diagnostics: inout Diagnostics, depth: Int = 1) {
    guard diagnostics.expectObject(field, Self.expectation) else { return nil }
    var reader = ObjectReader(field, "mask", &diagnostics)
    defer { diagnostics = reader.diagnostics }
    reader.rejectUnknown(known: Self.keys)
    let feather: Double? = reader.read("feather", as: .number(.fraction, 0...1))
    let isInverted: Bool? = reader.read("invert", as: .flag)
    let density: Double? = reader.read("density", as: .number(.fraction, 0...1))
    _ = reader.read("comment", as: .text, String.self)
    let given = Self.shapeKeys.filter { field[$0] != nil }
    guard given.count == 1, let name = given.first, let shape = field[name] else {
      reader.diagnostics.add(
        .contradiction(
          given.isEmpty
            ? "the mask has no shape" : "the mask has \(given.joined(separator: " and "))",
          remedy: "give it one of \(Self.shapeKeys.joined(separator: ", "))"), at: field)
      return nil
    }
    guard let read = Self.shape(name, shape, &reader.diagnostics, depth) else { return nil }
    self.shape = read
    self.feather = feather ?? 0
    self.isInverted = isInverted ?? false
    self.density = density ?? 1
    if self.feather > 0, dependsOnColours {
      let remedy = "put 'feather' into the settings of 'luminance' or 'colour'"
      reader.report(
        .contradiction(
          "'feather' cannot blur a mask that depends on luminance or colour", remedy: remedy),
        "feather")
    }
    if depth == 1, pictureCount > Self.mostPictures {
      reader.diagnostics.add(
        .wrongCount(pictureCount, of: "picture", expected: Self.pictureExpectation), at: field)
    }
  }

  private static func shape(
    _ name: String, _ field: Field, _ diagnostics: inout Diagnostics, _ depth: Int
  ) -> Shape? {
    if let combination = Cover.Combination(rawValue: name) {
      return Self.combination(combination, field, &diagnostics, depth)
    }
    if name == "face" { return face(field, &diagnostics) }
    guard diagnostics.expectObject(field, "the settings of '\(name)', in braces") else {
      return nil
    }
    let before = diagnostics
    var reader = ObjectReader(field, "mask's '\(name)'", &diagnostics)
    let shape = Self.plainShape(name, &reader)
    diagnostics = reader.diagnostics
    return diagnostics == before ? shape : nil
  }

  private static func face(_ field: Field, _ diagnostics: inout Diagnostics) -> Shape? {
    switch FaceMap.Part.read(field.json, as: FaceMap.Part.kind) {
    case .success(let part): return .face(part)
    case .failure(let problem):
      diagnostics.add(problem, at: field)
      return nil
    }
  }

  private static func plainShape(_ name: String, _ reader: inout ObjectReader) -> Shape? {
    let fraction = SettingKind.number(.fraction, 0...1)
    func feather(_ reader: inout ObjectReader, or standard: Double) -> Double {
      reader.read("feather", as: fraction) ?? standard
    }
    switch name {
    case "linear":
      reader.rejectUnknown(known: ["from", "to"])
      let from: MaskPoint? = reader.require("from", as: .position)
      let to: MaskPoint? = reader.require("to", as: .position)
      guard let from, let to else { return nil }
      let way = to.point - from.point
      if max(abs(way.x), abs(way.y)) < 0.001 {
        let remedy = "keep at least 0.001 between them; the mask grows from the first to the second"
        reader.report(.contradiction("'from' and 'to' are the same point", remedy: remedy), "to")
      }
      return .linear(from: from.point, to: to.point)
    case "radial":
      reader.rejectUnknown(known: ["center", "radius", "height", "angle", "feather"])
      let centre: MaskPoint? = reader.read("center", as: .position)
      let radius: Double? = reader.require("radius", as: .number(.fraction, 0.001...10))
      let height: Double? = reader.read("height", as: .number(.fraction, 0.001...10))
      let angle: Double? = reader.read("angle", as: .number(.degrees, -180...180))
      let edge = feather(&reader, or: 0.5)
      guard let radius else { return nil }
      return .radial(
        centre: centre?.point ?? .init(0.5, 0.5), radii: .init(radius, height ?? radius),
        angle: angle ?? 0, feather: edge)
    case "polygon":
      reader.rejectUnknown(known: ["points", "feather"])
      let outline: Outline? = reader.require("points", as: .outline)
      let edge = feather(&reader, or: 0)
      return outline.map { .polygon($0.points, feather: edge) }
    case "luminance":
      reader.rejectUnknown(known: ["min", "max", "feather"])
      guard let range = range(&reader) else { return nil }
      return .luminance(range, feather: feather(&reader, or: 0.1))
    case "colour":
      reader.rejectUnknown(known: ["colour", "tolerance", "feather"])
      let colour: Colour? = reader.require("colour", as: .colour)
      let tolerance: Double = reader.read("tolerance", as: fraction) ?? 0.05
      let edge = feather(&reader, or: 0.05)
      return colour.map { .colour($0, tolerance: tolerance, feather: edge) }
    case "matte":
      reader.rejectUnknown(known: ["of", "feather", "missing"])
      let mattes = AuxiliaryPicture.mattes.map(\.rawValue)
      let of: AuxiliaryPicture? = reader.require("of", as: .choice(mattes))
      if of == .depth { reader.report(.unknownChoice("depth", choices: mattes), "of") }
      let edge = feather(&reader, or: 0)
      let absent = absent(&reader)
      return of.map { .auxiliary(AuxiliaryMap($0, .matte(feather: edge), absent: absent)) }
    case "depth":
      reader.rejectUnknown(known: ["min", "max", "feather", "missing"])
      guard let range = range(&reader) else { return nil }
      let reading = AuxiliaryMap.Reading.range(range, feather: feather(&reader, or: 0.1))
      return .auxiliary(AuxiliaryMap(.depth, reading, absent: absent(&reader)))
    default:
      reader.rejectUnknown(known: ["file", "feather"])
      let file: NamedFile? = reader.require("file", as: .file)
      let edge = feather(&reader, or: 0)
      return file.map { .image($0, feather: edge) }
    }
  }

  private static func range(_ reader: inout ObjectReader) -> ClosedRange<Double>? {
    let low: Double = reader.read("min", as: .number(.fraction, 0...1)) ?? 0
    let high: Double = reader.read("max", as: .number(.fraction, 0...1)) ?? 1
    if low <= high { return low...high }
    let remedy = "make 'min' smaller than or equal to 'max'"
    reader.report(.contradiction("'min' is above 'max'", remedy: remedy), "min")
    return nil
  }

  /// The coverage of a photo whose file has no such auxiliary picture; nil if this is an error.
  private static func absent(_ reader: inout ObjectReader) -> Double? {
    let missing: AuxiliaryMap.Missing? = reader.read("missing", as: AuxiliaryMap.Missing.kind)
    return missing == .nothing ? 0 : nil
  }

  private static func combination(
    _ combination: Cover.Combination, _ field: Field, _ diagnostics: inout Diagnostics, _ depth: Int
  ) -> Shape? {
    guard field.json.array != nil else {
      diagnostics.add(
        .wrongType(found: field.json.summary, expected: "an array of masks"), at: field)
      return nil
    }
    if field.elements.count < 2 || field.elements.count > 16 {
      diagnostics.add(
        .wrongCount(field.elements.count, of: "mask", expected: "2 to 16"), at: field)
      return nil
    }
    if depth >= deepest {
      diagnostics.add(
        .contradiction(
          "masks are nested more than \(deepest) levels deep",
          remedy: "combine the masks in one list"), at: field)
      return nil
    }
    let parts = field.elements.compactMap { Mask($0, &diagnostics, depth: depth + 1) }
    return parts.count == field.elements.count ? .combination(combination, parts) : nil
  }
}
