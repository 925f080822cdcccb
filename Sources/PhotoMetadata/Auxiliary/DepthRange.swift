import Notation
import PhotoRecipes

/// The meaning of the samples, 0…1, of a depth map in which 0 is the nearest position.
///
/// - Source: Google, "Depth Map Metadata", "Encoding"; "Dynamic Depth" 1.0, "Depth Data".
public struct DepthRange: Sendable, Hashable {
  public enum Form: Sendable, Hashable {
    /// Equal steps of samples are equal steps of the reciprocal of the distance (`RangeInverse`).
    case inverse
    /// Equal steps of samples are equal steps of the distance (`RangeLinear`).
    case linear
  }

  /// The ratio of the distances below which they are treated as unknown.
  private static let leastRatio = 1e-9

  public var form: Form
  /// The distances of the samples 0 and 1, in `unit` metres; nil if they are not stated.
  public var near: Double?
  public var far: Double?
  /// The unit of the distances in metres; nil if it is unknown.
  var unit: Double? = 1

  init(form: Form, near: Double?, far: Double?) {
    self.form = form
    self.near = near
    self.far = far
  }

  /// Reads the properties of `GDepth`.
  init(_ properties: [MarkupElement]) {
    func text(_ local: String) -> String? {
      properties.first { $0.name.local == local }?.text.trimmed
    }
    let form = text("Format")?.hasSuffix("Linear") == true ? Form.linear : .inverse
    self.init(
      form: form, near: text("Near").flatMap { Double($0) }, far: text("Far").flatMap { Double($0) }
    )
    let units: [String: Double] = ["m": 1, "mm": 0.001]
    unit = text("Units").map { units[$0] } ?? 1
  }

  /// The distances in metres; nil if they are unknown.
  var metres: (near: Double, far: Double)? {
    guard let unit, let near, let far, near > 0, far > near, far.isFinite else { return nil }
    return (near * unit, far * unit)
  }

  /// The nearness of a sample: 0 for the farthest position, 1 for the nearest, in equal steps of
  /// the reciprocal of the distance, as in the maps of iPhones.
  public func nearness(_ sample: Double) -> Double {
    guard form == .linear, let near, let far, near > 0, far > near, far.isFinite else {
      return 1 - sample
    }
    // The distances as parts of the farthest one, so that no value is too large for a product.
    let nearest = near / far
    if nearest < Self.leastRatio { return 1 - sample }
    return nearest * (1 - sample) / (nearest + sample * (1 - nearest))
  }
}
