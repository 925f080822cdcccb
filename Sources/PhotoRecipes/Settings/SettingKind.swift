import Notation

/// The valid values of a setting; its checks, schema and help derive from this type.
public enum SettingKind: Sendable, Hashable {
  case number(Unit, ClosedRange<Double>)
  case integer(Unit, ClosedRange<Int>)
  /// An integer, or one of several words.
  case integerOr(Unit, ClosedRange<Int>, [String])
  case flag
  case choice([String])
  /// An sRGB colour: `#rgb`, `#rrggbb` or `#rrggbbaa`.
  case colour
  /// Pixels, a fraction of the frame, or a physical length.
  case length
  /// A number of pixels in the range, or a percentage of the frame's longer edge.
  case extent(ClosedRange<Double>)
  /// A ratio of two integers: `"3:2"`.
  case ratio
  /// Points `[x, y]` of a curve, both from 0 to the given maximum, with increasing x.
  case points(upTo: Double)
  /// Three rows of three factors, each with an optional offset.
  case matrix
  /// A position in the frame, `[x, y]`.
  case position
  /// The corners of a polygon.
  case outline
  /// Four positions, clockwise from the upper left corner.
  case corners
  /// Rectangles, in fractions of the frame.
  case areas
  /// Discs that are replaced by other parts of the frame.
  case spots
  /// A file, relative to the recipe's folder.
  case file
  case text
  /// A program and its arguments.
  case arguments

  /// The description of the valid values, as error messages show it.
  public var expectation: String {
    switch self {
    case .number(let unit, let range):
      "a number from \(range.lowerBound.brief) to \(range.upperBound.brief)\(unit.suffix)"
    case .integer(let unit, let range):
      "a whole number from \(range.lowerBound) to \(range.upperBound)\(unit.suffix)"
    case .integerOr(let unit, let range, let words):
      SettingKind.integer(unit, range).expectation
        + words.map { ", or \"\($0)\"" }.joined()
    case .flag: "true or false"
    case .choice(let names): "one of \(names.joined(separator: ", "))"
    case .colour: "a colour such as \"#ff8800\""
    case .length:
      "pixels such as 1600, a fraction such as 0.5 or \"50%\", or a length such as \"3cm\""
    case .extent(let range):
      "\(SettingKind.number(.pixels, range).expectation), or a part of the longer edge, from \"0%\" to"
        + " \"\(Extent.percentages.upperBound.brief)%\" with at most four decimals"
    case .ratio: "a ratio such as \"3:2\""
    case .points(let most):
      "points such as [[0, 0], [0.5, 0.6], [1, 1]], each 0 to \(most.brief), with rising x"
    case .matrix:
      "three rows such as [[1, 0, 0], [0, 1, 0], [0, 0, 1]], each with an optional fourth number"
        + " as offset, all numbers from \(ColourMatrix.range.lowerBound.brief) to"
        + " \(ColourMatrix.range.upperBound.brief)"
    case .position: "a position in the frame such as [0.5, 0.5], each number from -1 to 2"
    case .outline:
      "\(Outline.corners.lowerBound) to \(Outline.corners.upperBound) positions such as [0.5, 0.5]"
    case .corners: "four positions such as [0.5, 0.5]"
    case .areas:
      "\(Areas.counts.lowerBound) to \(Areas.counts.upperBound) rectangles such as"
        + " [0.1, 0.2, 0.3, 0.2]: left, top, width, height, each from 0 to 1"
    case .spots: Spots.expectation
    case .file: "the path of a file, relative to the recipe's folder"
    case .text: "a text"
    case .arguments: "a program and its arguments such as [\"convert\", \"-\", \"tiff:-\"]"
    }
  }

  /// The range of a number; nil for other kinds.
  var numbers: ClosedRange<Double>? {
    switch self {
    case .number(_, let range), .extent(let range): range
    case .integer(_, let range), .integerOr(_, let range, _):
      Double(range.lowerBound)...Double(range.upperBound)
    default: nil
    }
  }

