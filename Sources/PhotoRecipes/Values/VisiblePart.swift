/// The part of a photo that is visible in a frame, such as that of an output.
///
/// Borders and other surroundings show nothing of the photo, even where it continued before a crop.
public struct VisiblePart: Sendable, Hashable {
  /// The map from positions in the frame to positions in the photo as stored, both 0…1.
  public private(set) var place = Homography.identity
  /// The size of the frame in pixels.
  private let frame: Size
  /// The straight edges of the visible part that are inside the frame.
  ///
  /// For an edge (a, b, c) and a position (x, y), 0…1, the number a·x + b·y + c is the distance from
  /// the edge in pixels of the frame; it is negative in the surroundings.
  private var edges: [SIMD3<Double>] = []
  /// The corners of the visible part, 0…1, in their order; empty if nothing of the photo is visible.
  private var corners: [Homography.Point] = [[0, 0], [1, 0], [1, 1], [0, 1]]

  /// The distance in pixels by which an edge may be inside the frame without surroundings: a resize
  /// repeats the pixels at an edge by up to half a pixel.
  private static let slack = 0.501

  /// Creates a frame of this size in which all is visible.
  init(of frame: Size) { self.frame = frame }

  /// True if the photo fills the frame.
  public var fillsFrame: Bool { edges.isEmpty }

  /// True if the photo is visible at a position in the frame, 0…1.
  public func isVisible(at position: Homography.Point) -> Bool {
    edges.allSatisfy { Self.distance(of: position, from: $0) >= 0 }
  }

  /// Limits the part to another frame, through which the photo passed before it came to this one.
  ///
  /// `place` maps positions in this frame to positions in the other frame, both 0…1. The last frame
  /// is that of the stored photo.
  mutating func limit(toFrameAt place: Homography) {
    self.place = place
    let (across, down, depth) = (place.rows[0], place.rows[1], place.rows[2])
    for line in [across, depth - across, down, depth - down] {
      let slope = Homography.Point(
        line.x / Double(frame.width), line.y / Double(frame.height))
      let edge = line / (slope * slope).sum().squareRoot()
      if corners.contains(where: { Self.distance(of: $0, from: edge) < -Self.slack }) {
        edges.append(edge)
        corners = Self.cut(corners, at: edge)
      }
    }
  }

  private static func distance(of position: Homography.Point, from edge: SIMD3<Double>) -> Double {
    (edge * SIMD3(position, 1)).sum()
  }

  /// The part of a convex polygon on the inner side of an edge.
  ///
  /// - Source: I. Sutherland, G. Hodgman, "Reentrant Polygon Clipping" (1974).
  private static func cut(
    _ corners: [Homography.Point], at edge: SIMD3<Double>
  ) -> [Homography.Point] {
    corners.indices.flatMap { index -> [Homography.Point] in
      let (start, end) = (corners[index], corners[(index + 1) % corners.count])
      let (before, after) = (distance(of: start, from: edge), distance(of: end, from: edge))
      let kept = before >= 0 ? [start] : []
      if before * after >= 0 { return kept }
      return kept + [start + (end - start) * (before / (before - after))]
    }
  }
}
