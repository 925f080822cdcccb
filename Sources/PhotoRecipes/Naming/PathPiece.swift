/// A part of a path template.
package enum PathPiece: Sendable, Hashable {
  case literal([UInt8])
  case stem
  case name
  case `extension`
  case output
  case variant
  case recipe
  case width
  case height
  case date(DateFormat)
  /// So many hexadecimal digits.
  case digest(Int)

  /// The words in braces, without the part behind a colon.
  static let placeholders: [(text: String, piece: PathPiece)] = [
    ("stem", .stem), ("name", .name), ("ext", .extension), ("output", .output),
    ("variant", .variant), ("recipe", .recipe), ("width", .width), ("height", .height),
    ("date", .date(.day)), ("digest", .digest(64)),
  ]

  /// True if two photos give two texts.
  var tellsPhotosApart: Bool {
    switch self {
    case .stem, .name, .digest: true
    case .literal, .extension, .output, .variant, .recipe, .width, .height, .date: false
    }
  }

  var isStatic: Bool {
    switch self {
    case .width, .height, .digest: false
    case .literal, .stem, .name, .extension, .output, .variant, .recipe, .date: true
    }
  }
}
