/// The coverage of parts of all faces in a photo, mapped to the frame of a step.
public struct FaceMap: Sendable, Hashable {
  /// The part of a face.
  public enum Part: String, Choice {
    /// The face from the forehead to the chin, without eyes and mouth.
    case skin
    /// The eyes with their lids.
    case eyes
    /// The whole head.
    case all

    /// The ellipse outside of which the coverage is 0; nil if it is not one ellipse.
    private var whole: FaceEllipse? {
      switch self {
      case .skin: .oval
      case .eyes: nil
      case .all: .head
      }
    }

    /// The coverage, 0…1, of a position on a face, by its coordinates u and v.
    func level(at place: Placement.Point) -> Double {
      func level(_ ellipse: FaceEllipse, _ feather: Double) -> Double {
        ellipse.level(at: place, feather: feather)
      }
      switch self {
      case .eyes: return FaceEllipse.eyes.map { level($0, 0.4) }.max() ?? 0
      case .all: return level(.head, 0.3)
      case .skin:
        let holes = (FaceEllipse.eyes + [.mouth]).map { 1 - level($0, 0.4) }
        return holes.reduce(level(.oval, 0.25), *)
      }
    }

    /// The largest distances |u| and |v| at which the coverage is above 0.
    fileprivate var reach: Placement.Point {
      let ellipses = whole.map { [$0] } ?? FaceEllipse.eyes
      return ellipses.reduce(.init(0, 0)) { reach, ellipse in
        pointwiseMax(reach, .init(abs(ellipse.centre.x), abs(ellipse.centre.y)) + ellipse.radii)
      }
    }
  }

  public var part: Part
  /// The position of the step's frame in the photo; nil until the photo is known, and also if the
  /// step's input is an image that an external program returned, not the photo.
  public var frame: AuxiliaryMap.Frame?
  /// The size of the step's frame; nil until the photo is known.
  public var size: Size?

  public init(_ part: Part) { self.part = part }

  /// The coverage over a frame, in rows from the top, for faces in this frame.
  ///
  /// Where faces overlap, the greater coverage counts.
  public func levels(of faces: [Face], in size: Size) -> [Float] {
    var levels = [Float](repeating: 0, count: size.pixels)
    let (width, height) = (Double(size.width), Double(size.height))
    func pixels(_ range: ClosedRange<Double>, _ edge: Double) -> Range<Int> {
      let first = Int(min(max(0, (range.lowerBound * edge).rounded(.down)), edge))
      return first..<max(first, Int(min(max(0, (range.upperBound * edge).rounded(.up)), edge)))
    }
    for face in faces {
      let bounds = face.bounds(width: part.reach.x, height: -part.reach.y...part.reach.y)
      for y in pixels(bounds.y, height) {
        for x in pixels(bounds.x, width) {
          let place = face.place(of: .init((Double(x) + 0.5) / width, (Double(y) + 0.5) / height))
          let level = Float(part.level(at: place))
          let index = y * size.width + x
          levels[index] = max(levels[index], level)
        }
      }
    }
    return levels
  }
}

extension FaceMap: CustomStringConvertible {
  public var description: String { "faces \(part.rawValue)" }
}
