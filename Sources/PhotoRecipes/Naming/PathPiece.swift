/// A piece of a path template: literal text or a placeholder.
package enum PathPiece: Sendable, Hashable {
  case literal([UInt8])
  /// The original's folder, relative to the library.
  case folder
  case stem
  case name
  case `extension`
  case output
  case variant
  case recipe
  case width
  case height
  case date(DateFormat)
  /// The first hexadecimal digits of the digest; the value is their count.
  case digest(Int)

  /// The placeholders: the `text` is the name, without the detail after a colon.
  static let placeholders: [(text: String, piece: PathPiece)] = [
    ("stem", .stem), ("name", .name), ("ext", .extension), ("output", .output),
    ("folder", .folder), ("variant", .variant), ("recipe", .recipe), ("width", .width),
    ("height", .height),
    ("date", .date(.day)), ("digest", .digest(64)),
  ]

  /// True if the piece differs between any two photos.
  var tellsPhotosApart: Bool {
    switch self {
    case .stem, .name, .digest: true
    case .literal, .folder, .extension, .output, .variant, .recipe, .width, .height, .date: false
    }
  }

  var isStatic: Bool {
    switch self {
    case .width, .height, .digest: false
    case .literal, .folder, .stem, .name, .extension, .output, .variant, .recipe, .date: true
    }
  }
}
