import Notation

/// A larger frame around the photo.
public struct Pad: Sendable, Hashable, CustomStringConvertible {
  public enum Frame: Sendable, Hashable {
    /// The smallest frame with an aspect ratio that contains the photo.
    case ratio(Ratio)
    /// A frame with at least these edges.
    case size(width: Length?, height: Length?, dpi: Double)
    /// A border of this width on every side; a relative width is a fraction of the photo's shorter
    /// edge.
    case border(Length, dpi: Double)
    case pixels(Rectangle, frame: Size)
  }

  public var frame: Frame
  public var gravity: Gravity
  public var colour: Colour

  /// The frame's size for a photo of `size`, and the photo's rectangle in the frame.
  public func placement(of size: Size) -> (frame: Size, photo: Rectangle) {
    let outer: Size
    switch frame {
    case .pixels(let photo, let frame): return (frame, photo)
    case .border(let width, let dpi):
      let border = width.pixels(of: size.shortEdge, dpi: dpi)
      outer = Size(size.width + 2 * border, size.height + 2 * border)
    case .ratio(let ratio):
      let factor = max(
        Double(size.width) / Double(ratio.width), Double(size.height) / Double(ratio.height))
      outer = Size(
        max(size.width, Int((factor * Double(ratio.width)).rounded())),
        max(size.height, Int((factor * Double(ratio.height)).rounded())))
    case .size(let width, let height, let dpi):
      outer = Size(
        max(size.width, width?.pixels(of: size.width, dpi: dpi) ?? 0),
        max(size.height, height?.pixels(of: size.height, dpi: dpi) ?? 0))
    }
    return (outer, .placed(size, in: outer, gravity))
  }

  public var description: String {
    let shape =
      switch frame {
      case .ratio(let ratio): "\(ratio.width):\(ratio.height)"
      case .size(let width, let height, _):
        [width, height].map { $0?.description ?? "–" }
          .joined(separator: "×")
      case .border(let width, _): "border \(width)"
      case .pixels(let photo, let frame): "\(frame) photo \(photo)"
      }
    return "\(shape) \(gravity.rawValue) \(colour.json?.string ?? "")"
  }
}
