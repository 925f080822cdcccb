import PhotoRecipes
import Vips

/// The four corners of a frame, which are cut off along quarter circles.
struct CornerImages {
  private let radius: Int
  private let colour: Colour
  private let frame: Size

  init(_ corners: RoundedCorners, _ frame: Size) {
    radius = corners.radius(in: frame)
    colour = corners.colour
    self.frame = frame
  }

  func pieces() throws(VipsError) -> [Piece] {
    if radius == 0 { return [] }
    let corner = try Image(samples: upperLeft, width: radius, height: radius, bands: 1)
    var pieces: [Piece] = []
    for (isRight, isLower) in [(false, false), (true, false), (false, true), (true, true)] {
      var weight = corner
      if isRight { weight = try weight.applying("flip", ["direction": .choice("horizontal")]) }
      if isLower { weight = try weight.applying("flip", ["direction": .choice("vertical")]) }
      weight = try weight.materialized()
      pieces.append(
        Piece(
          image: try weight.painted(colour), weight: weight,
          left: isRight ? frame.width - radius : 0, top: isLower ? frame.height - radius : 0))
    }
    return pieces
  }

  /// The fraction of each pixel in the upper left corner that is outside the circle.
  ///
  /// The fraction is the mean over 16 lines in each pixel; on each line the edge of the circle is
  /// computed exactly.
  private var upperLeft: [Float] {
    let lines = 16
    let edge = Double(radius)
    var outside = [Float](repeating: 0, count: radius * radius)
    for y in 0..<radius {
      for line in 0..<lines {
        let fromCentre = edge - Double(y) - (Double(line) + 0.5) / Double(lines)
        let start = edge - (edge * edge - fromCentre * fromCentre).squareRoot()
        for x in 0..<radius {
          let covered = min(max(start - Double(x), 0), 1)
          outside[y * radius + x] += Float(covered / Double(lines))
        }
      }
    }
    return outside
  }
}
