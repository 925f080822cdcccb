public import Notation

/// A JPEG quality of 1…100 on libjpeg's scale, or the quality of the photo.
public enum JPEGQuality: SettingValue, ExpressibleByIntegerLiteral {
  case level(Int)
  /// The quality with which the photo was saved, so that none of it is lost; the default quality if
  /// the photo is not a JPEG.
  case source

  public init(integerLiteral value: Int) { self = .level(value) }

  /// The quality's value; nil for `source`.
  var level: Int? { if case .level(let level) = self { level } else { nil } }

  private static let range = 1...100
  private static let word = "source"

  static let kind = SettingKind.integerOr(.quality, range, [word])

  public static func read(_ json: JSON, as kind: SettingKind) -> Result<Self, Problem> {
    if json.string == word { return .success(.source) }
    guard let number = json.integer else { return wrongType(json, kind) }
    return range.contains(number) ? .success(.level(number)) : outOfRange(json, kind)
  }

  public var json: JSON? {
    switch self {
    case .level(let level): .integer(level)
    case .source: .string(Self.word)
    }
  }
}

/// The quality and subsampling of a JPEG photo, on the encoders' scales.
public struct JPEGCoding: Sendable, Hashable {
  /// The quality on libjpeg's scale, 1…100.
  public var quality: Int
  /// The lowest colour resolution that phbatch can write and that loses none of the photo's colour
  /// resolution.
  public var subsampling: JPEGFormat.Subsampling

  public init(quality: Int, subsampling: JPEGFormat.Subsampling) {
    self.quality = quality
    self.subsampling = subsampling
  }
}