  /// The JSON Schema of a valid value; a parameter in place of the value is not included.
  var schema: JSON {
    switch self {
    case .number(_, let range):
      .object([
        "type": .string("number"), "minimum": .number(range.lowerBound),
        "maximum": .number(range.upperBound),
      ])
    case .integer(_, let range):
      .object([
        "type": .string("integer"), "minimum": .integer(range.lowerBound),
        "maximum": .integer(range.upperBound),
      ])
    case .integerOr(let unit, let range, let words):
      .object([
        "anyOf": .array([
          SettingKind.integer(unit, range).schema,
          .object(["enum": .array(words.map(JSON.string))]),
        ])
      ])
    case .flag: .object(["type": .string("boolean")])
    case .choice(let names):
      .object([
        "enum": .array(names.map(JSON.string) + names.compactMap(Int.init).map(JSON.integer))
      ])
    case .colour: Self.text(matching: Colour.pattern)
    case .length:
      .object([
        "anyOf": .array([
          .object([
            "type": .string("integer"), "minimum": .integer(0),
            "maximum": .integer(Length.longest),
          ]),
          .object([
            "type": .string("number"), "minimum": .integer(0), "maximum": .integer(1),
          ]),
          Self.text(matching: Length.pattern),
        ])
      ])
    case .extent(let range):
      .object([
        "anyOf": .array([
          SettingKind.number(.pixels, range).schema, Self.text(matching: Extent.pattern),
        ])
      ])
    case .ratio: Self.text(matching: Ratio.pattern)
    case .points(let most):
      .object([
        "type": .string("array"), "minItems": .integer(2),
        "items": .object([
          "type": .string("array"), "minItems": .integer(2), "maxItems": .integer(2),
          "items": .object([
            "type": .string("number"), "minimum": .integer(0), "maximum": .number(most),
          ]),
        ]),
      ])
    case .matrix:
      .object([
        "type": .string("array"), "minItems": .integer(3), "maxItems": .integer(3),
        "items": .object([
          "type": .string("array"), "minItems": .integer(3), "maxItems": .integer(4),
          "items": .object([
            "type": .string("number"), "minimum": .number(ColourMatrix.range.lowerBound),
            "maximum": .number(ColourMatrix.range.upperBound),
          ]),
        ]),
      ])
    case .position:
      .object([
        "type": .string("array"), "minItems": .integer(2), "maxItems": .integer(2),
        "items": .object([
          "type": .string("number"), "minimum": .number(MaskPoint.range.lowerBound),
          "maximum": .number(MaskPoint.range.upperBound),
        ]),
      ])
    case .outline:
      .object([
        "type": .string("array"), "minItems": .integer(Outline.corners.lowerBound),
        "maxItems": .integer(Outline.corners.upperBound), "items": SettingKind.position.schema,
      ])
    case .corners:
      .object([
        "type": .string("array"), "minItems": .integer(4), "maxItems": .integer(4),
        "items": SettingKind.position.schema,
      ])
    case .areas:
      .object([
        "type": .string("array"), "minItems": .integer(Areas.counts.lowerBound),
        "maxItems": .integer(Areas.counts.upperBound),
        "items": .object([
          "type": .string("array"), "minItems": .integer(4), "maxItems": .integer(4),
          "items": .object([
            "type": .string("number"), "minimum": .number(Areas.range.lowerBound),
            "maximum": .number(Areas.range.upperBound),
          ]),
        ]),
      ])
    case .spots: Spots.schema
    case .file: .object(["type": .string("string"), "minLength": .integer(1)])
    case .text: .object(["type": .string("string")])
    case .arguments:
      .object([
        "type": .string("array"), "minItems": .integer(Arguments.counts.lowerBound),
        "maxItems": .integer(Arguments.counts.upperBound),
        "prefixItems": .array([.object(["type": .string("string"), "minLength": .integer(1)])]),
        "items": .object(["type": .string("string")]),
      ])
    }
  }

  private static func text(matching pattern: String) -> JSON {
    .object(["type": .string("string"), "pattern": .string(pattern)])
  }
}

/// The unit of a setting, as shown in help and error messages.
public enum Unit: String, Sendable {
  case stops, kelvin, degrees, millimetres, metres, pixels, factor, fraction, strength, percent
  case megapixels, quality, effort, level, bits, dpi, tint, seconds, milliseconds, bytes

  /// The unit as a suffix to a number; empty for units that are not shown.
  var suffix: String {
    switch self {
    case .stops, .kelvin, .degrees, .millimetres, .metres, .pixels, .percent, .megapixels, .bits,
      .dpi, .seconds, .milliseconds, .bytes:
      " \(rawValue)"
    case .factor, .fraction, .strength, .quality, .effort, .level, .tint: ""
    }
  }
}

extension Double {
  /// The number as text, without `.0` for an integer.
  package var brief: String { JSON.number(self).compactText }
}
