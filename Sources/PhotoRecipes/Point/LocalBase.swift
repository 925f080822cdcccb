/// The base of a photo: its luma, smoothed except at edges.
///
/// Local tone filters treat the difference from the base as detail. A map holds the base as curves
/// of the luma, one for each part of a reduced photo. The curves are applied to the luma at full
/// size, so that edges stay sharp.
///
/// With a noise variance n, only differences above the noise are detail: the fraction `u² / (u² +
/// n²)` of the difference from the base, where u is the variance in the small window around the
/// pixel. The rest belongs to the base.
public struct LocalBase: Sendable, Hashable {
  /// The method by which the base is computed.
  enum Method: Sendable, Hashable {
    case differences(ToneDifferences)
    case lines(GuidedLines)
  }

  public let name: String
  /// The longer edge of the reduced photo, in pixels.
  public let viewEdge: Int
  let method: Method
  /// The maximum variance n of noise; nil if noise is treated as detail.
  public private(set) var noise: Double?

  /// The base for the filters that brighten or darken shadows and highlights.
  public static let broad = LocalBase(
    name: "broad base", viewEdge: 512,
    method: .differences(ToneDifferences(edges: 0.06, textures: 0.12, spread: 0.3...0.5)))
  /// The base for local contrast.
  public static let contrast = LocalBase(
    name: "base of local contrast", viewEdge: 512,
    method: .differences(ToneDifferences(edges: 0.06, textures: 0.25, spread: 0.25...0.45)),
    noise: 1e-4)
  /// The base for fine structure.
  public static let fine = LocalBase(
    name: "fine base", viewEdge: 1024,
    method: .lines(
      GuidedLines(
        windows: DetailWindows(radius: 2.0 / 1024, smallRadius: 1.0 / 1024), step: 0.001,
        texture: 0.025, spread: 0.55...0.75)),
    noise: 6e-5)

  /// The same base with noise treated as detail, for filters that soften.
  public var countingNoise: LocalBase {
    var base = self
    base.noise = nil
    return base
  }

  /// The fraction of a difference from the base that is detail and not noise; `variance` is the
  /// variance in the small window.
  func detail(_ variance: Double) -> Double {
    guard let noise else { return 1 }
    return variance * variance / (variance * variance + noise * noise)
  }
}

extension LocalBase: CustomStringConvertible {
  public var description: String { noise == nil ? name : "\(name) above noise" }
}
