/// A place in a JSON document, shown as `$.outputs[1].quality`.
public struct JSONPath: Sendable, Hashable, CustomStringConvertible {
  public let description: String

  public static let root = JSONPath("$")

  private init(_ description: String) { self.description = description }

  public var isRoot: Bool { self == .root }

  public func key(_ key: String) -> JSONPath {
    let plain = key.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
        true
      default: false
      }
    }
    return JSONPath(plain && !key.isEmpty ? "\(description).\(key)" : "\(description)['\(key)']")
  }

  /// True if this is `other`, or a place inside it.
  package func isWithin(_ other: JSONPath) -> Bool {
    guard description.hasPrefix(other.description) else { return false }
    let next = description.utf8.dropFirst(other.description.utf8.count).first
    return next == nil || next == UInt8(ascii: ".") || next == UInt8(ascii: "[")
  }

  /// Returns the path with its beginning `place` replaced by `other`.
  package func moved(from place: JSONPath, to other: JSONPath) -> JSONPath {
    JSONPath(other.description + description.dropFirst(place.description.count))
  }

  public func index(_ index: Int) -> JSONPath { JSONPath("\(description)[\(index)]") }
}
